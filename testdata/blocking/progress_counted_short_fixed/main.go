// Command progress_counted_short_fixed: who has nothing to do counts itself, too. What main does while it waits is work:
// nobody says that it is to end.
package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
)

var arrived, rounds atomic.Int32

func work(parts []string) {
	arrived.Add(1)
	if len(parts) == 0 {
		return
	}
	fmt.Println(parts)
}

func count(stop *atomic.Bool) {
	for !stop.Load() {
		rounds.Add(1)
	}
}

func main() {
	go work([]string{"a"})
	go work(nil)
	go count(new(atomic.Bool))
	for arrived.Load() < 2 {
		runtime.Gosched()
	}
	fmt.Println("all there", rounds.Load())
}
