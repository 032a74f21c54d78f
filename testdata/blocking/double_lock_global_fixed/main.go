// Program double_lock_global_fixed: the mended double_lock_global.
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
	mu.Lock()
	defer mu.Unlock()
	return peers[name]
}

func addPeer(name string) {
	known := isPeer(name)
	mu.Lock()
	defer mu.Unlock()
	if known {
		return
	}
	peers[name] = true
}

func main() {
	addPeer("a")
	fmt.Println(len(peers))
}
