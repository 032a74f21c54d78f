// Package page is a library that calls functions of its clients, which may use it, too.
package page

import "sync"

// Page is a title and a text.
type Page struct {
	mu    sync.Mutex
	title string
	text  string
}

// Set changes both.
func (p *Page) Set(title, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.title, p.text = title, text
}

// Text returns the text.
func (p *Page) Text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text
}

// Print returns the title, and the text as a function renders it that may ask for the text.
func (p *Page) Print(render func() string) string {
	p.mu.Lock()
	title := p.title
	p.mu.Unlock()
	return title + render() // BUG: that may be the text below a later title
}
