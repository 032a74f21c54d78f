// Program map_taken_out: Who takes an entry out of a map closes its channel, and another goroutine does so, too, if the
// entry is still there. What is looked at without the lock may be there for both.
package main

import "sync"

type rooms struct {
	mu  sync.Mutex
	all map[int]chan int
}

func (r *rooms) leave(n int) {
	r.mu.Lock()
	c, ok := r.all[n]
	r.mu.Unlock()
	if ok {
		close(c) // want order
		r.mu.Lock()
		delete(r.all, n)
		r.mu.Unlock()
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
