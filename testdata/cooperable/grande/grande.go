// Package grande has what kernels of the Java Grande suite have in common: their random numbers, a barrier, shares of
// the work, and the values that the suite publishes.
package grande

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"sync"
)

// Goroutines share the work of each kernel.
const Goroutines = 4

// Random is the linear congruential generator of 48 bits that the suite takes from its language.
type Random struct{ state uint64 }

const (
	multiplier = 0x5DEECE66D
	increment  = 0xB
	mask       = 1<<48 - 1
)

// NewRandom begins with a seed.
func NewRandom(seed uint64) *Random { return &Random{(seed ^ multiplier) & mask} }

func (r *Random) bits(n uint) uint64 {
	r.state = (r.state*multiplier + increment) & mask
	return r.state >> (48 - n)
}

// Int32 is any number of 32 bits.
func (r *Random) Int32() int32 { return int32(r.bits(32)) }

// Float64 is a number from 0 to 1 with 53 random bits.
func (r *Random) Float64() float64 {
	high := r.bits(26)
	return float64(high<<27+r.bits(27)) / (1 << 53)
}

// Barrier lets goroutines go on when all have come.
type Barrier struct {
	mu            sync.Mutex
	all           *sync.Cond
	waiting, left int
	round         int
}

// NewBarrier is for so many goroutines.
func NewBarrier(n int) *Barrier {
	b := &Barrier{left: n}
	b.all = sync.NewCond(&b.mu)
	return b
}

// Wait waits until all have come.
func (b *Barrier) Wait() {
	//empire:yield
	round := b.come()
	//empire:yield
	b.pass(round)
}

// come counts one more, and returns the number of the round. With the last one the next round begins.
func (b *Barrier) come() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	round := b.round
	b.waiting++
	if b.waiting == b.left {
		b.waiting = 0
		b.round++
		b.all.Broadcast()
	}
	return round
}

// pass waits for the next round.
func (b *Barrier) pass(round int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for round == b.round {
		b.all.Wait()
	}
}

// Each runs a share of the work in each goroutine, and waits for them.
func Each(work func(id int)) {
	var all sync.WaitGroup
	for id := range Goroutines {
		all.Go(func() { work(id) })
	}
	all.Wait()
}

// Share is the part of n things, from first to before end, that a goroutine has.
func Share(id, n int) (first, end int) { return id * n / Goroutines, (id + 1) * n / Goroutines }

// Size is the first argument, or the size of class A.
func Size(a int) int {
	if len(os.Args) < 2 {
		return a
	}
	n, err := strconv.Atoi(os.Args[1])
	if err != nil || n < 1 {
		fmt.Fprintln(os.Stderr, "the size must be a number above 0")
		os.Exit(2)
	}
	return n
}

// Compare ends with status 1 if a value is not what the suite publishes, for its class A.
func Compare(isA bool, what string, got, published, tolerance float64) {
	if isA && !(math.Abs(got-published) <= tolerance) {
		fmt.Println(what, "is", got, "and not", published)
		os.Exit(1)
	}
	fmt.Println(what, got)
}
