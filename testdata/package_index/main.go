// Names are numbered: names lists them by number, index finds the number of one.
// Both are package variables, filled when the package is initialised.
package main

import (
	"fmt"
	"sync"
)

var (
	mu    sync.Mutex
	names = []string{"root"}
	index = map[string]int{"root": 0}
)

// number returns the number of a name, a new one if it has none.
func number(name string) int {
	mu.Lock()
	if i, ok := index[name]; ok {
		mu.Unlock()
		return i
	}
	i := len(names)
	names = append(names, name)
	mu.Unlock()
	mu.Lock() // BUG: the name is listed and not found until now
	index[name] = i
	mu.Unlock()
	return i
}

// counts returns the sizes of both.
func counts() (listed, found int) {
	mu.Lock()
	defer mu.Unlock()
	for range names {
		listed++
	}
	for range index {
		found++
	}
	return listed, found
}

func main() {
	done := make(chan int)
	go func() { done <- number("leaf") }()
	fmt.Println(counts())
	fmt.Println(<-done)
	fmt.Println(counts())
}
