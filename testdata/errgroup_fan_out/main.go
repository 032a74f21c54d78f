// Command errgroup_fan_out fetches two parts of a report at the same time. It reads the
// report while the parts may still be fetched.
package main

import (
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"
)

// Report is the number of parts, and the name of the last one.
type Report struct {
	parts int
	last  string
}

// Add adds a part.
func (r *Report) Add(parts int, name string) {
	r.parts = parts
	r.last = name
}

// Summary describes the report.
func (r *Report) Summary() string {
	parts := r.parts
	last := r.last
	return fmt.Sprint(parts, " parts up to ", last)
}

func main() {
	r := &Report{}
	var g errgroup.Group
	g.Go(func() error {
		r.Add(1, "sales")
		return nil
	})
	g.Go(func() error {
		return errors.New("no costs yet")
	})
	fmt.Println(r.Summary()) // too early
	if err := g.Wait(); err != nil {
		fmt.Println(err)
	}
}
