// Command pool_put_early_fixed formats numbers in scratch objects from a pool. It puts an
// object back when it has read what it needs of it.
package main

import (
	"fmt"
	"sync"
)

// Scratch is a text and its length. It is not safe for concurrent use.
type Scratch struct {
	text   string
	length int
}

// Fill sets the text.
func (s *Scratch) Fill(text string) {
	s.text = text
	s.length = len(text)
}

// Result returns the text and its length.
func (s *Scratch) Result() (string, int) {
	text := s.text
	length := s.length
	return text, length
}

func newScratch() *Scratch { return &Scratch{} }

var pool = sync.Pool{New: func() any { return newScratch() }}

func getScratch() *Scratch { return pool.Get().(*Scratch) }

func putScratch(s *Scratch) {
	if s != nil {
		pool.Put(s)
	}
}

func format(n int) (string, int) {
	s := getScratch()
	defer putScratch(s)
	s.Fill(fmt.Sprint(n))
	return s.Result()
}

func main() {
	var wg sync.WaitGroup
	for n := range 4 {
		wg.Go(func() { fmt.Println(format(n)) })
	}
	wg.Wait()
}
