// Command semaphore_whole has a table that up to four readers look at, and a writer that
// takes the whole semaphore. Another writer takes a part of it only.
package main

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/semaphore"
)

const readers = 4

// Table is a number of rows and the name of the last one.
type Table struct {
	sem  *semaphore.Weighted
	rows int
	last string
}

// NewTable returns an empty table.
func NewTable() *Table { return &Table{sem: semaphore.NewWeighted(readers)} }

// Add adds a row.
func (t *Table) Add(ctx context.Context, name string) error {
	if err := t.sem.Acquire(ctx, readers); err != nil {
		return err
	}
	defer t.sem.Release(readers)
	t.rows++
	t.last = name
	return nil
}

// Reset makes the row the only one.
func (t *Table) Reset(name string) {
	if !t.sem.TryAcquire(1) { // should take all
		return
	}
	defer t.sem.Release(1)
	t.rows = 1
	t.last = name
}

// State returns the number of rows and the last one.
func (t *Table) State(ctx context.Context) (int, string, error) {
	if err := t.sem.Acquire(ctx, 1); err != nil {
		return 0, "", err
	}
	defer t.sem.Release(1)
	rows := t.rows
	return rows, t.last, nil
}

func main() {
	ctx := context.Background()
	var tables []*Table
	for range 2 {
		tables = append(tables, NewTable())
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { tables[i%2].Add(ctx, "row") })
	}
	wg.Go(func() { tables[0].Reset("new") })
	wg.Go(func() { tables[0].Reset("newer") })
	fmt.Println(tables[0].State(ctx))
	wg.Wait()
}
