// Command other_shard_unlocked locks the current shard of a table, and unlocks
// the one that is current when it is done.
package main

import (
	"sync"
	"time"
)

// Shard is a part of a table.
type Shard struct {
	mu sync.Mutex
}

// Table has a shard that is in use.
type Table struct {
	mu    sync.Mutex
	shard *Shard
}

func (t *Table) current() *Shard {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.shard
}

// Use does something with the shard.
func (t *Table) Use() {
	s := t.current()
	s.mu.Lock()
	println("in use")
	t.current().mu.Unlock() // another one, perhaps
}

// Rotate begins a new shard.
func (t *Table) Rotate() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.shard = new(Shard)
}

func main() {
	t := &Table{shard: new(Shard)}
	var wg sync.WaitGroup
	wg.Go(t.Use)
	wg.Go(func() {
		time.Sleep(time.Millisecond)
		t.Rotate()
	})
	wg.Wait()
}
