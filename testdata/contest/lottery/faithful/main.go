// Command lottery lets users draw numbers. Each user takes the number that the
// lottery has drawn last, shows it and records it, under a lock. But that is the
// lock of the user, which nobody else takes: another user can draw in between,
// and a user shows or records a number that is not theirs.
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
	number    int
	generated []int
	presented []int
	history   []int
}

// NewLottery returns a lottery for n users.
func NewLottery(n int) *Lottery {
	return &Lottery{generated: make([]int, n), presented: make([]int, n), history: make([]int, n)}
}

// User takes part in a lottery.
type User struct {
	mu sync.Mutex
	id int
}

// Play draws a number that nobody else has, shows it and records it.
func (l *Lottery) Play(u *User) {
	for range 100 {
		l.generate(u)
		if !slices.Contains(l.history, l.number) {
			break
		}
	}
	l.present(u)
	l.record(u)
}

func (l *Lottery) generate(u *User) {
	u.mu.Lock() // excludes nobody
	defer u.mu.Unlock()
	l.number = 1 + rand.Intn(1000)
	l.generated[u.id] = l.number
}

func (l *Lottery) present(u *User) {
	u.mu.Lock()
	defer u.mu.Unlock()
	l.presented[u.id] = l.number
}

func (l *Lottery) record(u *User) {
	u.mu.Lock()
	defer u.mu.Unlock()
	l.history[u.id] = l.number
}

// Errors counts the users whose numbers differ.
func (l *Lottery) Errors() int {
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
		wg.Add(1)
		go func() {
			defer wg.Done()
			lottery.Play(&User{id: id})
		}()
	}
	wg.Wait()
	fmt.Println(lottery.Errors(), "users have different numbers")
}
