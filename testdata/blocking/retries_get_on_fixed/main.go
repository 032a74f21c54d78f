// Command retries_get_on_fixed waits for both locks, in one order.
package main

import (
	"fmt"
	"sync"
)

type pair struct{ first, second sync.Mutex }

func (p *pair) both(text string) {
	p.first.Lock()
	p.second.Lock()
	fmt.Println(text)
	p.second.Unlock()
	p.first.Unlock()
}

func main() {
	var p pair
	var all sync.WaitGroup
	all.Add(1)
	go func() {
		defer all.Done()
		p.both("one")
	}()
	p.both("the other")
	all.Wait()
}
