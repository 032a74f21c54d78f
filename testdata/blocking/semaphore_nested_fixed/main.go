// Command semaphore_nested_fixed: the place is given back before anybody is waited for.
package main

import (
	"fmt"
	"sync"
)

var places = make(chan struct{}, 2)

func walk(depth int, above *sync.WaitGroup) {
	defer above.Done()
	places <- struct{}{}
	<-places // it has been read
	if depth == 0 {
		return
	}
	var inside sync.WaitGroup
	for range 2 {
		inside.Add(1)
		go walk(depth-1, &inside)
	}
	inside.Wait()
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
