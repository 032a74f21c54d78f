// Command onto_itself_fixed pours one pot into another. If that is the same one, it
// does nothing.
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
	if to == p {
		return
	}
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
