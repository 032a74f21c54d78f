// Command once_started fills a table in the background, by a go statement that calls
// Once.Do directly. main does not call Do itself before it looks.
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
	name := t.name
	size := t.size
	if len(name) != size {
		fmt.Println("half done")
	}
}
