// Command lottery lets users draw numbers. A user holds the lock of the lottery
// from the drawing to the record.
package main

import (
	"fmt"
	"math/rand"
	"slices"
	"sync"
)

// Lottery knows the number drawn last, and what was done with the numbers of each
// user.
type Lottery struct {
	mu        sync.Mutex
	number    int
	generated []int
	presented []int
	history   []int
}

// NewLottery returns a lottery for n users.
func NewLottery(n int) *Lottery {
	return &Lottery{generated: make([]int, n), presented: make([]int, n), history: make([]int, n)}
}

// Play draws a number that nobody else has, shows it and records it.
func (l *Lottery) Play(id int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for range 100 {
		l.generate(id)
		if !slices.Contains(l.history, l.number) {
			break
		}
	}
	l.presented[id] = l.number
	l.history[id] = l.number
}

// generate draws a number. The caller holds the lock.
func (l *Lottery) generate(id int) {
	l.number = 1 + rand.Intn(1000)
	l.generated[id] = l.number
}

// Errors counts the users whose numbers differ.
func (l *Lottery) Errors() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for id := range l.generated {
		if l.generated[id] != l.presented[id] || l.presented[id] != l.history[id] {
			n++
		}
	}
	return n
}

func main() {
	const users = 33
	lottery := NewLottery(users)
	var wg sync.WaitGroup
	for id := range users {
		wg.Go(func() { lottery.Play(id) })
	}
	wg.Wait()
	fmt.Println(lottery.Errors(), "users have different numbers")
}
