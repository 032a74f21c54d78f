// Command tallies_of_regions_fixed counts the votes of regions. Each region has a
// key of a map, and a goroutine.
package main

import "sync"

// Tally is a number of votes.
type Tally struct {
	votes int
}

// Count adds votes.
func (t *Tally) Count(votes int) {
	t.votes += votes
}

// Votes returns the number of votes.
func (t *Tally) Votes() int {
	return t.votes
}

// newTallies returns a tally for each name.
func newTallies(names ...string) map[string]*Tally {
	tallies := make(map[string]*Tally)
	for _, name := range names {
		tallies[name] = new(Tally)
	}
	return tallies
}

func main() {
	regions := newTallies("north", "south", "coast")
	total := &Tally{}
	var wg sync.WaitGroup
	for name, region := range regions {
		votes := 10 * len(name)
		wg.Go(func() {
			region.Count(votes)
		})
	}
	wg.Wait()
	for _, region := range regions {
		total.Count(region.Votes())
		if region.Votes() > total.Votes() {
			panic("more than all")
		}
	}
}
