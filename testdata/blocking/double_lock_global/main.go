// Program double_lock_global: Package functions share one lock, and one of them calls the other.
package main

import (
	"fmt"
	"sync"
)

var (
	mu    sync.Mutex
	peers = map[string]bool{}
)

func isPeer(name string) bool {
	mu.Lock() // want deadlock
	defer mu.Unlock()
	return peers[name]
}

func addPeer(name string) {
	mu.Lock()
	defer mu.Unlock()
	if isPeer(name) {
		return
	}
	peers[name] = true
}

func main() {
	addPeer("a")
	fmt.Println(len(peers))
}
