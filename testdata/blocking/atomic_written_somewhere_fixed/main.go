// Command atomic_written_somewhere_fixed closes the channel where something is left to do.
package main

import (
	"os"
	"sync/atomic"
)

type worker struct{ left atomic.Int32 }

func main() {
	first, second := &worker{}, &worker{}
	[]*worker{first, second}[len(os.Args)%2].left.Store(1)
	results := make(chan int, 1)
	if first.left.Load() == 0 {
		results <- 1
	} else {
		close(results)
	}
	<-results
}
