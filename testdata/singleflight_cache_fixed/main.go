// Command singleflight_cache_fixed refreshes a rate by one flight for all who ask at the same
// time.
package main

import (
	"fmt"
	"sync"

	"golang.org/x/sync/singleflight"
)

// Rate is a value and the day that it is of.
type Rate struct {
	value int
	day   int
}

// Refresh sets both.
func (r *Rate) Refresh(value, day int) {
	r.value = value
	r.day = day
}

func main() {
	r := &Rate{}
	var flights singleflight.Group
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			flights.Do("rate", func() (any, error) {
				r.Refresh(i, i)
				return nil, nil
			})
		})
	}
	wg.Wait()
	fmt.Println("done")
}
