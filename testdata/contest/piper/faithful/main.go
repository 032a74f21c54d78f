// Command piper fills a plane with passengers and empties it. A producer that finds
// the plane full waits until somebody leaves. But it looks with if, not with for:
// when it wakes up, the seat may be taken again, and it puts its passenger there
// all the same.
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
	if p.last-p.first == seats {
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
	var wg sync.WaitGroup
	for _, name := range []string{"ann", "bob", "cleo"} {
		wg.Add(2)
		go func() {
			defer wg.Done()
			for i := range 5 {
				plane.Enter(fmt.Sprint(name, " ", i))
			}
		}()
		go func() {
			defer wg.Done()
			for range 5 {
				fmt.Println(plane.Leave())
			}
		}()
	}
	wg.Wait()
}
