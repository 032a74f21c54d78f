// Command service_loop_helper has a goroutine that takes orders and hands them on. While some
// wait, it does so in a function of its own. Each order is a unit of work, and to hand one on
// takes two critical sections.
package main

import "sync"

// Desk counts the orders that wait, and those that were handed on.
type Desk struct {
	mu     sync.Mutex
	open   int
	handed int
	orders []int // of the goroutine that serves
}

// Serve takes orders, and hands them on.
func (d *Desk) Serve(in <-chan int, out chan<- int) {
	defer close(out)
	for {
		if len(d.orders) > 0 {
			if !d.handOn(in, out) {
				return
			}
			continue
		}
		n, ok := <-in
		if !ok {
			return
		}
		d.take(n)
	}
}

// take notes an order.
func (d *Desk) take(n int) {
	d.orders = append(d.orders, n)
	d.mu.Lock()
	d.open++
	d.mu.Unlock()
}

// handOn waits for an order, or for somebody who wants the first one.
func (d *Desk) handOn(in <-chan int, out chan<- int) bool {
	select {
	case n, ok := <-in:
		if !ok {
			return false
		}
		d.take(n)
	case out <- d.orders[0]:
		d.orders = d.orders[1:]
		d.mu.Lock()
		d.open--
		d.mu.Unlock()
		d.mu.Lock() // between the two, the order is in neither
		d.handed++
		d.mu.Unlock()
	}
	return true
}

// Total returns how many orders there have ever been.
func (d *Desk) Total() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	total := d.open
	total += d.handed
	return total
}

func main() {
	d := &Desk{}
	in, out := make(chan int), make(chan int)
	go d.Serve(in, out)
	in <- 2
	in <- 3
	println(<-out)
	println(d.Total())
	close(in)
}
