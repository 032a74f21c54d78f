// Command merged_settings_fixed merges settings from many sources into those that two goroutines use.
package main

import "os"

func fromFlags() *Settings       { return &Settings{name: os.Args[0]} }
func fromEnvironment() *Settings { return &Settings{name: os.Getenv("NAME")} }
func fromHome() *Settings        { return &Settings{name: os.Getenv("HOME")} }
func fromHost() *Settings {
	name, _ := os.Hostname()
	return &Settings{name: name}
}

func main() {
	a, b, c, d := fromFlags(), fromEnvironment(), fromHome(), fromHost()
	e := a.Merge(b, d)
	f := b.Merge(c, a)
	g := c.Merge(d, b)
	k := e.Merge(f, g)
	for _, more := range []*Settings{a, b, c, d, e, f, g} {
		k = k.Merge(more, a)
	}
	shared := k.Merge(g, f)
	done := make(chan bool)
	go func() {
		shared.Rename("other")
		done <- true
	}()
	println(shared.Sum())
	<-done
}
