// Command waitgroup_array compiles and prints what came of it. It waits for
// another stage than the one that it has started.
package main

import "sync"

// The stages of a build.
const (
	compile = iota
	link
)

var stages [2]sync.WaitGroup

// Output is what a build has written so far.
type Output struct {
	files int
	bytes int
}

// Set changes the output.
func (o *Output) Set(files, bytes int) {
	o.files = files
	o.bytes = bytes
}

// Get returns the output.
func (o *Output) Get() (files, bytes int) {
	files = o.files
	bytes = o.bytes
	return files, bytes
}

func main() {
	output := &Output{}
	stages[compile].Add(1)
	go func() {
		defer stages[compile].Done()
		output.Set(12, 4096)
	}()
	stages[link].Wait() // returns at once
	println(output.Get())
}
