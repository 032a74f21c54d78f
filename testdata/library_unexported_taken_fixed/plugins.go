// Package plugins keeps plugins behind an interface. Options are functions of the type itself, which clients cannot call.
package plugins

import "sync"

// Plugins is what clients have.
type Plugins interface {
	Load(options ...Option) error
	Count() (names, loads int)
}

// An Option does something to plugins that are loaded.
type Option func(p *plugins) error

type plugins struct {
	mu    sync.Mutex
	names []string
	loads int
}

// New returns plugins, none of which is loaded.
func New() Plugins { return &plugins{} }

// WithAll loads what there is. It is handed over, and needs no lock.
func WithAll(p *plugins) error {
	p.names = append(p.names, "all")
	return nil
}

// Load applies options.
func (p *plugins) Load(options ...Option) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, option := range options {
		if err := option(p); err != nil {
			return err
		}
	}
	p.loads++
	return nil
}

// Count says how many there are, and how often some were loaded.
func (p *plugins) Count() (names, loads int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.names), p.loads
}
