// Command nested has its locks in structs without names.
package main

import "sync"

// Hub has parts that are guarded each by itself.
type Hub struct {
	users struct {
		mu    sync.Mutex
		names []string
		last  string
	}
	jobs struct {
		sync.Mutex
		open, done int
	}
}

func (h *Hub) join(name string) {
	h.users.mu.Lock()
	defer h.users.mu.Unlock()
	h.users.names = append(h.users.names, name)
	h.users.last = name
}

func (h *Hub) finish() {
	h.jobs.Lock()
	defer h.jobs.Unlock()
	h.jobs.open--
	h.jobs.done++
}

func main() {
	var h Hub
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			h.join("a")
			h.finish()
		})
	}
	wg.Wait()
}
