// Command map_of_copied_struct copies a struct, which still shares its map.
package main

import "sync"

// Tally is counts by name and their total.
type Tally struct {
	mu     *sync.Mutex
	counts map[string]int
	total  int
}

func (t *Tally) Add(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts[name]++
	t.total++
}

// Copy returns a copy.
func (t *Tally) Copy() Tally {
	t.mu.Lock()
	defer t.mu.Unlock()
	return *t
}

func (t Tally) Sum() (sum int) {
	for _, n := range t.counts { // the map of the original
		sum += n
	}
	return sum - t.total
}

func main() {
	t := &Tally{mu: new(sync.Mutex), counts: map[string]int{}}
	var wg sync.WaitGroup
	wg.Go(func() { t.Add("a") })
	wg.Go(func() {
		c := t.Copy()
		println(c.Sum())
	})
	wg.Wait()
}
