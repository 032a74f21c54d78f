// Command recursion adds up the expenses of two departments. A sync.Mutex
// cannot be locked twice, so Add takes the lock at each level of its recursion
// and lets go of it before it goes deeper: the number and the sum of the
// expenses do not change together.
package main

import (
	"fmt"
	"sync"
)

// Expense is an item in a list of expenses.
type Expense struct {
	amount int
	next   *Expense
}

// Ledger keeps the number of expenses and their sum.
type Ledger struct {
	mu    sync.Mutex
	count int
	sum   int
}

// Add adds all expenses of a list.
func (l *Ledger) Add(e *Expense) {
	if e == nil {
		return
	}
	l.mu.Lock()
	l.count++
	l.mu.Unlock()

	l.Add(e.next)

	l.mu.Lock()
	l.sum += e.amount
	l.mu.Unlock()
}

// Totals returns the number of expenses and their sum.
func (l *Ledger) Totals() (count, sum int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count, l.sum
}

func main() {
	ledger := &Ledger{}
	research := &Expense{120, &Expense{80, &Expense{amount: 45}}}
	sales := &Expense{300, &Expense{amount: 15}}

	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		ledger.Add(research)
	}()
	go func() {
		defer wg.Done()
		ledger.Add(sales)
	}()
	wg.Wait()

	fmt.Println(ledger.Totals())
}
