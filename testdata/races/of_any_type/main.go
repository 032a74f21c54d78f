// Goroutines of a generic function write its named result.
package main

import (
	"fmt"
	"sync"
)

func each[T any](all []T, do func(T) int) (most int) {
	var wg sync.WaitGroup
	for _, x := range all {
		wg.Add(1)
		go func() {
			defer wg.Done()
			most = max(most, do(x)) // want data-race
		}()
	}
	wg.Wait()
	return most
}

func main() { fmt.Println(each([]string{"a", "bb"}, func(s string) int { return len(s) })) }
