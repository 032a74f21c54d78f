// Command done_in_helper_fixed counts words. A helper says that a goroutine is done; main waits
// for the first goroutines, and for the last one.
package main

import "sync"

// Text is a number of words and lines.
type Text struct {
	words int
	lines int
}

// Count counts a line.
func (t *Text) Count(words int) {
	t.words += words
	t.lines++
}

// IsEmpty tells whether there are neither words nor lines.
func (t *Text) IsEmpty() bool {
	words := t.words
	lines := t.lines
	return words == 0 && lines == 0
}

func count(t *Text, wg *sync.WaitGroup) {
	defer finished(wg)
	t.Count(3)
}

func finished(wg *sync.WaitGroup) { wg.Done() }

func main() {
	t := &Text{}
	var wg sync.WaitGroup
	wg.Add(1)
	go count(t, &wg)
	wg.Wait()
	wg.Add(1)
	go count(t, &wg)
	wg.Wait()
	if t.IsEmpty() {
		panic("empty")
	}
}
