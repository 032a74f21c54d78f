// Program two_locks_three: Three philosophers take the fork on the left first.
package main

import (
	"fmt"
	"sync"
)

func dine(left, right *sync.Mutex, wg *sync.WaitGroup) {
	defer wg.Done()
	left.Lock()
	right.Lock() // want deadlock
	right.Unlock()
	left.Unlock()
}

func main() {
	var forks [3]sync.Mutex
	var wg sync.WaitGroup
	wg.Add(3)
	go dine(&forks[0], &forks[1], &wg)
	go dine(&forks[1], &forks[2], &wg)
	go dine(&forks[2], &forks[0], &wg)
	wg.Wait()
	fmt.Println("fed")
}
