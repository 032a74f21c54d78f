// Program wait_group_by_value: The wait group is copied: the goroutine counts down its copy.
package main

import (
	"fmt"
	"sync"
)

func work(wg sync.WaitGroup) {
	fmt.Println("work")
	wg.Done()
}

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	go work(wg)
	wg.Wait() // want blocked
}
