// Command apart_connections has a hub of connections, each of which counts what it does under a lock of its own.
// The hub uses a connection in several steps, between which it may be dropped.
package main

import (
	"fmt"
	"sync"
)

// Hub is connections by name, and how many there are.
type Hub struct {
	mu    sync.Mutex
	conns map[string]*Conn
	count int
}

// Conn counts what it does.
type Conn struct {
	mu      sync.Mutex
	read    int
	written int
	failed  int
	retried int
	waited  int
	pings   int
	pongs   int
	grown   int
}

// Add adds a connection.
func (h *Hub) Add(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.conns[name] = &Conn{}
	h.count++
}

// Get returns the connection with the name; nil if there is none.
func (h *Hub) Get(name string) *Conn {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.conns[name]
}

// Drop drops a connection.
func (h *Hub) Drop(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c := h.conns[name]; c != nil {
		c.Close()
		delete(h.conns, name)
		h.count--
	}
}

// Len returns how many connections there are.
func (h *Hub) Len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.count
}

// Read counts once more.
func (c *Conn) Read() {
	c.mu.Lock()
	c.read++
	c.mu.Unlock()
}

// CountRead returns how often that was.
func (c *Conn) CountRead() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.read
}

// Write counts once more.
func (c *Conn) Write() {
	c.mu.Lock()
	c.written++
	c.mu.Unlock()
}

// CountWrite returns how often that was.
func (c *Conn) CountWrite() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.written
}

// Fail counts once more.
func (c *Conn) Fail() {
	c.mu.Lock()
	c.failed++
	c.mu.Unlock()
}

// CountFail returns how often that was.
func (c *Conn) CountFail() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

// Retry counts once more.
func (c *Conn) Retry() {
	c.mu.Lock()
	c.retried++
	c.mu.Unlock()
}

// CountRetry returns how often that was.
func (c *Conn) CountRetry() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.retried
}

// Wait counts once more.
func (c *Conn) Wait() {
	c.mu.Lock()
	c.waited++
	c.mu.Unlock()
}

// CountWait returns how often that was.
func (c *Conn) CountWait() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.waited
}

// Ping counts once more.
func (c *Conn) Ping() {
	c.mu.Lock()
	c.pings++
	c.mu.Unlock()
}

// CountPing returns how often that was.
func (c *Conn) CountPing() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pings
}

// Pong counts once more.
func (c *Conn) Pong() {
	c.mu.Lock()
	c.pongs++
	c.mu.Unlock()
}

// CountPong returns how often that was.
func (c *Conn) CountPong() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pongs
}

// Grow counts once more.
func (c *Conn) Grow() {
	c.mu.Lock()
	c.grown++
	c.mu.Unlock()
}

// CountGrow returns how often that was.
func (c *Conn) CountGrow() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.grown
}

// Close forgets all counts, one after the other.
func (c *Conn) Close() {
	c.set(&c.read)
	c.set(&c.written)
	c.set(&c.failed)
	c.set(&c.retried)
	c.set(&c.waited)
	c.set(&c.pings)
	c.set(&c.pongs)
	c.set(&c.grown)
}

func (c *Conn) set(count *int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*count = 0
}

// Use does everything once.
func (h *Hub) Use(name string) {
	c := h.Get(name)
	if c == nil {
		return
	}
	c.Read()
	c.Write()
	c.Fail()
	c.Retry()
	c.Wait()
	c.Ping()
	c.Pong()
	c.Grow()
	fmt.Println(c.CountRead(), c.CountWrite(), c.CountFail(), c.CountRetry(), c.CountWait(), c.CountPing(), c.CountPong(), c.CountGrow())
}

func main() {
	h := &Hub{conns: map[string]*Conn{}}
	h.Add("a")
	var wg sync.WaitGroup
	wg.Go(func() { h.Use("a") })
	wg.Go(func() { h.Drop("a") })
	wg.Wait()
	fmt.Println(h.Len())
}
