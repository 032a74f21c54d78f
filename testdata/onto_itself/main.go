// Command onto_itself pours one pot into another, which may be the same one: it is
// empty for a moment then, and the other goroutine can see that.
package main

import (
	"fmt"
	"sync"
)

// Pot holds something.
type Pot struct {
	mu     sync.Mutex
	amount int
}

// PourInto moves all to another pot.
func (p *Pot) PourInto(to *Pot) {
	n := p.empty()
	to.add(n)
}

func (p *Pot) empty() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.amount
	p.amount = 0
	return n
}

func (p *Pot) add(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.amount += n
}

// Amount returns how much is in the pot.
func (p *Pot) Amount() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.amount
}

func main() {
	pot := &Pot{amount: 5}

	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		pot.PourInto(pot)
	}()
	go func() {
		defer wg.Done()
		fmt.Println(pot.Amount())
	}()
	wg.Wait()
}
