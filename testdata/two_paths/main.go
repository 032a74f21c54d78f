// Command two_paths lists sessions while another goroutine uses one of them.
package main

import (
	"fmt"
	"sync"
)

func main() {
	store := NewStore()
	store.Open("ann")
	store.Open("bob")

	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		store.Use("bob", "/inbox")
	}()
	go func() {
		defer wg.Done()
		for _, line := range store.List() {
			fmt.Println(line)
		}
	}()
	wg.Wait()
}
