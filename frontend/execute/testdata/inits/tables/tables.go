// Package tables has variables that depend on each other, and on functions that set some.
package tables

import "strings"

var (
	// Words are words.
	Words = strings.Fields(text)
	text  = "a b " + last()
	index = map[string]int{}
	// Count counts what init has seen.
	Count int
)

func last() string { return "c" }

func init() {
	for i, w := range Words {
		index[w] = i
		Count++
	}
}

func init() {
	Words = append(Words, "d")
	Count *= 10
}

// Index returns the index of a word, or -1.
func Index(word string) int {
	if i, ok := index[word]; ok {
		return i
	}
	return -1
}
