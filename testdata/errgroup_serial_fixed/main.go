// Command errgroup_serial_fixed adds up numbers in the goroutines of a group, one at a time.
// The totals need no lock for that.
package main

import (
	"fmt"

	"golang.org/x/sync/errgroup"
)

// Totals is the sum and the number of what was added.
type Totals struct {
	sum   int
	count int
}

// Add adds a number.
func (t *Totals) Add(n int) {
	t.sum += n
	t.count++
}

func main() {
	t := &Totals{}
	var g errgroup.Group
	g.SetLimit(1)
	for n := range 4 {
		g.Go(func() error {
			if n == 3 {
				return fmt.Errorf("no %d", n)
			}
			t.Add(n)
			return nil
		})
	}
	err := g.Wait()
	fmt.Println(t.sum, t.count, err)
}
