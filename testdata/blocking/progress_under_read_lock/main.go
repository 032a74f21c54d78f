// Command progress_under_read_lock: a node waits until the leader has its name in the table, which a leader that gives up
// takes out again before the node has looked.
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
		t.leader = ""
		t.mu.Unlock()
	}
}

func (t *table) waitForLeader() string {
	for {
		t.mu.RLock()
		name := t.leader
		t.mu.RUnlock()
		if name != "" { // want no-progress
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
