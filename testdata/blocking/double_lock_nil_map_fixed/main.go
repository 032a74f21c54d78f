// Program double_lock_nil_map_fixed: the mended double_lock_nil_map.
package main

import (
	"fmt"
	"sync"
)

var (
	mu   sync.Mutex
	told int
)

func tell(watchers map[string]chan string, text string) {
	mu.Lock()
	defer mu.Unlock()
	for _, w := range watchers {
		w <- text
	}
	count()
}

func count() {
	told++
}

func main() {
	tell(nil, "news")
	fmt.Println("told")
}
