// Command context_in_field_fixed is a bank with a gate, which one gives up to wait for when the bank
// closes.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"time"
)

// Bank is two balances.
type Bank struct {
	ctx  context.Context
	gate chan struct{}
	a, b int
}

// NewBank returns a bank that is open until ctx is over.
func NewBank(ctx context.Context) *Bank {
	return &Bank{ctx: ctx, gate: make(chan struct{}, 1), a: 10}
}

func (k *Bank) enter() (err error) {
	timer := time.NewTimer(time.Second)
	defer timer.Stop()
	select {
	case k.gate <- struct{}{}:
	case <-timer.C:
		err = context.DeadlineExceeded
	case <-k.ctx.Done():
		err = fmt.Errorf("enter: %w", k.ctx.Err())
	}
	return err
}

func (k *Bank) tryEnter() bool {
	select {
	case k.gate <- struct{}{}:
		return true
	default:
	}
	return false
}

func (k *Bank) enterRaw() error {
	select {
	case <-k.ctx.Done():
		return k.ctx.Err()
	case k.gate <- struct{}{}:
		return nil
	}
}

func (k *Bank) leave() { <-k.gate }

// Move moves.
func (k *Bank) Move(n int) error {
	if err := k.enter(); err != nil {
		return err
	}
	defer k.leave()
	k.a -= n
	k.b += n
	return nil
}

// Back moves back
func (k *Bank) Back(n int) error {
	if err := k.enterRaw(); err != nil {
		return err
	}
	k.a += n
	k.b -= n
	k.leave()
	return nil
}

// Sum returns the sum, if nobody is in.
func (k *Bank) Sum() (int, bool) {
	if !k.tryEnter() {
		return 0, false
	}
	defer k.leave()
	a := k.a
	b := k.b
	return a + b, true
}

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	k := NewBank(ctx)
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { fmt.Println(k.Move(i)) })
		wg.Go(func() { fmt.Println(k.Back(i)) })
		wg.Go(func() { fmt.Println(k.Sum()) })
	}
	wg.Wait()
}
