// Command own_object measures texts, each in a goroutine of its own. All of
// them use one Summary, which has no lock: a report can mix the numbers of two
// texts.
package main

import (
	"fmt"
	"strings"
	"sync"
)

// Summary holds the numbers of one text. It is not safe for concurrent use.
type Summary struct {
	lines int
	words int
}

// Measure replaces the numbers by those of text.
func (s *Summary) Measure(text string) {
	s.lines = strings.Count(text, "\n") + 1
	s.words = len(strings.Fields(text))
}

// Report returns the numbers in words.
func (s *Summary) Report() string {
	lines := s.lines
	words := s.words
	return fmt.Sprintf("%d lines, %d words", lines, words)
}

func main() {
	texts := []string{"one", "one two", "one\ntwo three"}
	summary := new(Summary) // one for all goroutines

	var wg sync.WaitGroup
	for _, text := range texts {
		wg.Add(1)
		go func() {
			defer wg.Done()
			summary.Measure(text)
			fmt.Println(summary.Report())
		}()
	}
	wg.Wait()
}
