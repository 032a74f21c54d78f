// Command map_constants counts what two goroutines do, both under one name at one place.
package main

import (
	"fmt"
	"sync"
)

// Totals is sums by name.
type Totals struct {
	mu   sync.Mutex
	sums map[string]int
}

func (t *Totals) get(name string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sums[name]
}

func (t *Totals) set(name string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sums[name] = n
}

// Read counts what was read.
func (t *Totals) Read(n int) { t.set("read", t.get("read")+n) }

// Written counts what was written.
func (t *Totals) Written(n int) { t.set("read", t.get("read")+n) }

func main() {
	t := &Totals{sums: map[string]int{}}
	var wg sync.WaitGroup
	wg.Go(func() { t.Read(1) })
	wg.Go(func() { t.Written(2) })
	wg.Wait()
	fmt.Println(t.sums)
}
