// An entry of a cache is entered in the map before its account is made. Who finds the
// entry uses the account as soon as it is there; meanwhile the maker sets it up.
package main

import "sync"

type Account struct{ balance, limit int }

type entry struct {
	mu      sync.Mutex
	account *Account
}

var cache = struct {
	sync.Mutex
	entries map[string]*entry
}{entries: map[string]*entry{}}

func newAccount() *Account { return &Account{} }

func open(name string) {
	e := &entry{}
	cache.Lock()
	cache.entries[name] = e
	cache.Unlock()
	a := newAccount()
	e.mu.Lock()
	e.account = a
	e.mu.Unlock()
	a.balance = 10
	a.limit = 20
}

func available(name string) int {
	cache.Lock()
	e := cache.entries[name]
	cache.Unlock()
	if e == nil {
		return 0
	}
	e.mu.Lock()
	a := e.account
	e.mu.Unlock()
	if a == nil {
		return 0
	}
	return a.balance + a.limit
}

func main() {
	var wg sync.WaitGroup
	wg.Go(func() { open("x") })
	wg.Go(func() { println(available("x")) })
	wg.Wait()
}
