// Command elevator lets lifts serve floors at which people have pressed a button. A lift claims a floor in one step.
package main

import (
	"fmt"
	"sync"
)

const (
	floors = 4
	lifts  = 3
	rounds = 400
)

type floor struct {
	mu      sync.Mutex
	pressed bool
	claimed int // the lift that serves it; 0: none
	served  int
}

type building struct {
	floors [floors]*floor
	wg     sync.WaitGroup
}

func (f *floor) press() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pressed = true
}

func (f *floor) claim(lift int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.pressed && f.claimed == 0 {
		f.claimed = lift
		return true
	}
	return false
}

func (f *floor) serve() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pressed, f.claimed = false, 0
	f.served++
}

func (b *building) lift(number int) {
	defer b.wg.Done()
	for i := range rounds {
		f := b.floors[i%floors]
		//empire:yield
		if f.claim(number) {
			//empire:yield
			f.serve()
		}
	}
}

func (b *building) people() {
	defer b.wg.Done()
	for i := range rounds {
		//empire:yield
		b.floors[i%floors].press()
	}
}

func main() {
	b := &building{}
	for i := range b.floors {
		b.floors[i] = &floor{pressed: true}
	}
	b.wg.Add(lifts + 1)
	for i := range lifts {
		//empire:yield
		go b.lift(i + 1)
	}
	//empire:yield
	go b.people()
	b.wg.Wait()
	fmt.Println("all floors served")
}
