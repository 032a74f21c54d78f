// Command syncbench is after the kernel of the Java Grande suite that measures how long it takes to synchronise: many
// goroutines add to a counter, in a method that has the lock of its object, and in a section that has the lock of
// another object. Each adds to its own tally as well. What has been counted is compared in the end, and while they are at
// work somebody looks at both counters, each under its lock.
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

const goroutines = 15

// method is a counter whose methods have its lock.
type method struct {
	mu    sync.Mutex
	count int
}

func (m *method) add() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.count++
}

func (m *method) get() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.count
}

// section is a counter that is used under a lock of somebody else.
type section struct{ count int }

// bench is what goroutines share.
type bench struct {
	method  method
	lock    sync.RWMutex
	section section
	tally   [goroutines]int
}

// run adds to both counters.
func (b *bench) run(id, times int) {
	for range times {
		//empire:yield
		b.method.add()
		b.tally[id]++
	}
	for range times {
		//empire:yield
		b.lock.Lock()
		b.section.count++
		b.lock.Unlock()
		b.tally[id]++
	}
}

// look looks at the counters until all has been counted, and returns whether they never went back.
func (b *bench) look(all int) bool {
	methods, sections := 0, 0
	for {
		//empire:yield
		m := b.method.get()
		//empire:yield
		b.lock.RLock()
		s := b.section.count
		b.lock.RUnlock()
		if m < methods || s < sections {
			return false
		}
		if methods, sections = m, s; methods == all && sections == all {
			return true
		}
	}
}

func main() {
	times := 1000
	if len(os.Args) > 1 {
		n, err := strconv.Atoi(os.Args[1])
		if err != nil || n < 1 {
			fmt.Fprintln(os.Stderr, "how often each adds must be a number above 0")
			os.Exit(2)
		}
		times = n
	}
	b := &bench{}
	var end sync.WaitGroup
	for id := range goroutines {
		//empire:yield
		end.Go(func() { b.run(id, times) })
	}
	forward := b.look(goroutines * times)
	end.Wait()
	total := 0
	for id := range goroutines {
		total += b.tally[id]
	}
	if !forward || total != 2*goroutines*times {
		fmt.Println("it was counted wrong:", total)
		os.Exit(1)
	}
	fmt.Println(goroutines, "goroutines have counted to", total)
}
