// Command once_started_fixed fills a table in the background, by a go statement that
// calls Once.Do directly. main calls Do as well, and so waits for it.
package main

import (
	"fmt"
	"sync"
)

// Table is a name with its length.
type Table struct {
	once sync.Once
	name string
	size int
}

func (t *Table) fill() {
	t.name = "primes"
	t.size = 6
}

func main() {
	t := &Table{}
	go t.once.Do(t.fill)
	t.once.Do(t.fill)
	name := t.name
	size := t.size
	if len(name) != size {
		fmt.Println("half done")
	}
}
