// Command progress_under_read_lock_fixed: that it has given up is in the table.
package main

import (
	"fmt"
	"sync"
	"time"
)

type table struct {
	mu     sync.RWMutex
	leader string
}

func (t *table) elect(name string, givesUp bool) {
	t.mu.Lock()
	t.leader = name
	t.mu.Unlock()
	if givesUp {
		t.mu.Lock()
		t.leader = "nobody"
		t.mu.Unlock()
	}
}

func (t *table) waitForLeader() string {
	for {
		t.mu.RLock()
		name := t.leader
		t.mu.RUnlock()
		if name != "" {
			return name
		}
		time.Sleep(time.Millisecond)
	}
}

func main() {
	t := &table{}
	go t.elect("a", true)
	fmt.Println(t.waitForLeader())
}
