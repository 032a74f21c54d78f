// A map that is in no variable of its own is filled by two goroutines.
package main

import (
	"fmt"
	"sync"
)

func fill(m map[int]string, from int, wg *sync.WaitGroup) {
	defer wg.Done()
	for i := from; i < from+3; i++ {
		m[i] = fmt.Sprint(i) // want data-race
	}
}

func main() {
	var wg sync.WaitGroup
	m := map[int]string{}
	wg.Add(2)
	go fill(m, 0, &wg)
	go fill(m, 3, &wg)
	wg.Wait()
	fmt.Println(len(m))
}
