// Command leases hands out leases of resources. Who does not get one stands in a list until it is told; leases run out, and
// whoever comes too late to renew one learns of it.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

// lease is who may use a resource, and until when.
type lease struct {
	holder  int
	granted int
	expires int
	version int
	renewed int
}

// waiter stands in the list of a resource.
type waiter struct {
	client, priority int
}

// Table has the leases and those who wait for them.
type Table struct {
	mu      sync.Mutex
	changed sync.Cond
	leases  []lease
	waiting [][]waiter
	now     int
	granted int
	expired int
	waits   int
	queued  int
	longest int
}

// NewTable returns a table for so many resources.
func NewTable(n int) *Table {
	t := &Table{leases: make([]lease, n), waiting: make([][]waiter, n)}
	t.changed.L = &t.mu
	return t
}

// grant gives a resource to a client, with the lock held.
func (t *Table) grant(resource, client, length int) int {
	l := &t.leases[resource]
	l.holder = client
	l.granted = t.now
	l.expires = t.now + length
	l.version++
	t.granted++
	return l.version
}

// enter puts a client into the list of a resource, with the lock held.
func (t *Table) enter(resource int, w waiter) {
	all := append(t.waiting[resource], w)
	for i := len(all) - 1; i > 0 && all[i-1].priority < w.priority; i-- {
		all[i-1], all[i] = all[i], all[i-1]
	}
	t.waiting[resource] = all
	t.queued++
	t.longest = max(t.longest, len(all))
}

// isNext tells whether a client is the first one of those who wait, with the lock held.
func (t *Table) isNext(resource, client int) bool {
	all := t.waiting[resource]
	return len(all) == 0 || all[0].client == client
}

// leaves takes a client out of the list of a resource, with the lock held.
func (t *Table) leaves(resource, client int) {
	all := t.waiting[resource]
	for i := range all {
		if all[i].client == client {
			t.waiting[resource] = append(all[:i], all[i+1:]...)
			t.queued--
			return
		}
	}
}

// Acquire waits for a lease, and returns its version.
func (t *Table) Acquire(resource, client, priority, length int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now++
	l := &t.leases[resource]
	if l.holder == 0 && t.isNext(resource, client) {
		return t.grant(resource, client, length)
	}
	t.enter(resource, waiter{client, priority})
	for l.holder != 0 || !t.isNext(resource, client) {
		t.waits++
		if l.holder != 0 && l.expires <= t.now {
			l.holder = 0
			t.expired++
			t.changed.Broadcast()
			continue
		}
		t.now++
		t.changed.Wait()
	}
	t.leaves(resource, client)
	return t.grant(resource, client, length)
}

// Renew makes a lease longer, if it has not run out.
func (t *Table) Renew(resource, client, version, length int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now++
	l := &t.leases[resource]
	if l.holder != client || l.version != version {
		return false
	}
	l.expires = t.now + length
	l.renewed++
	return true
}

// Release gives a lease back. It tells whether it had not run out.
func (t *Table) Release(resource, client, version int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now++
	l := &t.leases[resource]
	if l.holder != client || l.version != version {
		return false
	}
	l.holder = 0
	if t.queued > 0 {
		t.changed.Broadcast()
	}
	return true
}

// Sweep takes back what has run out.
func (t *Table) Sweep() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.leases {
		if l := &t.leases[i]; l.holder != 0 && l.expires <= t.now {
			l.holder = 0
			t.expired++
			n++
		}
	}
	if n > 0 {
		t.changed.Broadcast()
	}
	return n
}

func main() {
	t := NewTable(6)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			seed, kept := uint32(g+1), 0
			for i := range 8_000 {
				seed = seed*1664525 + 1013904223
				resource := int(seed>>10) % 6
				version := t.Acquire(resource, g+1, int(seed>>20)%4, 16)
				runtime.Gosched() // for what is done with the resource
				if seed>>28&3 == 0 {
					t.Renew(resource, g+1, version, 32)
				}
				if t.Release(resource, g+1, version) {
					kept++
				}
				if i%64 == 0 {
					t.Sweep()
				}
			}
		})
	}
	wg.Wait()
	fmt.Println(t.granted, t.queued)
}
