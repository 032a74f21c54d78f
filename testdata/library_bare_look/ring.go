// Package ring keeps keys, one of which is in use.
package ring

import (
	"bytes"
	"errors"
	"sync"
)

// Ring is keys of 32 bytes.
type Ring struct {
	mu   sync.Mutex
	keys [][]byte
}

// New returns a ring with one key.
func New(key []byte) (*Ring, error) {
	if len(key) != 32 {
		return nil, errors.New("a key has 32 bytes")
	}
	return &Ring{keys: [][]byte{key}}, nil
}

// Add adds a key, unless it is there. It looks without the lock.
func (r *Ring) Add(key []byte) {
	for _, k := range r.keys {
		if bytes.Equal(k, key) {
			return
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys = append(r.keys, key)
}

// Len returns the number of keys.
func (r *Ring) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.keys)
}
