// Program two_locks_three_fixed: the mended two_locks_three.
package main

import (
	"fmt"
	"sync"
)

func dine(left, right *sync.Mutex, wg *sync.WaitGroup) {
	defer wg.Done()
	left.Lock()
	right.Lock()
	right.Unlock()
	left.Unlock()
}

func main() {
	var forks [3]sync.Mutex
	var wg sync.WaitGroup
	wg.Add(3)
	go dine(&forks[0], &forks[1], &wg)
	go dine(&forks[1], &forks[2], &wg)
	go dine(&forks[0], &forks[2], &wg)
	wg.Wait()
	fmt.Println("fed")
}
