// Command channel_actor_fixed lets one goroutine own an account; the others send it
// requests and wait for the reply.
package main

import (
	"fmt"
	"sync"
)

// account is a balance and how many entries led to it.
type account struct {
	balance int
	entries int
}

func (a *account) deposit(amount, entry int) {
	a.balance = amount
	a.entries = entry
}

func (a *account) statement() string {
	balance := a.balance
	entries := a.entries
	return fmt.Sprint(balance, " in ", entries)
}

// request is a deposit, or a question if amount is zero.
type request struct {
	amount int
	reply  chan string
}

// Bank serves an account.
type Bank struct {
	requests chan request
	account  *account
}

func (b *Bank) serve() {
	n := 0
	for r := range b.requests {
		if r.amount > 0 {
			n++
			b.account.deposit(r.amount, n)
		}
		r.reply <- b.account.statement()
	}
}

// Deposit pays in.
func (b *Bank) Deposit(amount int) string {
	reply := make(chan string, 1)
	b.requests <- request{amount, reply}
	return <-reply
}

// Balance asks for the statement.
func (b *Bank) Balance() string {
	reply := make(chan string, 1)
	b.requests <- request{0, reply}
	return <-reply
}

func main() {
	bank := &Bank{make(chan request), &account{}}
	go bank.serve()
	var wg sync.WaitGroup
	wg.Go(func() { fmt.Println(bank.Deposit(100)) })
	wg.Go(func() { fmt.Println(bank.Balance()) })
	wg.Wait()
	close(bank.requests)
}
