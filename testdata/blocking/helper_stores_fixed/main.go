// Program helper_stores_fixed: All three stores that main depends on are there.
package main

import "fmt"

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

func main() {
	words := []string{"a", "b"}
	done := make(chan int)
	one, some, all := false, make([]bool, 1), options{}
	enable(words, &one)
	enableFirst(words, some)
	enableAll(words, &all)
	if !one || !some[0] || !all.ready {
		<-done
	}
}
