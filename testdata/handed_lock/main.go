// Command handed_lock writes a journal from two goroutines.
package main

import (
	"fmt"
	"sync"
)

func main() {
	journal := &Journal{}

	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		journal.Commit("create user ann")
	}()
	go func() {
		defer wg.Done()
		journal.Commit("delete user bob")
	}()
	wg.Wait()
	journal.Close()

	fmt.Println(journal.Line())
}
