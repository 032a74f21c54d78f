// Program context_child_fixed: the mended context_child.
package main

import (
	"context"
)

func main() {
	parent, stop := context.WithCancel(context.Background())
	child, cancel := context.WithCancel(parent)
	done := make(chan bool)
	go func() {
		<-child.Done()
		done <- true
	}()
	cancel()
	<-done
	stop()
}
