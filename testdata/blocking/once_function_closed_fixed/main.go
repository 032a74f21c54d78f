// Command once_function_closed_fixed: two readers close a feed when they come to its end, with one function that runs once.
package main

import (
	"fmt"
	"sync"
)

type feed struct {
	lines chan string
	ended chan struct{}
}

// closer returns what closes the feed, however often it is called.
func (f *feed) closer() func() { return sync.OnceFunc(func() { close(f.ended) }) }

func main() {
	f := &feed{lines: make(chan string, 2), ended: make(chan struct{})}
	f.lines <- "a"
	f.lines <- "b"
	close(f.lines)
	var readers sync.WaitGroup
	stop := f.closer()
	for range 2 {
		readers.Add(1)
		go func() {
			defer readers.Done()
			defer stop()
			for line := range f.lines {
				fmt.Println(line)
			}
		}()
	}
	<-f.ended
	readers.Wait()
}
