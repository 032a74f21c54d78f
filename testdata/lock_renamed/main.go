// Command lock_renamed: what unlocks an account looks at a variable that is assigned once more after it was made. So the
// lock of the other account is taken.
package main

import (
	"fmt"
	"sync"
)

type account struct {
	mu      sync.Mutex
	balance int
	moves   int
}

func (a *account) report() (balance, moves int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance, a.moves
}

// lockOne locks an account and returns what unlocks it.
func lockOne(a, fallback *account) (unlock func()) {
	chosen := a
	lock := func() { chosen.mu.Lock() }
	unlock = func() { chosen.mu.Unlock() }
	chosen = fallback
	lock()
	return unlock
}

func (a *account) add(amount int, fallback *account) {
	defer lockOne(a, fallback)()
	a.balance += amount
	a.moves++
}

func main() {
	ann, bob := &account{}, &account{}
	var all sync.WaitGroup
	all.Add(1)
	go func() {
		defer all.Done()
		ann.add(3, bob)
	}()
	fmt.Println(ann.report())
	all.Wait()
	fmt.Println(bob.report())
}
