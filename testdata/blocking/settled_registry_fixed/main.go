// Program settled_registry_fixed: Each worker answers.
package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
)

var (
	mu    sync.RWMutex
	known = map[string]int{}
)

// lookup finds out what a name means, once.
func lookup(name string) int {
	mu.RLock()
	n, ok := known[name]
	mu.RUnlock()
	if ok {
		return n
	}
	mu.Lock()
	defer mu.Unlock()
	if n, ok := known[name]; ok {
		return n
	}
	for _, part := range strings.Split(name, ".") {
		if part == "" {
			fmt.Fprintln(os.Stderr, "an empty part")
			continue
		}
		n += len(part)
	}
	known[name] = n
	return n
}

func main() {
	answers := make(chan int)
	for _, name := range []string{"a.b", "c"} {
		go func() {
			n := lookup(name)
			answers <- n
		}()
	}
	fmt.Println(<-answers)
	fmt.Println(<-answers)
}
