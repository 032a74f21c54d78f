// Program double_lock_copied_fixed: the mended double_lock_copied.
package main

import (
	"fmt"
	"sync"
)

type queue struct {
	sync.Mutex
	name  string
	items []string
}

func open(name string) *queue {
	q := queue{name: name}
	return &q
}

func (q *queue) clear() {
	q.Lock()
	defer q.Unlock()
	q.items = nil
}

func (q *queue) shut() {
	q.Lock()
	defer q.Unlock()
	q.items = nil
}

func main() {
	q := open("mail")
	q.shut()
	fmt.Println("shut")
}
