// Command piper fills a plane with passengers and empties it. Every access holds the
// lock. But a producer looks for a seat in one critical section, again and again,
// and takes it in another: somebody else may be there by then, and is overwritten.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

const seats = 2

// Plane is a ring of seats.
type Plane struct {
	mu         sync.Mutex
	passengers [seats]string
	first      int // number of the passenger who leaves next
	last       int // number of the passenger who enters next
}

// NewPlane returns an empty plane.
func NewPlane() *Plane {
	return &Plane{}
}

// Enter adds a passenger when there is a seat.
func (p *Plane) Enter(name string) {
	for p.full() {
		runtime.Gosched()
	}
	p.add(name)
}

func (p *Plane) full() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last-p.first >= seats
}

func (p *Plane) add(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.passengers[p.last%seats] = name
	p.last++
}

// Leave removes a passenger, if there is one.
func (p *Plane) Leave() (name string, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last == p.first {
		return "", false
	}
	name = p.passengers[p.first%seats]
	p.first++
	return name, true
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
			for left := 0; left < 5; {
				if name, ok := plane.Leave(); ok {
					fmt.Println(name)
					left++
				} else {
					runtime.Gosched()
				}
			}
		}()
	}
	wg.Wait()
}
