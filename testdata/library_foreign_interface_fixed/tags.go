// Package tags is a library whose only type is behind an interface of package flag.
package tags

import (
	"errors"
	"flag"
	"fmt"
	"sync"
)

// New returns a flag that can be given several times.
func New() flag.Value { return &tags{} }

type tags struct {
	mu    sync.Mutex
	names []string
	size  int // of all names
}

// Set adds a name and its size.
func (t *tags) Set(name string) error {
	if name == "" {
		return errors.New("a tag has a name")
	}
	t.mu.Lock()
	t.names = append(t.names, name)
	t.size += len(name)
	t.mu.Unlock()
	return nil
}

func (t *tags) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return fmt.Sprint(len(t.names), " tags, ", t.size, " bytes")
}
