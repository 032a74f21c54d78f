package harm

import (
	"math/rand"
	"sync"
)

// Door closes its channel without asking who else does.
type Door struct {
	mu     sync.Mutex
	closed bool
	done   chan bool
}

func NewDoor() *Door { return &Door{done: make(chan bool)} }

func (d *Door) Close() {
	d.mu.Lock()
	closed := d.closed
	d.mu.Unlock()
	if !closed {
		close(d.done)
		d.mu.Lock()
		d.closed = true
		d.mu.Unlock()
	}
}

// DoorFixed asks in the section in which it closes.
type DoorFixed struct {
	mu     sync.Mutex
	closed bool
	done   chan bool
}

func NewDoorFixed() *DoorFixed { return &DoorFixed{done: make(chan bool)} }

func (d *DoorFixed) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.closed {
		close(d.done)
		d.closed = true
	}
}

// Pair takes its locks in two orders.
type Pair struct {
	left, right sync.Mutex
	a, b        int
}

func (p *Pair) Right() {
	p.left.Lock()
	defer p.left.Unlock()
	p.right.Lock()
	defer p.right.Unlock()
	p.a, p.b = p.b, p.a+1
}

func (p *Pair) Left() {
	p.right.Lock()
	defer p.right.Unlock()
	p.left.Lock()
	defer p.left.Unlock()
	p.a, p.b = p.b, p.a+1
}

// Tickets hands out random numbers, in two critical sections that need not be one; and each has a
// goroutine that notes it.
type Tickets struct {
	mu    sync.Mutex
	all   map[int]bool
	given int
	noted sync.WaitGroup
}

func NewTickets() *Tickets { return &Tickets{all: map[int]bool{}} }

func (t *Tickets) Take() {
	n := rand.Int()
	t.mu.Lock()
	t.all[n] = true
	t.mu.Unlock()
	t.noted.Add(1)
	go func() {
		defer t.noted.Done()
		t.mu.Lock()
		t.given++
		t.mu.Unlock()
	}()
}

// Crash gives back a lock that it does not have when two are at it.
type Crash struct {
	mu, gate sync.Mutex
	open     bool
	passed   int
}

func (c *Crash) Pass() {
	c.mu.Lock()
	open := c.open
	c.mu.Unlock()
	if !open {
		c.mu.Lock()
		c.open = true
		c.mu.Unlock()
		c.gate.TryLock()
		c.passed++
		c.gate.Unlock()
	}
}
