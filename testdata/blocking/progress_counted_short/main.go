// Command progress_counted_short: the last of the workers has nothing to do and does not count itself, and main looks for
// ever whether all have.
package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
)

var arrived atomic.Int32

func work(parts []string) {
	if len(parts) == 0 {
		return
	}
	arrived.Add(1)
}

func main() {
	go work([]string{"a"})
	go work(nil)
	for arrived.Load() < 2 { // want no-progress
		runtime.Gosched()
	}
	fmt.Println("all there")
}
