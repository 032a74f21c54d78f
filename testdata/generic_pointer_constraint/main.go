// Command generic_pointer_constraint resets objects by the method of a pointer constraint.
package main

import "sync"

// Pair is two numbers that belong together.
type Pair struct {
	mu   sync.Mutex
	a, b int
}

func (p *Pair) Reset(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.a = n
	p.b = n
}

func (p *Pair) Get() (int, int) {
	p.mu.Lock()
	a := p.a
	p.mu.Unlock()
	p.mu.Lock() // the pair may be reset here
	b := p.b
	p.mu.Unlock()
	return a, b
}

// resetter is a pointer to T with a method Reset.
type resetter[T any] interface {
	*T
	Reset(int)
}

// fresh returns a new T that has been reset.
func fresh[T any, P resetter[T]](n int) P {
	p := P(new(T))
	p.Reset(n)
	return p
}

func reset[T any, P resetter[T]](p P, n int) { p.Reset(n) }

func main() {
	p := fresh[Pair](1)
	var wg sync.WaitGroup
	wg.Go(func() { reset(p, 2) })
	wg.Go(func() { println(p.Get()) })
	wg.Wait()
}
