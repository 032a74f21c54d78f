// Command map_type counts which words occur. The words are a map type, whose methods
// have receivers of both kinds.
package main

import (
	"fmt"
	"strings"
	"sync"
)

// words is a set of words.
type words map[string]bool

// read adds the words of a text.
func (w words) read(text string) { w.add(strings.Fields(text)...) }

// add adds some words.
func (w *words) add(all ...string) {
	for _, word := range all {
		(*w)[word] = true
	}
}

// Index is the words of several texts.
type Index struct {
	mu    sync.Mutex
	words *words
}

// Read adds the words of a text, unless there are many already.
func (x *Index) Read(text string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(*x.words) < 100 {
		x.words.read(text)
	}
}

func main() {
	index := &Index{words: &words{}}
	texts := []string{"a rose is a rose", "to be or not to be"}
	var wg sync.WaitGroup
	for _, text := range texts {
		wg.Add(1)
		go func() {
			defer wg.Done()
			own := &words{} // nobody else has it
			own.read(text)
			if len(*own) > 1 {
				index.Read(text)
			}
		}()
	}
	wg.Wait()
	fmt.Println(len(*index.words)) // 7
}
