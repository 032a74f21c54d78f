// Program lock_channel_receive: A reply is awaited under the lock that the replier needs.
package main

import (
	"fmt"
	"sync"
)

type node struct {
	mu    sync.Mutex
	reply chan int
	n     int
}

func (d *node) answer() {
	d.mu.Lock() // want deadlock
	n := d.n
	d.mu.Unlock()
	d.reply <- n
}

func (d *node) Ask() int {
	d.mu.Lock()
	d.n++
	go d.answer()
	n := <-d.reply // want deadlock
	d.mu.Unlock()
	return n
}

func main() {
	d := &node{reply: make(chan int)}
	fmt.Println(d.Ask())
}
