// Command map_tickets keeps what is pending in a map, by numbers that it gives out. When nothing is
// pending it begins to count anew, though somebody may still have his number.
package main

import (
	"fmt"
	"sync"
)

// Pending is the calls that wait for an answer.
type Pending struct {
	mu    sync.Mutex
	next  int
	calls map[int]string
}

// Reset begins anew.
func (p *Pending) Reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next = 0
}

// Do sends a call, and takes it out of the map when it is answered.
func (p *Pending) Do(name string) string {
	p.mu.Lock()
	id := p.next
	p.next++
	p.calls[id] = name
	p.mu.Unlock()

	answer := fmt.Sprint("answer ", id)

	p.mu.Lock()
	defer p.mu.Unlock()
	name = p.calls[id]
	delete(p.calls, id)
	return name + answer
}

func main() {
	p := &Pending{calls: map[int]string{}}
	var wg sync.WaitGroup
	for _, name := range []string{"a", "b", "c"} {
		wg.Go(func() { fmt.Println(p.Do(name)) })
	}
	p.Reset()
	wg.Wait()
}
