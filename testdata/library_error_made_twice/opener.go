// Package opener opens what is not there.
package opener

import (
	"io/fs"
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
// which are equal.
func (o *Opener) Open() error {
	o.mu.Lock()
	why := o.why
	o.mu.Unlock()
	if why == nil {
		why = &fs.PathError{Op: "open", Path: "missing", Err: fs.ErrNotExist}
		o.mu.Lock()
		o.why = why
		o.mu.Unlock()
	}
	return why
}
