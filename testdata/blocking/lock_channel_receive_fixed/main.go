// Program lock_channel_receive_fixed: the mended lock_channel_receive.
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
	d.mu.Lock()
	n := d.n
	d.mu.Unlock()
	d.reply <- n
}

func (d *node) Ask() int {
	d.mu.Lock()
	d.n++
	d.mu.Unlock()
	go d.answer()
	n := <-d.reply
	return n
}

func main() {
	d := &node{reply: make(chan int)}
	fmt.Println(d.Ask())
}
