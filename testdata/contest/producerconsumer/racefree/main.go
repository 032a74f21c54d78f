// Command producerconsumer hands values from a producer to consumers. The queue has
// a lock and the count of the values under way is atomic, so a race detector is
// silent. But to look whether there is a value and to take it are two calls: two
// consumers can go for the same value, and one of them gets nothing.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

const room = 30

// Exchange is between producers and consumers.
type Exchange struct {
	mu      sync.Mutex
	queue   []int
	current atomic.Int64 // values under way
}

// Put adds a value. It reports whether there was room.
func (e *Exchange) Put(value int) bool {
	if e.size() == room {
		return false
	}
	e.add(value)
	e.current.Add(1)
	return true
}

// Take removes a value. It reports whether there was one.
func (e *Exchange) Take() (value int, ok bool) {
	if e.size() == 0 {
		return 0, false
	}
	value = e.remove()
	e.current.Add(-1)
	return value, true
}

func (e *Exchange) size() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.queue)
}

func (e *Exchange) add(value int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.queue = append(e.queue, value)
}

func (e *Exchange) remove() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.queue) < 1 {
		return -1 // somebody was faster
	}
	value := e.queue[0]
	e.queue = e.queue[1:]
	return value
}

func main() {
	exchange := &Exchange{}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for i := 0; i < 100; {
			if exchange.Put(i) {
				i++
			} else {
				runtime.Gosched()
			}
		}
	}()
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			taken := 0
			for tries := 0; taken < 60 && tries < 10000; tries++ {
				if _, ok := exchange.Take(); ok {
					taken++
				} else {
					runtime.Gosched()
				}
			}
		}()
	}
	wg.Wait()
	fmt.Println(exchange.current.Load(), "values under way,", exchange.size(), "in the queue")
}
