// Command channel_done_early_fixed waits for a goroutine by a channel that it closes.
package main

import "fmt"

// Summary is the number of lines and of words.
type Summary struct {
	lines int
	words int
}

// Count fills the summary in.
func (s *Summary) Count(lines, words int, done chan<- struct{}) {
	defer close(done)
	s.lines = lines
	s.words = words
}

// String describes the summary.
func (s *Summary) String() string {
	lines := s.lines
	words := s.words
	return fmt.Sprint(lines, " lines, ", words, " words")
}

func main() {
	s := &Summary{}
	done := make(chan struct{})
	go s.Count(10, 70, done)
	<-done
	fmt.Println(s.String())
}
