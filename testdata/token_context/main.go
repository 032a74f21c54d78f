// Command token_context is a stock with one token, which is received by who may use it. Who gives up
// to wait says nothing of that.
package main

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Stock is what is there, and what is promised.
type Stock struct {
	sem      chan struct{}
	there    int
	promised int
}

// NewStock returns a stock.
func NewStock(n int) *Stock {
	s := &Stock{sem: make(chan struct{}, 1), there: n}
	s.sem <- struct{}{}
	return s
}

func (s *Stock) acquire(ctx context.Context) error {
	select {
	case <-s.sem:
		return nil
	case <-ctx.Done():
		return nil
	}
}

func (s *Stock) release() { s.sem <- struct{}{} }

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
	s := NewStock(10)
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
