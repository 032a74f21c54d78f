// Command owned_tree_fixed has an index, a tree of another package with its size; the words of
// a line are sorted by a tree of their own.
package main

import (
	"fmt"
	"sync"

	"github.com/empire-go/empire-go/testdata/owned_tree_fixed/trees"
)

// Index is words, and how many.
type Index struct {
	mu    sync.Mutex
	words trees.Tree
	size  int
}

// Add adds a word.
func (i *Index) Add(word string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.words.Insert(word)
	i.size++
}

// Check tells whether the size is right.
func (i *Index) Check() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	n := 0
	i.words.Walk(func(string) { n++ })
	return n == i.size
}

func sortLine(words ...string) {
	var line trees.Tree
	for _, word := range words {
		line.Insert(word)
	}
	line.Walk(func(word string) { fmt.Println(word) })
}

func main() {
	i := &Index{}
	var done sync.WaitGroup
	done.Go(func() { i.Add("a") })
	done.Go(func() { fmt.Println(i.Check()) })
	done.Go(func() { sortLine("c", "b") })
	done.Go(func() { sortLine("e", "d") })
	done.Wait()
}
