// Program double_lock_embedded: The lock is embedded in the struct: Lock is called twice under two names.
package main

import (
	"fmt"
	"sync"
)

type table struct {
	sync.Mutex
	rows []string
}

func (t *table) Insert(row string) {
	t.Lock() // want deadlock
	defer t.Unlock()
	t.rows = append(t.rows, row)
}

func (t *table) InsertAll(rows []string) {
	t.Lock()
	defer t.Unlock()
	for _, r := range rows {
		t.Insert(r)
	}
}

func main() {
	t := &table{}
	t.InsertAll([]string{"a", "b"})
	fmt.Println(len(t.rows))
}
