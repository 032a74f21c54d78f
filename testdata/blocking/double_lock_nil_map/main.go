// Program double_lock_nil_map: Nobody watches, so that the map of watchers is nil; who is told takes the lock again.
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
	mu.Lock() // want deadlock
	told++
	mu.Unlock()
}

func main() {
	tell(nil, "news")
	fmt.Println("told")
}
