// Program map_counted_by_two: The near miss of map_counted: two goroutines take numbers, so that neither knows which one
// is free. Who takes the second one waits for ever.
package main

import "sync"

type desk struct {
	mu  sync.Mutex
	all map[int]bool
}

func (d *desk) take() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := len(d.all)
	d.all[n] = true
	return n
}

func main() {
	d := &desk{all: map[int]bool{}}
	turn, done := make(chan int), make(chan int)
	visit := func() {
		if d.take() == 1 {
			<-turn // want blocked
		}
		done <- 1
	}
	go visit()
	go visit()
	<-done
	<-done
}
