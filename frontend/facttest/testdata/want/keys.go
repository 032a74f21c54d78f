package main

import (
	"strconv"
	"sync"
	"sync/atomic"
)

type part struct{ n int }

// T is the checked type.
type T struct {
	mu     sync.Mutex
	byID   map[int]int
	byName map[string]int
	byPart map[*part]int
	next   int
	reset  int
	loose  int
	spent  int
	count  atomic.Int64
	cycle  atomic.Int64
	early  int
}

func (t *T) put(id int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byID[id]++
}

// A counter that only grows, under the lock, gives out tickets.
func (t *T) ticket() {
	t.mu.Lock()
	id := t.next // want "is made once"
	t.next++
	t.mu.Unlock()
	t.put(id)
}

func (t *T) returned() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next++
	return t.next
}

func (t *T) called() { t.put(t.returned()) } // want "is made once"

// One that is set back does not.
func (t *T) again() {
	t.mu.Lock()
	id := t.reset // not "is made once"
	t.reset++
	if id > 100 {
		t.reset = 0
	}
	t.mu.Unlock()
	t.put(id)
}

// Nor does one that is read in one section, and grows in another.
func (t *T) twoSections() {
	t.mu.Lock()
	id := t.loose // not "is made once"
	t.mu.Unlock()
	t.mu.Lock()
	t.loose++
	t.mu.Unlock()
	t.put(id)
}

// Nor one that may not grow, because of a panic between.
func (t *T) panics() {
	t.mu.Lock()
	defer t.mu.Unlock()
	id := t.spent // not "is made once"
	t.byID[id]++
	t.spent++
}

// Atomic additions give out tickets, unless something is stored, too.
func (t *T) added() { t.put(int(t.count.Add(1))) } // want "is made once"

func (t *T) goesRound() {
	t.put(int(t.cycle.Add(1))) // not "is made once"
	t.cycle.Store(0)
}

// Nor does one that is set back before others have the object, but after the first ticket.
func (t *T) begun() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	id := t.early // not "is made once"
	t.early++
	t.byID[id]++
	return id
}

// A new object is a key that nobody else has.
func (t *T) made() {
	p := &part{} // want "is made once"
	t.mu.Lock()
	t.byPart[p] = 1
	delete(t.byPart, p)
	t.mu.Unlock()
}

// A number in digits is made of its ticket, not by itself.
func (t *T) named() {
	t.mu.Lock()
	t.byName[strconv.Itoa(t.next)] = 1 // not "is made once"
	t.mu.Unlock()
}

func main() {
	t := &T{byID: map[int]int{}, byName: map[string]int{}, byPart: map[*part]int{}}
	t.begun()
	t.early = 0
	go t.begun()
	go t.ticket()
	go t.called()
	go t.again()
	go t.twoSections()
	go t.panics()
	go t.added()
	go t.goesRound()
	go t.made()
	go t.named()
	for i := range 3 {
		go t.put(i) // want "is made once"
	}
	for i := range 4 {
		go t.put(i / 2) // not "is made once"
	}
}
