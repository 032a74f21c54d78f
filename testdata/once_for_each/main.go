// Command once_for_each computes prices when they are asked for the first time, each once, and
// keeps a sum of them: an entry of the map has a sync.Once.
package main

import (
	"fmt"
	"sync"
)

// entry is a price, which is computed once.
type entry struct {
	once  sync.Once
	price int
}

// Prices has the prices of goods, and their sum.
type Prices struct {
	mu      sync.Mutex
	entries map[string]*entry
	sum     int
}

// entry returns the entry for a name.
func (p *Prices) entry(name string) *entry {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.entries[name]
	if e == nil {
		e = &entry{}
		p.entries[name] = e
	}
	return e
}

// Price returns the price of a good, and adds a new one to the sum.
func (p *Prices) Price(name string) int {
	e := p.entry(name)
	e.once.Do(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		e.price = len(name)
		p.sum += e.price
	})
	return e.price
}

// Raise raises all prices: the sum first, and then each.
func (p *Prices) Raise() {
	p.mu.Lock()
	p.sum += len(p.entries)
	p.mu.Unlock()
	p.mu.Lock()
	for _, e := range p.entries {
		e.price++
	}
	p.mu.Unlock()
}

// Sum returns the sum.
func (p *Prices) Sum() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sum
}

func main() {
	prices := &Prices{entries: map[string]*entry{}}
	done := make(chan bool)
	go func() {
		prices.Price("pear")
		done <- true
	}()
	prices.Raise()
	<-done
	fmt.Println(prices.Sum() > 0)
}
