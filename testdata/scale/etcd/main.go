// Command etcd runs an etcd server and notes its state for a health check.
package main

import (
	"fmt"
	"log"
	"net/http"
	"sync"

	"go.etcd.io/etcd/server/v3/embed"
)

// Health is whether the server is ready, and how often it was asked.
type Health struct {
	mu    sync.Mutex
	ready bool
	since int
}

// NewHealth returns the state before the server is ready.
func NewHealth() *Health { return &Health{} }

func (h *Health) set(ready bool) {
	h.mu.Lock()
	h.ready = ready
	h.mu.Unlock()
	h.mu.Lock() // the state is there to be seen with the old count
	h.since = 0
	h.mu.Unlock()
}

func (h *Health) get() (ready bool, since int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.since++
	return h.ready, h.since
}

// ServeHTTP tells whether the server is ready.
func (h *Health) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ready, since := h.get()
	fmt.Fprintln(w, ready, since)
}

func main() {
	health := NewHealth()
	go func() { log.Fatal(http.ListenAndServe(":8080", health)) }()
	config := embed.NewConfig()
	config.Dir = "default.etcd"
	server, err := embed.StartEtcd(config)
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	<-server.Server.ReadyNotify()
	health.set(true)
	log.Fatal(<-server.Err())
}
