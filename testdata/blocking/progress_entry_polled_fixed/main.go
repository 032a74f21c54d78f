// Command progress_entry_polled_fixed: it polls for what the worker puts in.
package main

import (
	"fmt"
	"sync"
	"time"
)

type results struct {
	mu  sync.Mutex
	all map[string]int
}

func (r *results) put(key string, n int) {
	r.mu.Lock()
	r.all[key] = n
	r.mu.Unlock()
}

func (r *results) wait(key string) int {
	for {
		r.mu.Lock()
		n, ok := r.all[key]
		r.mu.Unlock()
		if ok {
			return n
		}
		time.Sleep(time.Millisecond)
	}
}

func main() {
	r := &results{all: map[string]int{}}
	go r.put("first", 1)
	fmt.Println(r.wait("first"))
}
