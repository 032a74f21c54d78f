// Command state_lent_fixed keeps the state of an account in a channel, and lends it to functions.
package main

import (
	"fmt"
	"sync"
)

type state struct {
	balance int
	moves   int
}

// Account keeps its state in a channel.
type Account struct{ state chan *state }

// NewAccount returns an account.
func NewAccount() *Account {
	a := &Account{state: make(chan *state, 1)}
	a.put(new(state))
	return a
}

func (a *Account) get() *state  { return <-a.state }
func (a *Account) put(s *state) { a.state <- s }

func (a *Account) with(f func(s *state)) {
	s := a.get()
	defer a.put(s)
	f(s)
}

// Deposit adds.
func (a *Account) Deposit(n int) {
	a.with(func(s *state) {
		s.balance += n
		s.moves++
	})
}

// Report returns both.
func (a *Account) Report() (balance, moves int) {
	a.with(func(s *state) {
		balance = s.balance
		moves = s.moves
	})
	return
}

func main() {
	var wg sync.WaitGroup
	for range 2 {
		a := NewAccount()
		for i := range 3 {
			wg.Go(func() { a.Deposit(i) })
			wg.Go(func() { fmt.Println(a.Report()) })
		}
	}
	wg.Wait()
}
