// Program helper_stores_fixed: All four stores that main depends on are there.
package main

import (
	"fmt"
	"sync/atomic"
)

type options struct {
	name  string
	ready bool
}

// enable stores through a pointer that may lead to any bool.
func enable(words []string, to *bool) {
	for _, w := range words {
		fmt.Println(w)
	}
	*to = true
}

// enableFirst stores to an element.
func enableFirst(words []string, to []bool) {
	for _, w := range words {
		fmt.Println(w)
	}
	to[0] = true
}

// enableAll stores a whole struct.
func enableAll(words []string, to *options) {
	for _, w := range words {
		fmt.Println(w)
	}
	*to = options{name: "all", ready: true}
}

// enableLast stores plainly what is loaded atomically.
func enableLast(words []string, to *int32) {
	for _, w := range words {
		fmt.Println(w)
	}
	*to = 1
}

func main() {
	words := []string{"a", "b"}
	done := make(chan int)
	one, some, all := false, make([]bool, 1), options{}
	enable(words, &one)
	enableFirst(words, some)
	enableAll(words, &all)
	var last int32
	enableLast(words, &last)
	if !one || !some[0] || !all.ready || atomic.LoadInt32(&last) == 0 {
		<-done
	}
}
