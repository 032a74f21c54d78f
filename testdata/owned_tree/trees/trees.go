// Package trees has search trees.
package trees

// Tree is words in order. Its zero value is empty.
type Tree struct{ root *node }

type node struct {
	word        string
	left, right *node
}

// Insert inserts a word.
func (t *Tree) Insert(word string) { t.root = insert(t.root, word) }

func insert(n *node, word string) *node {
	if n == nil {
		return &node{word: word}
	}
	if word < n.word {
		n.left = insert(n.left, word)
	} else {
		n.right = insert(n.right, word)
	}
	return n
}

// Walk calls do for each word.
func (t *Tree) Walk(do func(string)) { t.root.walk(do) }

func (n *node) walk(do func(string)) {
	if n == nil {
		return
	}
	n.left.walk(do)
	do(n.word)
	n.right.walk(do)
}
