// Cleanups run at any time, each in a goroutine of its own.
package main

import (
	"runtime"
	"time"
)

type block struct {
	v int
	p *int
}

func main() {
	freed := 0
	free := func(n int) {
		freed += n // want data-race
	}
	runtime.AddCleanup(&block{}, free, 1)
	runtime.AddCleanup(&block{}, free, 1)
	runtime.GC()
	time.Sleep(time.Millisecond)
}
