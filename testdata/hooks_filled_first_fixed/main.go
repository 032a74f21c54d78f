// Command hooks_filled_first_fixed has a list of limits that is filled when nobody else has
// it yet, and is then replaced as a whole: who has taken it under the lock may go through
// it later. Raise makes a new one.
package main

import (
	"fmt"
	"sync"
)

// Limits is a list, and how often it was changed.
type Limits struct {
	mu      sync.Mutex
	all     []int
	changes int
}

// Raise raises each limit.
func (l *Limits) Raise(by int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	raised := make([]int, 0, len(l.all))
	for _, limit := range l.all {
		raised = append(raised, limit+by)
	}
	l.all = raised
	l.changes++
}

// Sum adds them up.
func (l *Limits) Sum() int {
	l.mu.Lock()
	all := l.all
	l.mu.Unlock()
	sum := 0
	for _, limit := range all {
		sum += limit
	}
	return sum
}

func main() {
	limits := &Limits{}
	for i := 0; i < 3; i++ {
		limits.all = append(limits.all, i)
	}
	done := make(chan bool)
	go func() {
		limits.Raise(2)
		done <- true
	}()
	if limits.Sum() > 9 {
		fmt.Println("too much")
	}
	<-done
}
