// Command sorted_by_methods sorts something that counts how often it is asked, and waits for a result that comes only
// if it has not been asked.
//
// confirm: with "x"
package main

import (
	"os"
	"sort"
)

type counted struct {
	names []string
	asked int
}

func (c *counted) Len() int           { return len(c.names) }
func (c *counted) Less(i, j int) bool { c.asked++; return c.names[i] < c.names[j] }
func (c *counted) Swap(i, j int)      { c.names[i], c.names[j] = c.names[j], c.names[i] }

func main() {
	c := &counted{names: os.Args}
	sort.Sort(c)
	results := make(chan int, 1)
	if c.asked == 0 {
		results <- 1
	}
	<-results // want blocked
}
