// Command page_locked_by_book_fixed has pages whose lock is that of the book they
// are in, which they know as an interface.
package main

import (
	"strings"
	"sync"
)

// Owner is what a page belongs to.
type Owner interface {
	Lock()
	Unlock()
}

// Book owns pages.
type Book struct {
	mu    sync.Mutex
	pages []*Page
}

// Lock implements Owner.
func (b *Book) Lock() { b.mu.Lock() }

// Unlock implements Owner.
func (b *Book) Unlock() { b.mu.Unlock() }

// Page is a text.
type Page struct {
	owner Owner
	text  string
	words int
}

// NewPage adds a page to a book.
func (b *Book) NewPage() *Page {
	page := &Page{owner: b}
	b.pages = append(b.pages, page)
	return page
}

// Write replaces the text.
func (p *Page) Write(text string) {
	p.owner.Lock()
	p.text = text
	p.count()
	p.owner.Unlock()
}

// count counts the words. The caller holds the lock.
func (p *Page) count() {
	p.words = len(strings.Fields(p.text))
}

// Blank reports whether there is a text without words.
func (p *Page) Blank() bool {
	p.owner.Lock()
	defer p.owner.Unlock()
	return p.text != "" && p.words == 0
}

func main() {
	book := &Book{}
	page := book.NewPage()
	var wg sync.WaitGroup
	wg.Go(func() { page.Write("It was a dark night") })
	wg.Go(func() { page.Write("and a stormy one") })
	wg.Go(func() {
		if page.Blank() && len(book.pages) == 0 {
			panic("nothing")
		}
	})
	wg.Wait()
}
