// Package store is a library of which the locks are in shards that no function hands out.
package store

import "sync"

// Store spreads its values over shards.
type Store struct{ shards [4]*shard }

type shard struct {
	mu     sync.Mutex
	values map[string]string
	newest string
}

// New returns an empty store.
func New() *Store {
	s := &Store{}
	for i := range s.shards {
		s.shards[i] = &shard{values: map[string]string{}}
	}
	return s
}

func (s *Store) shardOf(key string) *shard { return s.shards[len(key)%len(s.shards)] }

// Set stores a value.
func (s *Store) Set(key, value string) {
	sh := s.shardOf(key)
	sh.mu.Lock()
	sh.values[key] = value
	sh.mu.Unlock()
	sh.mu.Lock()
	sh.newest = key
	sh.mu.Unlock()
}

// Get returns a value, and whether it is the newest one.
func (s *Store) Get(key string) (value string, isNewest bool) {
	sh := s.shardOf(key)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return sh.values[key], sh.newest == key
}
