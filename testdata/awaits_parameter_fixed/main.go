// Command awaits_parameter_fixed has a tank from which two drain. They wait for a condition that they hand to a helper,
// which looks at it again and again.
package main

import (
	"fmt"
	"sync"
)

type tank struct {
	mu      sync.Mutex
	changed *sync.Cond
	level   int
	drained int
}

// until waits until the condition holds. The caller has the lock.
func (t *tank) until(holds func() bool) {
	for !holds() {
		t.changed.Wait()
	}
}

func (t *tank) isFilled() bool { return t.level > 0 }

func (t *tank) drain() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.until(t.isFilled)
	t.level--
	t.drained++
}

func (t *tank) fill(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.level += n
	t.changed.Broadcast()
}

func (t *tank) report() (level, drained int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.level, t.drained
}

func main() {
	t := &tank{}
	t.changed = sync.NewCond(&t.mu)
	var all sync.WaitGroup
	for range 2 {
		all.Add(1)
		go func() {
			defer all.Done()
			t.drain()
		}()
	}
	t.fill(1)
	t.fill(1)
	all.Wait()
	fmt.Println(t.report())
}
