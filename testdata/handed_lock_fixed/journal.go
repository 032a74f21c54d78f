package main

import (
	"fmt"
	"sync"
)

// Journal keeps entries and their length in bytes.
type Journal struct {
	mu      sync.Mutex
	flushes sync.WaitGroup
	entries []string
	bytes   int
}

// Commit adds an entry and starts to flush it. The lock is held until the entry
// is flushed, so it is the goroutine that flushes which unlocks it. Commit does
// not wait for that, but is done with the fields by then.
func (j *Journal) Commit(entry string) {
	j.mu.Lock()
	j.entries = append(j.entries, entry)
	j.bytes += len(entry)
	j.flushes.Add(1)
	go func() {
		defer j.flushes.Done()
		defer j.mu.Unlock()
		fmt.Println("flush:", entry)
	}()
}

// Close waits until all entries are flushed.
func (j *Journal) Close() {
	j.flushes.Wait()
}

// Line returns the number of entries and of their bytes as text.
func (j *Journal) Line() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	entries := len(j.entries)
	bytes := j.bytes
	return fmt.Sprintf("%d entries, %d bytes", entries, bytes)
}
