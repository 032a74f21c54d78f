// Package main starts a goroutine for each name, of which none waits.
package main

import (
	"os"
	"sync"
)

func main() {
	var all sync.WaitGroup
	for i := range os.Args {
		all.Add(1)
		go func() {
			defer all.Done()
			if i == 4 {
				return
			}
		}()
	}
	all.Wait()
}
