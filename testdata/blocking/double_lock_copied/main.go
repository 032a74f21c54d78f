// Program double_lock_copied: A queue is a copy of a value that nobody has used. To shut it takes the lock that clearing
// it takes, too.
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
	q.Lock() // want deadlock
	defer q.Unlock()
	q.items = nil
}

func (q *queue) shut() {
	q.Lock()
	defer q.Unlock()
	q.clear()
}

func main() {
	q := open("mail")
	q.shut()
	fmt.Println("shut")
}
