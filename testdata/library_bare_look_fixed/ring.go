// Package ring keeps keys, one of which is in use.
package ring

import (
	"bytes"
	"errors"
	"hash/crc32"
	"sync"
)

// Ring is keys.
type Ring struct {
	mu   sync.Mutex
	keys [][]byte
}

// New returns a ring with one key, which begins with a sum of the rest.
func New(key []byte) (*Ring, error) {
	if len(key) < 2 || byte(crc32.ChecksumIEEE(key[1:])) != key[0] {
		return nil, errors.New("the sum is wrong")
	}
	return &Ring{keys: [][]byte{key}}, nil
}

// Add adds a key, unless it is there.
func (r *Ring) Add(key []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, k := range r.keys {
		if bytes.Equal(k, key) {
			return
		}
	}
	r.keys = append(r.keys, key)
}

// Len returns the number of keys.
func (r *Ring) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.keys)
}
