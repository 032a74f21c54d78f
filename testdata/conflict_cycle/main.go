// Command conflict_cycle starts and closes a server at the same time.
package main

import (
	"fmt"
	"sync"
)

func main() {
	server := NewServer()

	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		fmt.Println("started:", server.Start())
	}()
	go func() {
		defer wg.Done()
		server.Close()
	}()
	wg.Wait()
}
