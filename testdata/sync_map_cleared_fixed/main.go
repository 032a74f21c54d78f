// Command sync_map_cleared_fixed has a register that counts how often it is cleared, under a lock.
package main

import (
	"os"
	"sync"
	"sync/atomic"
)

// Register is names, and how often they were cleared.
type Register struct {
	mu      sync.Mutex
	names   sync.Map
	cleared atomic.Int64
}

// Clear forgets all names.
func (r *Register) Clear() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names.Clear()
	r.cleared.Add(1)
}

// IsOdd tells whether a name is missing although nothing has been cleared.
func (r *Register) IsOdd() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, known := r.names.Load("one")
	cleared := r.cleared.Load()
	return !known && cleared == 0
}

func main() {
	r := &Register{}
	r.names.Store("one", 1)
	var done sync.WaitGroup
	done.Add(1)
	go func() {
		defer done.Done()
		r.Clear()
	}()
	if r.IsOdd() {
		os.Exit(3)
	}
	done.Wait()
}
