// Command encoded_outside_lock_fixed encodes a table with encoding/gob under the lock.
package main

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"sync"
)

// Table is two numbers by name.
type Table struct {
	mu     sync.Mutex
	values []int
}

// Set sets both.
func (t *Table) Set(value int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.values[0] = value
	t.values[1] = value
}

// Encode returns the table as bytes.
func (t *Table) Encode() ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(t.values)
	return b.Bytes(), err
}

func main() {
	t := &Table{values: make([]int, 2)}
	var wg sync.WaitGroup
	wg.Go(func() { t.Set(1) })
	wg.Go(func() {
		if b, err := t.Encode(); err != nil || len(b) == 0 {
			fmt.Println("not encoded")
		}
	})
	wg.Wait()
}
