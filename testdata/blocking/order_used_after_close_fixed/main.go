// Command order_used_after_close_fixed: it looks whether the channel is closed.
package main

import (
	"fmt"
	"sync"
)

type message struct{ size int }

func work(messages <-chan *message, total *int, done *sync.WaitGroup) {
	defer done.Done()
	for *total < 10 {
		m, ok := <-messages
		if !ok {
			return
		}
		*total += m.size
	}
}

func main() {
	messages, total := make(chan *message), 0
	var done sync.WaitGroup
	done.Add(1)
	go work(messages, &total, &done)
	messages <- &message{size: 2}
	close(messages)
	done.Wait()
	fmt.Println(total)
}
