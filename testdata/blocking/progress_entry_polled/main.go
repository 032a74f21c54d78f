// Command progress_entry_polled: a client polls for the entry of one task, and the worker has put in that of another one.
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
		r.mu.Unlock() // want no-progress
		if ok {
			return n
		}
		time.Sleep(time.Millisecond)
	}
}

func main() {
	r := &results{all: map[string]int{}}
	go r.put("first", 1)
	fmt.Println(r.wait("frist"))
}
