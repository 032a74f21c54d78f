// The field is never replaced: what it leads to is guarded, and the field itself need not be.
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
	words := x.words
	x.mu.Lock()
	words[word]++
	x.mu.Unlock()
}

func (x *index) clear() {
	words := x.words
	x.mu.Lock()
	clear(words)
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
