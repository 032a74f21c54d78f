// The field is read without the lock that guards what it leads to, and is replaced by others.
package main

import (
	"fmt"
	"sync"
)

type index struct {
	mu    sync.Mutex
	words map[string]int
}

func (x *index) add(word string) {
	words := x.words // want data-race
	x.mu.Lock()
	words[word]++
	x.mu.Unlock()
}

func (x *index) clear() {
	x.mu.Lock()
	x.words = map[string]int{} // want data-race
	x.mu.Unlock()
}

func main() {
	x := &index{words: map[string]int{}}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		x.add("a")
	}()
	go func() {
		defer wg.Done()
		x.clear()
	}()
	wg.Wait()
	x.mu.Lock()
	fmt.Println(len(x.words))
	x.mu.Unlock()
}
