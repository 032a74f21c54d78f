// Command read_locked counts the reads of a table where it holds its lock for reading only.
package main

import "sync"

// Table has rows.
type Table struct {
	mu   sync.RWMutex
	rows map[string]string
	gets int
}

func (t *Table) set(key, value string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows[key] = value
	t.gets = 0
}

func (t *Table) get(key string) string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	t.gets++ // others do the same
	return t.rows[key]
}

func main() {
	t := &Table{rows: map[string]string{}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { t.get("a") })
	}
	t.set("a", "b")
	wg.Wait()
}
