// They take a lock.
package main

import (
	"fmt"
	"sync"
)

func fill(m map[int]string, from int, mu *sync.Mutex, wg *sync.WaitGroup) {
	defer wg.Done()
	for i := from; i < from+3; i++ {
		mu.Lock()
		m[i] = fmt.Sprint(i)
		mu.Unlock()
	}
}

func main() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	m := map[int]string{}
	wg.Add(2)
	go fill(m, 0, &mu, &wg)
	go fill(m, 3, &mu, &wg)
	wg.Wait()
	fmt.Println(len(m))
}
