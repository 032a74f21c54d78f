// Command store_or_error makes stores by a constructor that returns an interface, or an error.
package main

import (
	"errors"
	"fmt"
	"os"
	"sync"
)

// Store keeps values by key.
type Store interface {
	Put(key string, value int)
	Total() (int, int)
}

type memory struct {
	mu     *sync.Mutex
	values map[string]int
	total  int
}

// Open opens the store of a name.
func Open(name string) (Store, error) {
	if name == "" {
		return nil, errors.New("no name")
	}
	return &memory{mu: new(sync.Mutex), values: map[string]int{}}, nil
}

func (m *memory) Put(key string, value int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.total += value - m.values[key]
	m.values[key] = value
}

func (m *memory) Total() (n, total int) {
	m.mu.Lock()
	n = len(m.values)
	m.mu.Unlock()
	total = m.total
	return n, total
}

func serve(name string) error {
	s, err := Open(name)
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { s.Put(fmt.Sprint(i%2), i) })
		wg.Go(func() { fmt.Println(s.Total()) })
	}
	wg.Wait()
	return nil
}

func main() {
	for _, name := range []string{"a", "b", ""} {
		if err := serve(name); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
}
