// Package main starts a goroutine for each name; the fifth one waits for nobody.
//
// open: more goroutines are started than are followed.
package main

import (
	"os"
	"sync"
)

func main() {
	var all sync.WaitGroup
	never := make(chan int)
	for i := range os.Args {
		all.Add(1)
		go func() {
			defer all.Done()
			if i == 4 {
				<-never
			}
		}()
	}
	all.Wait()
}
