// Command lock_renamed_fixed: what unlocks an account looks at a variable that is assigned for the last time before it was
// made.
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

// lockOne locks the account, if there is one, and returns what unlocks it.
func lockOne(a, fallback *account) (unlock func()) {
	chosen := fallback
	if a != nil {
		chosen = a
	}
	chosen.mu.Lock()
	return func() { chosen.mu.Unlock() }
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
