// Package main starts a goroutine for each name; those that are told to stop too early do not say that they are done.
//
// confirm: with "1" "2" "3" "4" "5"
package main

import (
	"os"
	"sync"
	"sync/atomic"
)

func main() {
	var all sync.WaitGroup
	var ends atomic.Bool
	for range os.Args {
		all.Add(1)
		go func() {
			if ends.Load() {
				return
			}
			all.Done()
		}()
	}
	if len(os.Args) > 5 {
		ends.Store(true)
	}
	all.Wait() // want blocked
}
