// Package sources knows where things are in files.
package sources

import (
	"go/token"
	"sync"
)

// Sources has the files.
type Sources struct {
	set *token.FileSet

	mu   sync.Mutex
	root string
}

// New returns none.
func New() *Sources { return &Sources{set: token.NewFileSet()} }

// Add adds a file.
func (s *Sources) Add(name string, size int) {
	s.set.AddFile(name, -1, size)
}

// Find tells where something is. The set of files finds the file, lets go of its lock, and asks the file,
// which has another one.
func (s *Sources) Find(at token.Pos) token.Position {
	return s.set.Position(at)
}

// Move says in which folder they are.
func (s *Sources) Move(root string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.root = root
}
