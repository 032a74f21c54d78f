// Package flag has a flag without a lock, and goods with one that depend on it.
package flag

import (
	"sync"
	"sync/atomic"
)

// Shop sells goods while it is open.
type Shop struct {
	closed atomic.Bool
	busy   atomic.Bool // decides nothing that has to do with the goods

	mu    sync.Mutex
	goods []string
	sold  string
}

// New returns a shop.
func New() *Shop { return &Shop{} }

// Add puts goods on the shelf.
func (s *Shop) Add(what string) bool {
	if s.closed.Load() {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.goods = append(s.goods, what)
	s.sold = ""
	return true
}

// Close takes all goods away.
func (s *Shop) Close() {
	s.closed.Store(true)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.goods = nil
}

// Sell sells something.
func (s *Shop) Sell() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.goods) > 0 {
		s.sold, s.goods = s.goods[0], s.goods[1:]
	}
	return s.sold
}

// Ring tells whether somebody is there, and comes.
func (s *Shop) Ring() bool { return s.busy.CompareAndSwap(false, true) }
