package store

import "sync"

// Prices keeps prices that are slow to load.
type Prices struct {
	load func(name string) (int, error)

	mu    sync.Mutex
	known map[string]int
	loads int
}

// NewPrices returns prices that are loaded when they are asked for.
func NewPrices(load func(name string) (int, error)) *Prices {
	return &Prices{load: load, known: map[string]int{}}
}

// Of returns a price. It is loaded with no lock held, so that others need not wait.
func (p *Prices) Of(name string) (int, error) {
	p.mu.Lock()
	price, ok := p.known[name]
	p.mu.Unlock()
	if ok {
		return price, nil
	}
	price, err := p.load(name)
	if err != nil {
		return 0, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if first, ok := p.known[name]; ok {
		return first, nil // somebody was faster
	}
	p.known[name] = price
	p.loads++
	return price, nil
}

// Known returns how many prices are known, and how many were loaded.
func (p *Prices) Known() (known, loads int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.known), p.loads
}
