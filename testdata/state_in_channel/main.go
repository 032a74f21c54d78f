// Command state_in_channel keeps the state of an account in a channel of capacity one. Deposit puts it
// back before it has counted the move.
package main

import (
	"context"
	"fmt"
	"sync"
	"time"
)

type state struct {
	balance int
	moves   int
}

// Account keeps its state in a channel.
type Account struct{ state chan *state }

// NewAccount returns an account.
func NewAccount() *Account {
	ch := make(chan *state, 1)
	ch <- &state{}
	return &Account{state: ch}
}

func (a *Account) take(ctx context.Context) (*state, error) {
	select {
	case s := <-a.state:
		return s, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Deposit adds.
func (a *Account) Deposit(ctx context.Context, n int) error {
	s, err := a.take(ctx)
	if err != nil {
		return err
	}
	s.balance += n
	a.state <- s
	s.moves++
	return nil
}

// Report returns both.
func (a *Account) Report(ctx context.Context) (int, int, error) {
	s, err := a.take(ctx)
	if err != nil {
		return 0, 0, err
	}
	balance := s.balance
	moves := s.moves
	a.state <- s
	return balance, moves, nil
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	a := NewAccount()
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { a.Deposit(ctx, i) })
		wg.Go(func() { fmt.Println(a.Report(ctx)) })
	}
	wg.Wait()
}
