// Command routes looks addresses up in a table of prefixes while others change it; each route counts what goes through it
// under a lock of its own.
package main

import (
	"fmt"
	"sync"
)

// route is where packets for a prefix go.
type route struct {
	mu             sync.Mutex
	prefix, length uint32
	port           int
	packets, bytes int
	largest        int
}

func (r *route) count(size int) {
	r.mu.Lock()
	r.packets++
	r.bytes += size
	if size > r.largest {
		r.largest = size
	}
	r.mu.Unlock()
}

func (r *route) load() (packets, bytes int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.packets, r.bytes
}

// branch is a node of the table: one bit of the address.
type branch struct {
	zero, one *branch
	route     *route
}

// Table is the routes by prefix.
type Table struct {
	mu      sync.RWMutex
	root    branch
	routes  int
	changes int
}

// Set adds a route or changes the port of the one that is there.
func (t *Table) Set(prefix, length uint32, port int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.changes++
	b := &t.root
	for i := range length {
		next := &b.zero
		if prefix>>(31-i)&1 == 1 {
			next = &b.one
		}
		if *next == nil {
			*next = &branch{}
		}
		b = *next
	}
	if b.route == nil {
		b.route = &route{prefix: prefix, length: length}
		t.routes++
	}
	b.route.port = port
}

// Remove takes a route out.
func (t *Table) Remove(prefix, length uint32) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := &t.root
	for i := range length {
		if prefix>>(31-i)&1 == 1 {
			b = b.one
		} else {
			b = b.zero
		}
		if b == nil {
			return false
		}
	}
	if b.route == nil {
		return false
	}
	b.route = nil
	t.routes--
	t.changes++
	return true
}

// Send counts a packet with the longest prefix of its address and returns the port.
func (t *Table) Send(address uint32, size int) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	best := t.root.route
	b := &t.root
	for i := 0; i < 32 && b != nil; i++ {
		if b.route != nil {
			best = b.route
		}
		if address>>(31-i)&1 == 1 {
			b = b.one
		} else {
			b = b.zero
		}
	}
	if best == nil {
		return -1
	}
	best.count(size)
	return best.port
}

func main() {
	t := &Table{}
	t.Set(0, 0, 1)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			seed, sum := uint32(g*7+1), 0
			for i := range 60_000 {
				seed = seed*1664525 + 1013904223
				switch {
				case i%40 == 0:
					t.Set(seed&0xfff00000, 4+seed>>4%9, int(seed>>8)%8)
				case i%80 == 1:
					t.Remove(seed&0xfff00000, 4+seed>>4%9)
				default:
					sum += t.Send(seed, int(seed>>12)%1500)
				}
			}
		})
	}
	wg.Wait()
	packets, bytes := t.root.route.load()
	fmt.Println(packets > 0, bytes > 0)
}
