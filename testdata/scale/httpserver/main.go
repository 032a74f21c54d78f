// Command httpserver counts the requests of a net/http server.
package main

import (
	"fmt"
	"log"
	"net/http"
	"sync"
)

// Hits counts requests in all and by path.
type Hits struct {
	mu    sync.Mutex
	total int
	paths map[string]int
}

// NewHits returns a count of nothing.
func NewHits() *Hits { return &Hits{paths: map[string]int{}} }

func (h *Hits) add(path string) {
	h.mu.Lock()
	h.total++
	h.mu.Unlock()
	h.mu.Lock() // the total is there to be seen without the path
	h.paths[path]++
	h.mu.Unlock()
}

func (h *Hits) counts() (total, paths int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.total, len(h.paths)
}

// ServeHTTP counts the request and tells how many there were.
func (h *Hits) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.add(r.URL.Path)
	total, paths := h.counts()
	fmt.Fprintln(w, total, paths)
}

func main() {
	http.Handle("/", NewHits())
	log.Fatal(http.ListenAndServe(":8080", nil))
}
