// Command busy_flag_fixed refreshes a page, unless somebody is at it.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Page is what was fetched last, and how often something was.
type Page struct {
	busy    int32
	fetched int
	text    string
}

// Refresh fetches the page. It reports whether it did.
func (p *Page) Refresh(text string) bool {
	if !atomic.CompareAndSwapInt32(&p.busy, 0, 1) {
		return false
	}
	defer atomic.StoreInt32(&p.busy, 0)
	p.fetched++
	p.text = fmt.Sprint(text, p.fetched)
	return true
}

func main() {
	p := &Page{}
	var wg sync.WaitGroup
	wg.Go(func() { p.Refresh("a") })
	wg.Go(func() { p.Refresh("b") })
	wg.Wait()
	fmt.Println(p.fetched, p.text)
}
