// Command withdrawn_in_two_transactions_fixed is a bank with transactions: Begin
// locks it, Commit and Rollback unlock it.
package main

import (
	"errors"
	"sync"
)

// Bank has the money of one client.
type Bank struct {
	mu      sync.Mutex
	balance int
}

// Tx is a transaction, which nobody else sees before it is committed.
type Tx struct {
	bank    *Bank
	balance int
}

// Begin begins a transaction.
func (b *Bank) Begin() *Tx {
	b.mu.Lock()
	return &Tx{bank: b, balance: b.balance}
}

// Commit ends a transaction.
func (t *Tx) Commit() {
	t.bank.balance = t.balance
	t.bank.mu.Unlock()
}

// Rollback ends a transaction without effect.
func (t *Tx) Rollback() {
	t.bank.mu.Unlock()
}

var errPoor = errors.New("not enough")

// withdraw takes an amount from the bank.
//
//empire:unit
func withdraw(b *Bank, amount int) error {
	tx := b.Begin()
	if tx.balance < amount {
		tx.Rollback()
		return errPoor
	}
	tx.balance -= amount
	tx.Commit()
	return nil
}

func main() {
	bank := &Bank{balance: 10}
	results := make(chan error)
	for range 2 {
		go func() { results <- withdraw(bank, 7) }()
	}
	first := <-results
	second := <-results
	if first != nil && second != nil {
		panic("nothing withdrawn")
	}
}
