// Command semaphore_context is a stock behind a channel of capacity one, which one may give up to wait
// for. Who gives up because the shop closes asks the customer's context why, and is told nil.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"time"
)

// Stock is what is there, and what is promised.
type Stock struct {
	shop     context.Context
	sem      chan struct{}
	there    int
	promised int
}

// NewStock returns a stock.
func NewStock(shop context.Context, n int) *Stock {
	s := &Stock{shop: shop, sem: make(chan struct{}, 1), there: n}
	return s
}

func (s *Stock) acquire(ctx context.Context) error {
	select {
	case s.sem <- struct{}{}:
		return nil
	case <-s.shop.Done():
		return ctx.Err()
	}
}

func (s *Stock) release() { <-s.sem }

// Promise promises some.
func (s *Stock) Promise(ctx context.Context, n int) error {
	if err := s.acquire(ctx); err != nil {
		return err
	}
	defer s.release()
	if s.there < n {
		return fmt.Errorf("only %d", s.there)
	}
	s.there -= n
	s.promised += n
	return nil
}

// Levels returns both.
func (s *Stock) Levels(ctx context.Context) (int, int, error) {
	if err := s.acquire(ctx); err != nil {
		return 0, 0, fmt.Errorf("levels: %w", err)
	}
	defer s.release()
	there := s.there
	promised := s.promised
	return there, promised, nil
}

func main() {
	shop, closeShop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer closeShop()
	s := NewStock(shop, 10)
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			if err := s.Promise(ctx, i); err != nil {
				fmt.Println(err)
			}
			fmt.Println(s.Levels(ctx))
		})
	}
	wg.Wait()
}
