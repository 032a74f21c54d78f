// Command producerconsumer hands values from a producer to consumers. Who finds the
// exchange full or empty waits until that changes, and the producer tells the
// consumers when there is nothing more to come.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

const room = 30

// Exchange is between producers and consumers.
type Exchange struct {
	mu      sync.Mutex
	changed sync.Cond
	queue   []int
	current int // values under way
	closed  bool
}

// NewExchange returns an empty exchange.
func NewExchange() *Exchange {
	e := &Exchange{}
	e.changed.L = &e.mu
	return e
}

// Put adds a value when there is room.
func (e *Exchange) Put(value int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for len(e.queue) == room {
		e.changed.Wait()
	}
	e.queue = append(e.queue, value)
	e.current++
	e.changed.Broadcast()
}

// Close tells that there is nothing more to come.
func (e *Exchange) Close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	e.changed.Broadcast()
}

// Take removes a value. It waits for one, and reports whether one came.
func (e *Exchange) Take() (value int, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for len(e.queue) == 0 && !e.closed {
		e.changed.Wait()
	}
	if len(e.queue) == 0 {
		return 0, false
	}
	value = e.queue[0]
	e.queue = e.queue[1:]
	e.current--
	e.changed.Broadcast()
	return value, true
}

// Current returns the number of values under way.
func (e *Exchange) Current() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.current
}

func main() {
	exchange := NewExchange()
	var taken atomic.Int64
	var wg sync.WaitGroup
	wg.Go(func() {
		defer exchange.Close()
		for i := range 100 {
			exchange.Put(i)
		}
	})
	for range 2 {
		wg.Go(func() {
			for {
				if _, ok := exchange.Take(); !ok {
					return
				}
				taken.Add(1)
			}
		})
	}
	wg.Wait()
	fmt.Println(taken.Load(), "values taken,", exchange.Current(), "under way")
}
