// Package main has room for one failure of each name; a goroutine sends two.
//
// confirm: with "" ""
package main

import (
	"errors"
	"os"
	"sync"
)

func main() {
	names := os.Args[1:]
	if len(names) > 2 {
		return
	}
	failures := make(chan error, len(names))
	var all sync.WaitGroup
	for _, name := range names {
		all.Add(1)
		go func() {
			defer all.Done()
			if name == "" {
				failures <- errors.New("empty") // want blocked
			}
			if len(name) < 3 {
				failures <- errors.New("short") // want blocked
			}
		}()
	}
	all.Wait()
	close(failures)
}
