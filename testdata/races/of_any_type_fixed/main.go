// It collects what they send.
package main

import (
	"fmt"
	"sync"
)

func each[T any](all []T, do func(T) int) (most int) {
	found := make(chan int)
	var wg sync.WaitGroup
	for _, x := range all {
		wg.Add(1)
		go func() {
			defer wg.Done()
			found <- do(x)
		}()
	}
	go func() {
		wg.Wait()
		close(found)
	}()
	for n := range found {
		most = max(most, n)
	}
	return most
}

func main() { fmt.Println(each([]string{"a", "bb"}, func(s string) int { return len(s) })) }
