// Command cond_value lets a printer wait until a page is complete. Its condition variable
// is part of the page, and the writer forgets to take the lock for the second field.
package main

import (
	"fmt"
	"sync"
)

// Page is a title with a text.
type Page struct {
	mu    sync.Mutex
	ready sync.Cond
	title string
	text  string
}

// Init makes the page ready for use.
func (p *Page) Init() { p.ready.L = &p.mu }

// Write fills the page.
func (p *Page) Write(title, text string) {
	p.mu.Lock()
	p.title = title
	p.mu.Unlock()
	p.text = text // without the lock
	p.ready.Signal()
}

// Print waits, and prints the page.
func (p *Page) Print() {
	p.mu.Lock()
	p.ready.Wait()
	title := p.title
	text := p.text
	p.mu.Unlock()
	fmt.Println(title, text)
}

func main() {
	p := &Page{}
	p.Init()
	go p.Print()
	p.Write("Go", "is a language")
	p.Write("Gopher", "is an animal")
}
