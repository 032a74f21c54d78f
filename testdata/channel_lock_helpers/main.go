// Command channel_lock_helpers keeps a ledger behind a channel of capacity one: who has
// sent to it may use the ledger. The two operations are in helper methods, and a mutex of
// the package, for the labels, is in helper functions. Correct lets go between its steps.
package main

import (
	"fmt"
	"sync"
)

// Ledger is a list of entries with their total.
type Ledger struct {
	busy    chan struct{}
	entries int
	total   int
}

func (l *Ledger) lock()   { l.busy <- struct{}{} }
func (l *Ledger) unlock() { <-l.busy }

// Correct sets the number of entries and their total.
func (l *Ledger) Correct(entries, total int) {
	l.lock()
	l.entries = entries
	l.unlock()

	l.lock() // others may have been here
	l.total = total
	l.unlock()
}

// Sum returns the number of entries and their total.
func (l *Ledger) Sum() (int, int) {
	l.lock()
	defer l.unlock()
	entries := l.entries
	total := l.total
	return entries, total
}

// Label is a text with its width.
type Label struct {
	text  string
	width int
}

var labels sync.Mutex

func lockLabels()   { labels.Lock() }
func unlockLabels() { labels.Unlock() }

// Set sets the text.
func (l *Label) Set(text string) {
	lockLabels()
	l.text = text
	unlockLabels()

	lockLabels() // others may have been here
	l.width = len(text)
	unlockLabels()
}

// Get returns the text and its width.
func (l *Label) Get() (string, int) {
	lockLabels()
	defer unlockLabels()
	text := l.text
	width := l.width
	return text, width
}

func main() {
	ledger := &Ledger{busy: make(chan struct{}, 1)}
	label := &Label{}
	var wg sync.WaitGroup
	wg.Go(func() { ledger.Correct(1, 3) })
	wg.Go(func() { fmt.Println(ledger.Sum()) })
	wg.Go(func() { label.Set("total") })
	wg.Go(func() { fmt.Println(label.Get()) })
	wg.Wait()
}
