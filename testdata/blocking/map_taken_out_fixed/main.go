// Program map_taken_out_fixed: The mended map_taken_out. Who finds the entry has taken it out before anybody else looks.
package main

import "sync"

type rooms struct {
	mu  sync.Mutex
	all map[int]chan int
}

func (r *rooms) leave(n int) {
	r.mu.Lock()
	c, ok := r.all[n]
	delete(r.all, n)
	r.mu.Unlock()
	if ok {
		close(c)
	}
}

func main() {
	r := &rooms{all: map[int]chan int{}}
	r.all[1] = make(chan int)
	done := make(chan int, 2)
	for range 2 {
		go func() {
			r.leave(1)
			done <- 1
		}()
	}
	<-done
	<-done
}
