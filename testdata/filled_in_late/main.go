// Command filled_in_late posts notes on a board, which shows the latest one. Post
// puts the note on the board before it is written: others can read half of it.
package main

import (
	"fmt"
	"sync"
)

// Note is what is on the board.
type Note struct {
	author string
	text   string
}

// Board shows the latest note.
type Board struct {
	mu     sync.Mutex
	latest *Note
}

// Post replaces the note.
func (b *Board) Post(author, text string) {
	note := &Note{}
	b.put(note)
	note.author = author // the note is on the board already
	note.text = text
}

func (b *Board) put(note *Note) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.latest = note
}

// Read returns the note.
func (b *Board) Read() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.latest == nil {
		return "nothing"
	}
	return b.latest.author + ": " + b.latest.text
}

func main() {
	board := &Board{}

	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		for i := range 3 {
			board.Post("ann", fmt.Sprint("lunch is at ", 11+i))
		}
	}()
	go func() {
		defer wg.Done()
		fmt.Println(board.Read())
	}()
	wg.Wait()
}
