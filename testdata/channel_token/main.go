// Command channel_token keeps a price list behind a channel with one token: who has it
// may use the list. Update gives the token back between its two steps.
package main

import (
	"fmt"
	"sync"
)

// Prices is a price with its currency.
type Prices struct {
	token    chan struct{}
	amount   int
	currency string
}

// NewPrices returns a list with its token.
func NewPrices() *Prices {
	p := &Prices{token: make(chan struct{}, 1)}
	p.token <- struct{}{}
	return p
}

func (p *Prices) lock()   { <-p.token }
func (p *Prices) unlock() { p.token <- struct{}{} }

// Update sets the price.
func (p *Prices) Update(amount int, currency string) {
	p.lock()
	p.amount = amount
	p.unlock()

	p.lock() // others may have had the token
	p.currency = currency
	p.unlock()
}

// Price returns the price.
func (p *Prices) Price() (int, string) {
	p.lock()
	defer p.unlock()
	amount := p.amount
	currency := p.currency
	return amount, currency
}

func main() {
	prices := NewPrices()
	var wg sync.WaitGroup
	wg.Go(func() { prices.Update(3, "EUR") })
	wg.Go(func() { fmt.Println(prices.Price()) })
	wg.Wait()
}
