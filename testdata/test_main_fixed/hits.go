// Package hits counts the visits of a page and its visitors.
package hits

import "sync"

// Page is a page and what is known of it.
type Page struct {
	mu       sync.RWMutex
	visits   int
	visitors map[string]int
}

// New returns a page without visits.
func New() *Page { return &Page{visitors: map[string]int{}} }

// Visit counts a visit.
func (p *Page) Visit(who string) {
	p.mu.Lock()
	p.visits++
	p.visitors[who]++
	p.mu.Unlock()
}

// PerVisitor returns how many visits a visitor makes.
func (p *Page) PerVisitor() int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	visits := p.visits
	visitors := len(p.visitors)
	if visitors == 0 {
		return 0
	}
	return visits / visitors
}
