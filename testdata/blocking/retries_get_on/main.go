// Command retries_get_on has goroutines that try again, and do not hinder each other for ever: one of two waits where the
// other one tries; one is hindered by who comes again and again, but does not try itself; two give up.
package main

import (
	"fmt"
	"sync"
)

type pair struct{ first, second sync.Mutex }

func (p *pair) try(text string) {
	for {
		p.first.Lock()
		if p.second.TryLock() {
			break
		}
		p.first.Unlock()
	}
	fmt.Println(text)
	p.second.Unlock()
	p.first.Unlock()
}

func (p *pair) wait() {
	p.second.Lock()
	p.first.Lock()
	p.first.Unlock()
	p.second.Unlock()
}

func (p *pair) use() {
	for range 3 {
		p.second.Lock()
		fmt.Println("used")
		p.second.Unlock()
	}
}

func try(own, other *sync.Mutex) bool {
	for range 3 {
		own.Lock()
		if other.TryLock() {
			other.Unlock()
			own.Unlock()
			return true
		}
		own.Unlock()
	}
	return false
}

func main() {
	var waited, used, given pair
	var all sync.WaitGroup
	all.Add(3)
	go func() {
		defer all.Done()
		waited.wait()
	}()
	waited.try("beside who waits")
	go func() {
		defer all.Done()
		used.use()
	}()
	used.try("beside who comes again")
	go func() {
		defer all.Done()
		try(&given.first, &given.second)
	}()
	try(&given.second, &given.first)
	all.Wait()
}
