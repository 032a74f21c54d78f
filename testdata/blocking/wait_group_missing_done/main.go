// Program wait_group_missing_done: On one path the goroutine does not count down.
package main

import (
	"fmt"
	"sync"
)

func work(n int, wg *sync.WaitGroup) {
	if n == 0 {
		return
	}
	fmt.Println(n)
	wg.Done()
}

func main() {
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Add(1)
		go work(i, &wg)
	}
	wg.Wait() // want blocked
}
