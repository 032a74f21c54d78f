// Package ring is a library that keeps keys.
package ring

import (
	"bytes"
	"errors"
	"sync"

	"github.com/empire-go/empire-go/testdata/library_key_ring/registry"
	_ "github.com/empire-go/empire-go/testdata/library_key_ring/suites"
)

// A Ring keeps keys, each once.
type Ring struct {
	mu       sync.Mutex
	keys     [][]byte // each once
	strength int
}

// New returns a ring with a first key.
func New(primary []byte) (*Ring, error) {
	r := &Ring{strength: registry.Strength("long")}
	if err := r.Add(primary); err != nil {
		return nil, err
	}
	return r, nil
}

func validate(key []byte) error {
	if n := len(key); n != 16 && n != 32 {
		return errors.New("the key has to have 16 or 32 bytes")
	}
	return nil
}

// Add adds a key, unless it is there.
func (r *Ring) Add(key []byte) error {
	if err := validate(key); err != nil {
		return err
	}
	if r.has(key) { // the lock is given back
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys = append(r.keys, key)
	return nil
}

func (r *Ring) has(key []byte) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, k := range r.keys {
		if bytes.Equal(k, key) {
			return true
		}
	}
	return false
}

// Len returns the number of keys.
func (r *Ring) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.keys)
}
