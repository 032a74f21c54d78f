package harm

import (
	"sync"
	"sync/atomic"
	"time"
)

// Entry is what caches hold.
type Entry struct {
	key  string
	made time.Time
}

// Cache makes entries outside of its lock, and puts in what may have been put in meanwhile.
type Cache struct {
	mu      sync.Mutex
	entries map[string]*Entry
	count   int
}

func NewCache() *Cache { return &Cache{entries: map[string]*Entry{}} }

func (c *Cache) Get(key string) *Entry {
	c.mu.Lock()
	e := c.entries[key]
	c.mu.Unlock()
	if e != nil {
		return e
	}
	e = &Entry{key, time.Now()}
	c.mu.Lock()
	c.entries[key] = e
	c.count++
	c.mu.Unlock()
	return e
}

// CacheFixed looks again.
type CacheFixed struct {
	mu      sync.Mutex
	entries map[string]*Entry
	count   int
}

func NewCacheFixed() *CacheFixed { return &CacheFixed{entries: map[string]*Entry{}} }

func (c *CacheFixed) Get(key string) *Entry {
	c.mu.Lock()
	e := c.entries[key]
	c.mu.Unlock()
	if e != nil {
		return e
	}
	made := &Entry{key, time.Now()}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[key]; e != nil {
		return e
	}
	c.entries[key] = made
	c.count++
	return made
}

// Lazy is made when it is needed, and looks twice whether it is.
type Lazy struct {
	mu    sync.Mutex
	ready atomic.Bool
	value *Entry
}

func (l *Lazy) Value() string {
	if !l.ready.Load() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.value == nil {
			l.value = &Entry{"lazy", time.Now()}
			l.ready.Store(true)
		}
	}
	return l.value.key
}

// Session ends after an hour. Touch and Sweep do not agree whether it has.
type Session struct {
	mu    sync.Mutex
	until time.Time
	alive bool
}

func NewSession() *Session { return &Session{until: time.Now().Add(time.Hour), alive: true} }

func (s *Session) Touch() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.until = time.Now().Add(time.Hour)
	return s.alive
}

func (s *Session) Sweep() {
	s.mu.Lock()
	isOver := time.Now().After(s.until)
	s.mu.Unlock()
	if isOver {
		s.mu.Lock()
		s.alive = false
		s.mu.Unlock()
	}
}
