// Program double_lock_embedded_fixed: the mended double_lock_embedded.
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
	t.Lock()
	defer t.Unlock()
	t.rows = append(t.rows, row)
}

func (t *table) InsertAll(rows []string) {
	for _, r := range rows {
		t.Insert(r)
	}
}

func main() {
	t := &table{}
	t.InsertAll([]string{"a", "b"})
	fmt.Println(len(t.rows))
}
