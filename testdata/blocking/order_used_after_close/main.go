// Command order_used_after_close: a worker takes messages until it has enough, and does not look whether the channel is
// closed: what comes from it then is no message.
package main

import (
	"fmt"
	"sync"
)

type message struct{ size int }

func work(messages <-chan *message, total *int, done *sync.WaitGroup) {
	defer done.Done()
	for *total < 10 {
		m := <-messages
		*total += m.size // want order
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
