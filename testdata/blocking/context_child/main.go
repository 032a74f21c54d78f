// Program context_child: Only the child is cancelled, and the goroutine waits for the parent.
package main

import (
	"context"
	"fmt"
)

func main() {
	parent, stop := context.WithCancel(context.Background())
	child, cancel := context.WithCancel(parent)
	fmt.Println(child.Err())
	done := make(chan bool)
	go func() {
		<-parent.Done() // want deadlock
		done <- true
	}()
	cancel()
	<-done // want deadlock
	stop()
}
