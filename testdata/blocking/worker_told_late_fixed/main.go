// Package main starts a goroutine for each name; those that are told to stop say that they are done, too.
package main

import (
	"os"
	"sync"
)

func main() {
	var all sync.WaitGroup
	ends := len(os.Args) > 5
	for range os.Args {
		all.Add(1)
		go func() {
			defer all.Done()
			if ends {
				return
			}
		}()
	}
	all.Wait()
}
