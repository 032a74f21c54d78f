// Command piper fills a plane with passengers and empties it. Who finds the plane
// full or empty waits, and looks again after each change.
package main

import (
	"fmt"
	"sync"
)

const seats = 2

// Plane is a ring of seats.
type Plane struct {
	mu         sync.Mutex
	changed    *sync.Cond
	passengers [seats]string
	first      int // number of the passenger who leaves next
	last       int // number of the passenger who enters next
}

// NewPlane returns an empty plane.
func NewPlane() *Plane {
	p := &Plane{}
	p.changed = sync.NewCond(&p.mu)
	return p
}

// Enter adds a passenger when there is a seat.
func (p *Plane) Enter(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.last-p.first == seats {
		p.changed.Wait()
	}
	p.passengers[p.last%seats] = name
	p.last++
	p.changed.Broadcast()
}

// Leave removes a passenger when there is one.
func (p *Plane) Leave() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.last == p.first {
		p.changed.Wait()
	}
	name := p.passengers[p.first%seats]
	p.first++
	p.changed.Broadcast()
	return name
}

func main() {
	plane := NewPlane()
	names := make(chan string)
	var wg sync.WaitGroup
	for _, name := range []string{"ann", "bob", "cleo"} {
		wg.Go(func() {
			for i := range 5 {
				plane.Enter(fmt.Sprint(name, " ", i))
			}
		})
		wg.Go(func() {
			for range 5 {
				names <- plane.Leave()
			}
		})
	}
	go func() {
		wg.Wait()
		close(names)
	}()

	left := map[string]bool{}
	for name := range names {
		left[name] = true
	}
	fmt.Println(len(left), "of 15 passengers arrived")
}
