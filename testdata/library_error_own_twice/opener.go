// Package opener opens what is not there.
package opener

import (
	"sync"
)

// Opener remembers why it could not open.
type Opener struct {
	mu  sync.Mutex
	why error
}

// New returns an opener.
func New() *Opener { return &Opener{} }

// Open fails, each time for the same reason. The reason is made outside of the lock, and two calls may make two,
// of which callers may change one.
func (o *Opener) Open() error {
	o.mu.Lock()
	why := o.why
	o.mu.Unlock()
	if why == nil {
		why = &Missing{Path: "missing"}
		o.mu.Lock()
		o.why = why
		o.mu.Unlock()
	}
	return why
}

// Missing is an error with a note that callers may write.
type Missing struct{ Path, Note string }

// Error returns it in words.
func (m *Missing) Error() string { return "missing: " + m.Path + m.Note }
