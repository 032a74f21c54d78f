// Command atomic_written_somewhere gives one of two workers something to do, and it is not known which one. The result
// of the first one is waited for, which does not come while there is something left to do.
//
// confirm: with "x"
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
	}
	<-results // want blocked
}
