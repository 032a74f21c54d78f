// Cleanups count atomically.
package main

import (
	"runtime"
	"sync/atomic"
	"time"
)

type block struct {
	v int
	p *int
}

func main() {
	var freed atomic.Int64
	free := func(n int64) { freed.Add(n) }
	runtime.AddCleanup(&block{}, free, 1)
	runtime.AddCleanup(&block{}, free, 1)
	runtime.GC()
	time.Sleep(time.Millisecond)
}
