package main

import (
	"hash/fnv"
	"strconv"
	"sync"
)

const shards = 4

// entry is a value, and when it ends: a number of ticks of the sweeper, 0 for never.
type entry struct {
	value string
	end   int
}

// shard has some of the keys.
type shard struct {
	mu      sync.RWMutex
	entries map[string]entry
}

// store has keys and their values, and a clock that the sweeper moves.
type store struct {
	shards [shards]*shard
	mu     sync.Mutex
	tick   int
}

func newStore() *store {
	s := &store{}
	for i := range s.shards {
		s.shards[i] = &shard{entries: map[string]entry{}}
	}
	return s
}

func (s *store) of(key string) *shard {
	h := fnv.New32a()
	h.Write([]byte(key))
	return s.shards[h.Sum32()%shards]
}

// now is the time.
func (s *store) now() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tick
}

// advance moves the clock, and returns the new time.
func (s *store) advance() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tick++
	return s.tick
}

func (h *shard) set(key, value string, end int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.entries[key] = entry{value, end}
}

// get is the value of a key, unless it has ended.
func (h *shard) get(key string, now int) (string, bool) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	e, ok := h.entries[key]
	return e.value, ok && (e.end == 0 || now < e.end)
}

func (h *shard) remove(key string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, ok := h.entries[key]
	delete(h.entries, key)
	return ok
}

// increase adds 1 to a number, which begins with 0. It keeps the time at which it ends.
func (h *shard) increase(key string) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	e, n := h.entries[key], 0
	if e.value != "" {
		var err error
		if n, err = strconv.Atoi(e.value); err != nil {
			return 0, err
		}
	}
	h.entries[key] = entry{strconv.Itoa(n + 1), e.end}
	return n + 1, nil
}

func (h *shard) count() int {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return len(h.entries)
}

// sweep removes what has ended, and returns how much that was.
func (h *shard) sweep(now int) (removed int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for key, e := range h.entries {
		if e.end != 0 && e.end <= now {
			delete(h.entries, key)
			removed++
		}
	}
	return removed
}

// sweep lets some time pass.
func (s *store) sweep() (removed int) {
	//empire:yield
	now := s.advance()
	for _, h := range s.shards {
		//empire:yield
		removed += h.sweep(now)
	}
	return removed
}
