// Command generic_through_interface_fixed keeps values in a generic store behind a generic interface.
package main

import "sync"

// Store keeps values by key.
type Store[K comparable, V any] interface {
	Put(key K, value V)
	Summary() (length, puts int)
}

// Memory is a store in memory.
type Memory[K comparable, V any] struct {
	mu      sync.Mutex
	entries map[K]V
	puts    int
}

func NewMemory[K comparable, V any]() *Memory[K, V] {
	return &Memory[K, V]{entries: map[K]V{}}
}

func (m *Memory[K, V]) Put(key K, value V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.entries[key] = value
	m.puts++
}

func (m *Memory[K, V]) Summary() (length, puts int) {
	m.mu.Lock()
	length = len(m.entries)
	puts = m.puts
	m.mu.Unlock()
	return length, puts
}

func main() {
	var store Store[string, int] = NewMemory[string, int]()
	var wg sync.WaitGroup
	wg.Go(func() { store.Put("a", 1) })
	wg.Go(func() { println(store.Summary()) })
	wg.Wait()
}
