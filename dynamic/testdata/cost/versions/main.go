// Command versions keeps the versions of values: a transaction reads those that there were when it began, notes what it
// writes for itself, and is carried out if nobody has changed what it has read. Old versions are taken away by a sweeper.
package main

import (
	"fmt"
	"runtime"
	"sort"
	"sync"
)

// version is a value from a commit on.
type version struct {
	commit, value int
	older         *version
}

// entry is the versions of a key, the newest one first.
type entry struct {
	mu     sync.RWMutex
	newest *version
	length int
}

// at returns the version that there was at a commit, nil if there was none.
func (e *entry) at(commit int) *version {
	e.mu.RLock()
	defer e.mu.RUnlock()
	for v := e.newest; v != nil; v = v.older {
		if v.commit <= commit {
			return v
		}
	}
	return nil
}

// push adds a version.
func (e *entry) push(commit, value int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.newest = &version{commit, value, e.newest}
	e.length++
}

// trim takes away the versions that nobody can read any more who has begun at a commit or later.
func (e *entry) trim(oldest int) (gone int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	v := e.newest
	for v != nil && v.commit > oldest {
		v = v.older
	}
	if v == nil {
		return 0
	}
	for old := v.older; old != nil; old = old.older {
		gone++
	}
	v.older = nil
	e.length -= gone
	return gone
}

// Store has the entries, and the transactions that are open.
type Store struct {
	entries []entry

	mu        sync.Mutex
	commit    int
	open      map[int]int // how many have begun at a commit
	committed int
	refused   int
	trimmed   int
}

// NewStore returns a store with so many keys.
func NewStore(keys int) *Store {
	s := &Store{entries: make([]entry, keys), open: map[int]int{}}
	for i := range s.entries {
		s.entries[i].push(0, 100)
	}
	return s
}

// Transaction is what one has read and is about to write.
type Transaction struct {
	store  *Store
	begun  int
	reads  []int
	writes map[int]int
}

// Begin begins a transaction.
func (s *Store) Begin() *Transaction {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[s.commit]++
	return &Transaction{store: s, begun: s.commit, writes: map[int]int{}}
}

// Get reads a key.
func (t *Transaction) Get(key int) int {
	if value, ok := t.writes[key]; ok {
		return value
	}
	t.reads = append(t.reads, key)
	if v := t.store.entries[key].at(t.begun); v != nil {
		return v.value
	}
	return 0
}

// Put notes what is to be written.
func (t *Transaction) Put(key, value int) { t.writes[key] = value }

// isCurrent tells whether nobody has changed what was read, with the lock of the store held.
func (t *Transaction) isCurrent() bool {
	for _, key := range t.reads {
		e := &t.store.entries[key]
		e.mu.RLock()
		changed := e.newest.commit > t.begun
		e.mu.RUnlock()
		if changed {
			return false
		}
	}
	return true
}

// leave says that a transaction is over, with the lock held.
func (s *Store) leave(t *Transaction) {
	if s.open[t.begun]--; s.open[t.begun] == 0 {
		delete(s.open, t.begun)
	}
}

// Commit carries the transaction out. It tells whether it could.
func (t *Transaction) Commit() bool {
	s := t.store
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.leave(t)
	if len(t.writes) > 0 && !t.isCurrent() {
		s.refused++
		return false
	}
	keys := make([]int, 0, len(t.writes))
	for key := range t.writes {
		keys = append(keys, key)
	}
	sort.Ints(keys)
	if len(keys) > 0 {
		s.commit++
	}
	for _, key := range keys {
		s.entries[key].push(s.commit, t.writes[key])
	}
	s.committed++
	return true
}

// oldest is the commit at which the oldest of the open transactions has begun.
func (s *Store) oldest() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	least := s.commit
	for commit := range s.open {
		least = min(least, commit)
	}
	return least
}

// Sweep takes away old versions.
func (s *Store) Sweep() {
	oldest, gone := s.oldest(), 0
	for i := range s.entries {
		gone += s.entries[i].trim(oldest)
	}
	s.mu.Lock()
	s.trimmed += gone
	s.mu.Unlock()
}

func main() {
	s := NewStore(256)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			seed := uint32(g + 1)
			next := func(n int) int {
				seed = seed*1664525 + 1013904223
				return int(seed>>8) % n
			}
			for i := range 12_000 {
				t := s.Begin()
				from, to, amount := next(256), next(256), next(10)
				if next(4) == 0 { // only looks
					sum := 0
					for range 8 {
						sum += t.Get(next(256))
					}
					t.Commit()
					continue
				}
				if have := t.Get(from); have >= amount {
					t.Put(from, have-amount)
					if i%16 == 0 {
						runtime.Gosched() // for what others do meanwhile
					}
					t.Put(to, t.Get(to)+amount)
				}
				t.Commit()
				if i%512 == 0 {
					s.Sweep()
				}
			}
		})
	}
	wg.Wait()
	s.Sweep()
	sum := 0
	for i := range s.entries {
		sum += s.entries[i].at(s.commit).value
	}
	fmt.Println(sum, s.committed+s.refused)
}
