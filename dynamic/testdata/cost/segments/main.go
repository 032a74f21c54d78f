// Command segments is the benchmark of a cache that keeps values in rings of bytes, with an index by hash
// and a time after which they are gone.
package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
)

// errMissing says that there is no value.
var errMissing = errors.New("no entry")

// stats counts what was asked of a segment.
type stats struct{ hits, misses, collisions, evicted int64 }

// segment is a part of the cache.
type segment struct {
	mu    sync.RWMutex
	index map[uint64]uint32
	ring  []byte
	head  int // the oldest entry
	tail  int // where the next one goes
	used  int
	count int
	clock uint64
	life  uint64
	stats stats
}

const header = 8 + 8 + 2 + 4 // time, hash, length of key, length of value

func newSegment(size int, life uint64) *segment {
	return &segment{index: make(map[uint64]uint32), ring: make([]byte, size), life: life}
}

func (s *segment) write(p []byte) {
	n := copy(s.ring[s.tail:], p)
	copy(s.ring, p[n:])
	s.tail = (s.tail + len(p)) % len(s.ring)
	s.used += len(p)
}

func (s *segment) read(at int, p []byte) {
	n := copy(p, s.ring[at:])
	copy(p[n:], s.ring)
}

func (s *segment) byteAt(at int) byte { return s.ring[at%len(s.ring)] }

// evict drops the oldest entry.
func (s *segment) evict() {
	var h [header]byte
	s.read(s.head, h[:])
	hash := binary.LittleEndian.Uint64(h[8:])
	size := header + int(binary.LittleEndian.Uint16(h[16:])) + int(binary.LittleEndian.Uint32(h[18:]))
	if at, ok := s.index[hash]; ok && int(at) == s.head {
		delete(s.index, hash)
		s.count--
	}
	s.head = (s.head + size) % len(s.ring)
	s.used -= size
	s.stats.evicted++
}

func (s *segment) set(hash uint64, key string, value []byte) error {
	size := header + len(key) + len(value)
	if size > len(s.ring) {
		return errors.New("too large")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock++
	for s.used+size > len(s.ring) {
		s.evict()
	}
	var h [header]byte
	binary.LittleEndian.PutUint64(h[:], s.clock)
	binary.LittleEndian.PutUint64(h[8:], hash)
	binary.LittleEndian.PutUint16(h[16:], uint16(len(key)))
	binary.LittleEndian.PutUint32(h[18:], uint32(len(value)))
	if _, ok := s.index[hash]; !ok {
		s.count++
	}
	s.index[hash] = uint32(s.tail)
	s.write(h[:])
	s.write([]byte(key))
	s.write(value)
	return nil
}

func (s *segment) get(hash uint64, key string) ([]byte, error) {
	s.mu.RLock()
	at, ok := s.index[hash]
	if !ok {
		s.mu.RUnlock()
		s.miss()
		return nil, errMissing
	}
	var h [header]byte
	s.read(int(at), h[:])
	old := s.clock-binary.LittleEndian.Uint64(h[:]) > s.life
	n := int(binary.LittleEndian.Uint16(h[16:]))
	same := n == len(key)
	for i := 0; same && i < n; i++ {
		same = s.byteAt(int(at)+header+i) == key[i]
	}
	value := make([]byte, binary.LittleEndian.Uint32(h[18:]))
	s.read((int(at)+header+n)%len(s.ring), value)
	s.mu.RUnlock()
	if !same {
		s.collide()
		return nil, errMissing
	}
	if old {
		s.miss()
		return nil, errMissing
	}
	s.hit()
	return value, nil
}

func (s *segment) hit() {
	s.mu.Lock()
	s.stats.hits++
	s.mu.Unlock()
}

func (s *segment) miss() {
	s.mu.Lock()
	s.stats.misses++
	s.mu.Unlock()
}

func (s *segment) collide() {
	s.mu.Lock()
	s.stats.collisions++
	s.mu.Unlock()
}

// Cache is the whole of the segments.
type Cache struct {
	segments []*segment
	mask     uint64
}

// NewCache returns an empty cache.
func NewCache(segments, size int) *Cache {
	c := &Cache{mask: uint64(segments - 1)}
	for range segments {
		c.segments = append(c.segments, newSegment(size, 100_000))
	}
	return c
}

func hashOf(key string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(key) {
		h = (h ^ uint64(key[i])) * 1099511628211
	}
	return h
}

// Set sets the value of a key.
func (c *Cache) Set(key string, value []byte) error {
	h := hashOf(key)
	return c.segments[h&c.mask].set(h, key, value)
}

// Get returns the value of a key.
func (c *Cache) Get(key string) ([]byte, error) {
	h := hashOf(key)
	return c.segments[h&c.mask].get(h, key)
}

// Len is how many keys there are.
func (c *Cache) Len() int {
	n := 0
	for _, s := range c.segments {
		s.mu.RLock()
		n += s.count
		s.mu.RUnlock()
	}
	return n
}

// parallel has goroutines call f.
func parallel(n int, f func(i int)) {
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := g; i < n; i += 4 {
				f(i)
			}
		})
	}
	wg.Wait()
}

func main() {
	c := NewCache(16, 1<<16)
	message := make([]byte, 64)
	parallel(100_000, func(i int) { c.Set(fmt.Sprintf("key-%10d", i%12_000), message) })
	parallel(200_000, func(i int) { c.Get(fmt.Sprintf("key-%10d", i*7%12_000)) })
	parallel(100_000, func(i int) {
		key := fmt.Sprintf("key-%10d", i%3_000)
		if i%4 == 0 {
			c.Set(key, message)
		} else {
			c.Get(key)
		}
	})
	fmt.Println(c.Len() > 0)
}
