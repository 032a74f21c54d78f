// Package main starts a goroutine for each name, however many there are; for one that is empty it does not say that it
// is done.
//
// confirm: with ""
package main

import (
	"fmt"
	"os"
	"sync"
)

func main() {
	var all sync.WaitGroup
	for _, name := range os.Args[1:] {
		all.Add(1)
		go func() {
			if name == "" {
				return
			}
			fmt.Println(name)
			all.Done()
		}()
	}
	all.Wait() // want blocked
}
