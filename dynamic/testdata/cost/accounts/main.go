// Command accounts moves money between accounts, each with a lock of its own, while auditors add them up.
package main

import (
	"fmt"
	"sync"
)

// account is what one customer has.
type account struct {
	mu       sync.Mutex
	number   int
	balance  int
	moves    int
	lastPeer int
}

// Bank is all accounts.
type Bank struct {
	accounts []*account
	audits   struct {
		sync.Mutex
		count, total int
	}
}

// NewBank returns a bank whose accounts have the same balance.
func NewBank(n, balance int) *Bank {
	b := &Bank{}
	for i := range n {
		b.accounts = append(b.accounts, &account{number: i, balance: balance})
	}
	return b
}

// Move moves an amount if it is there.
func (b *Bank) Move(from, to, amount int) bool {
	if from == to {
		return false
	}
	x, y := b.accounts[from], b.accounts[to]
	first, second := x, y
	if from > to {
		first, second = y, x
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.Lock()
	defer second.mu.Unlock()
	if x.balance < amount {
		return false
	}
	x.balance -= amount
	y.balance += amount
	x.moves++
	y.moves++
	x.lastPeer, y.lastPeer = to, from
	return true
}

// Audit adds up a stretch of accounts, all of which are locked meanwhile.
func (b *Bank) Audit(from, n int) int {
	total := 0
	for _, a := range b.accounts[from : from+n] {
		a.mu.Lock()
	}
	for _, a := range b.accounts[from : from+n] {
		total += a.balance
	}
	for _, a := range b.accounts[from : from+n] {
		a.mu.Unlock()
	}
	b.audits.Lock()
	b.audits.count++
	b.audits.total += total
	b.audits.Unlock()
	return total
}

func main() {
	b := NewBank(512, 1000)
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Go(func() {
			seed := uint64(g + 1)
			for i := range 250_000 {
				seed = seed*6364136223846793005 + 1442695040888963407
				if i%500 == 0 {
					b.Audit(int(seed>>40)%480, 32)
					continue
				}
				b.Move(int(seed>>33)%512, int(seed>>48)%512, int(seed>>60))
			}
		})
	}
	wg.Wait()
	fmt.Println(b.Audit(0, 512))
}
