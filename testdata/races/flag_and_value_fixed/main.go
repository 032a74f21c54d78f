// It is an atomic one, which orders what comes before it.
package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
)

var (
	ready atomic.Bool
	value string
)

func main() {
	go func() {
		value = "set"
		ready.Store(true)
	}()
	for !ready.Load() {
		runtime.Gosched()
	}
	fmt.Println(value)
}
