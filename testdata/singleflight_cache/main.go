// Command singleflight_cache refreshes a rate by one flight for all who ask at the same
// time. Half of them ask under another name.
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
			key := "rate"
			if i > 1 {
				key = "Rate" // another one
			}
			flights.Do(key, func() (any, error) {
				r.Refresh(i, i)
				return nil, nil
			})
		})
	}
	wg.Wait()
	fmt.Println("done")
}
