// Program map_counted_by_two_fixed: The mended map_counted_by_two. Nobody waits.
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
	done := make(chan int)
	visit := func() {
		if d.take() == 1 {
			println("the second one")
		}
		done <- 1
	}
	go visit()
	go visit()
	<-done
	<-done
}
