// Command unit_loop_other_fixed moves an account in a free function, which also loops over
// other accounts. It does so afterwards.
package main

import "sync"

// Account has two parts that belong together.
type Account struct {
	mu    sync.Mutex
	cash  int
	bonds int
}

// audit sums up the cash of some accounts.
func audit(all []*Account) int {
	sum := 0
	for _, a := range all {
		a.mu.Lock()
		sum += a.cash
		a.mu.Unlock()
	}
	return sum
}

// invest turns cash into bonds, by an amount that depends on other accounts.
func invest(a *Account, others []*Account) {
	a.mu.Lock()
	a.cash -= 10
	a.bonds += 10
	a.mu.Unlock()
	for _, o := range others {
		o.mu.Lock()
		o.bonds++
		o.mu.Unlock()
	}
}

// worth returns both parts together.
func worth(a *Account) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	sum := a.cash
	sum += a.bonds
	return sum
}

func newAccount(cash int) *Account {
	return &Account{cash: cash}
}

func main() {
	var all []*Account
	for cash := range 3 {
		all = append(all, newAccount(cash))
	}
	a, others := all[0], all[1:]
	done := make(chan bool)
	go func() {
		invest(a, others)
		done <- true
	}()
	println(worth(a))
	<-done
	println(audit(others))
}
