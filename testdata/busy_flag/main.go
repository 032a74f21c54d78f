// Command busy_flag refreshes a page, unless somebody is at it.
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

// Cancel lets others refresh, though somebody may still be at it.
func (p *Page) Cancel() {
	atomic.StoreInt32(&p.busy, 0)
}

func main() {
	p := &Page{}
	var wg sync.WaitGroup
	wg.Go(func() { p.Refresh("a") })
	wg.Go(func() { p.Refresh("b") })
	wg.Go(p.Cancel)
	wg.Wait()
	fmt.Println(p.fetched, p.text)
}
