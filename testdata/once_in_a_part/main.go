// Command once_in_a_part has a board with the latest page, and counts its readers. Each page
// tells once that it has a reader, by a sync.Once of its own: that is no part of the board.
package main

import (
	"fmt"
	"sync"
)

// Page is what is read.
type Page struct {
	seen  sync.Once
	title string
}

// Board has the latest page.
type Board struct {
	mu      sync.Mutex
	latest  *Page
	readers int
}

// Publish replaces the page, and returns how many readers there were.
func (b *Board) Publish(p *Page) int {
	b.mu.Lock()
	b.latest = p
	b.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.readers
}

// Read reads the latest page, and counts the reader.
func (b *Board) Read() string {
	b.mu.Lock()
	p := b.latest
	b.mu.Unlock()
	p.seen.Do(func() { fmt.Println("the first reader") })
	b.mu.Lock()
	b.readers++
	b.mu.Unlock()
	return p.title
}

func main() {
	board := &Board{latest: &Page{title: "none"}}
	done := make(chan bool)
	go func() {
		board.Publish(&Page{title: "news"})
		done <- true
	}()
	fmt.Println(board.Read())
	<-done
}
