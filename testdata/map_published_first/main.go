// Command map_published_first makes a table of prices. The map is in a
// registry, where another goroutine finds it, before it is in the table.
package main

import "sync"

// Table has prices by name.
type Table struct{ prices map[string]int }

var (
	mu       sync.Mutex
	registry = map[string]map[string]int{}
)

// NewTable returns a table with a price for apples.
func NewTable(name string) *Table {
	prices := map[string]int{}
	mu.Lock()
	registry[name] = prices
	mu.Unlock()

	t := &Table{}
	t.prices = prices
	t.prices["apple"]++ // without the lock
	t.prices["apple"] *= 2
	return t
}

// discount sets the price for apples to nothing.
func discount(name string) {
	mu.Lock()
	defer mu.Unlock()
	if prices := registry[name]; prices != nil {
		prices["apple"] = 0
	}
}

func main() {
	var wg sync.WaitGroup
	wg.Go(func() { discount("fruit") })
	NewTable("fruit")
	wg.Wait()
}
