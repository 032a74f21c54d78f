// Command renamed has a type of its own for instants, which are a part of what a lock guards. The
// fields of an instant are those of package time: nobody here can come between them.
package main

import (
	"fmt"
	"sync"
	"time"
)

type stamp time.Time

func (s *stamp) set(t time.Time) { *s = stamp(t) }

// Door is when it was opened, and how often.
type Door struct {
	mu     sync.Mutex
	opened stamp
	times  int
}

// Open opens.
func (d *Door) Open() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.opened.set(time.Now())
	d.times++
}

// Last returns when the door was opened last, and how often it has been.
func (d *Door) Last() (time.Time, int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return time.Time(d.opened), d.times
}

func main() {
	d := &Door{}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			d.Open()
			fmt.Println(d.Last())
		})
	}
	wg.Wait()
}
