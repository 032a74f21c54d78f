// Package main starts a goroutine for each name, however many there are, and waits for all.
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
			defer all.Done()
			if name == "" {
				return
			}
			fmt.Println(name)
		}()
	}
	all.Wait()
}
