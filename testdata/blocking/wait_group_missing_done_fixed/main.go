// Program wait_group_missing_done_fixed: the mended wait_group_missing_done.
package main

import (
	"fmt"
	"sync"
)

func work(n int, wg *sync.WaitGroup) {
	defer wg.Done()
	if n == 0 {
		return
	}
	fmt.Println(n)
}

func main() {
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Add(1)
		go work(i, &wg)
	}
	wg.Wait()
}
