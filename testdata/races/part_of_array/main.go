// A slice of an array in an object is written beside an element of it. (That they are other elements is not told apart.)
package main

import (
	"fmt"
	"sync"
)

type ring struct {
	slots [4]int
	n     int
}

func main() {
	r := &ring{}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		copy(r.slots[:2], []int{1, 2}) // want data-race
	}()
	go func() {
		defer wg.Done()
		r.slots[3] = 4 // want data-race
		r.n++
	}()
	wg.Wait()
	fmt.Println(r.slots, r.n)
}
