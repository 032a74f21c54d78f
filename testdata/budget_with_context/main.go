// Command budget_with_context spends a budget. Its lock is a channel, and who waits
// for it can give up.
package main

import (
	"context"
	"sync"
)

// Budget is an amount of money that can be spent.
type Budget struct {
	held  chan struct{}
	spent int
}

// NewBudget returns a budget of which nothing has been spent.
func NewBudget() *Budget {
	return &Budget{held: make(chan struct{}, 1)}
}

// acquire takes the lock, or returns an error if the context ends first.
func (b *Budget) acquire(ctx context.Context) error {
	select {
	case b.held <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *Budget) release() {
	<-b.held
}

// Spend spends an amount and returns how much has been spent in all.
func (b *Budget) Spend(ctx context.Context, amount int) (int, error) {
	if err := b.acquire(ctx); err == nil {
		defer b.release()
	} // BUG: who gives up spends all the same
	b.spent += amount
	return b.spent, nil
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	budget := NewBudget()
	var wg sync.WaitGroup
	for amount := range 3 {
		wg.Go(func() {
			total, err := budget.Spend(ctx, amount+1)
			if err == nil && total < amount {
				panic("money has come back")
			}
		})
	}
	cancel()
	wg.Wait()
}
