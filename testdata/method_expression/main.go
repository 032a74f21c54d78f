// Command method_expression looks operations up in a table of method expressions.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func (c *Clock) Set(hours, minutes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hours = hours
	c.minutes = minutes
}

func (c *Clock) Get() (int, int) {
	c.mu.Lock()
	hours := c.hours
	c.mu.Unlock()
	c.mu.Lock() // the clock may be set here
	minutes := c.minutes
	c.mu.Unlock()
	return hours, minutes
}

var operations = map[string]func(*Clock){
	"show": func(c *Clock) { println((*Clock).Get(c)) },
	"noon": noon,
}

func noon(c *Clock) {
	set := (*Clock).Set
	set(c, 12, 0)
}

func main() {
	c := &Clock{}
	var wg sync.WaitGroup
	for _, name := range []string{"show", "noon"} {
		wg.Go(func() { operations[name](c) })
	}
	wg.Wait()
}
