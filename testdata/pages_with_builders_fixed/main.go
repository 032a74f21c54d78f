// Command pages_with_builders_fixed writes two pages at a time, with a
// strings.Builder and a lock for each.
package main

import (
	"strings"
	"sync"
)

// Page is being written, and knows how long it is.
type Page struct {
	mu     sync.Mutex
	body   strings.Builder
	length int
}

// Add adds a sentence.
func (p *Page) Add(sentence string) {
	p.mu.Lock()
	p.body.WriteString(sentence)
	p.measure()
	p.mu.Unlock()
}

// measure sets the length. The caller holds the lock.
func (p *Page) measure() {
	p.length = p.body.Len()
}

// Complete reports whether the length is right.
func (p *Page) Complete() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := p.body.String()
	return len(text) == p.length
}

func main() {
	var front Page
	back := Page{}
	var wg sync.WaitGroup
	for _, sentence := range []string{"It works. ", "Try it. "} {
		wg.Go(func() { front.Add(sentence) })
		wg.Go(func() { back.Add(sentence + sentence) })
	}
	wg.Go(func() {
		if !front.Complete() && back.Complete() {
			front.Add("The front page is late. ")
		}
	})
	wg.Wait()
}
