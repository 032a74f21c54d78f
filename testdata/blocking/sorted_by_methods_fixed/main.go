// Command sorted_by_methods_fixed gets a result in any case.
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
	} else {
		close(results)
	}
	<-results
}
