// Command semaphore_nested: a walk takes a place of a few for each folder, and keeps it while it waits for the folders in
// it, which need places, too.
package main

import (
	"fmt"
	"sync"
)

var places = make(chan struct{}, 2)

func walk(depth int, above *sync.WaitGroup) {
	defer above.Done()
	places <- struct{}{} // want deadlock
	defer func() { <-places }()
	if depth == 0 {
		return
	}
	var inside sync.WaitGroup
	for range 2 {
		inside.Add(1)
		go walk(depth-1, &inside)
	}
	inside.Wait() // want deadlock
}

func main() {
	var all sync.WaitGroup
	for range 2 {
		all.Add(1)
		go walk(1, &all)
	}
	all.Wait()
	fmt.Println("walked")
}
