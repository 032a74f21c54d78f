// Command stated_lock moves money on an account that has a ticket lock.
package main

import (
	"fmt"

	"github.com/empire-go/empire-go/testdata/stated_lock/ticket"
)

// Account is a balance and the number of moves that it comes from.
type Account struct {
	lock    ticket.Lock
	balance int
	moves   int
}

// Move adds to the balance.
func (a *Account) Move(n int) {
	a.lock.Enter()
	defer a.lock.Leave()
	a.balance += n
	a.moves++
}

// Peek reads without the lock if that is taken: the bug.
func (a *Account) Peek() (int, int) {
	if a.lock.TryEnter() {
		defer a.lock.Leave()
	}
	balance := a.balance
	moves := a.moves
	return balance, moves
}

func main() {
	a := &Account{}
	done := make(chan bool)
	go func() {
		a.Move(3)
		done <- true
	}()
	fmt.Println(a.Peek())
	<-done
}
