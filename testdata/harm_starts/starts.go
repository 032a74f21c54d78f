// Package starts has objects whose harm shows only from a start that takes more than a call of their makers.
package starts

import (
	_ "embed"
	"net"
	"slices"
	"strings"
	"sync"
)

// Shelf has a title and a length, which are set one after the other.
type Shelf struct {
	mu            sync.Mutex
	title, length int
}

var shelves sync.Map

// Open makes the shelf with a name.
func Open(name string) *Shelf {
	s := &Shelf{}
	shelves.Store(name, s)
	return s
}

// Find returns the shelf with a name, nil if nobody has opened it.
func Find(name string) *Shelf {
	s, _ := shelves.Load(name)
	found, _ := s.(*Shelf)
	return found
}

// Set sets both in two sections.
func (s *Shelf) Set(n int) {
	s.mu.Lock()
	s.title = n
	s.mu.Unlock()
	s.mu.Lock()
	s.length = n
	s.mu.Unlock()
}

// Get returns both.
func (s *Shelf) Get() (int, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.title, s.length
}

// Config says how large a ring is.
type Config struct {
	Slots int
	Name  string
	fixed bool
}

// DefaultConfig is for large machines.
func DefaultConfig() Config { return Config{Slots: 1 << 20, Name: "ring"} }

// Ring has one slot more than its configuration says, and where the next value goes.
type Ring struct {
	mu    sync.Mutex
	slots []int
	next  int
}

// NewRing makes a ring.
func NewRing(c Config) *Ring { return &Ring{slots: make([]int, c.Slots+1)} }

// Put puts a value into the next slot, and then goes on to the one behind it.
func (r *Ring) Put(n int) {
	r.mu.Lock()
	r.slots[r.next] = n
	r.mu.Unlock()
	r.mu.Lock()
	r.next = (r.next + 1) % len(r.slots)
	r.mu.Unlock()
}

// Newest returns the newest value and where the next one goes.
func (r *Ring) Newest() (int, int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.slots[(r.next+len(r.slots)-1)%len(r.slots)], r.next
}

// Server has the connections that are open, and their number.
type Server struct {
	mu    sync.Mutex
	conns []net.Conn
	open  int
}

// Serve serves the connections of a listener: each until it is closed.
func (s *Server) Serve(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.conns = append(s.conns, c)
		s.open++
		s.mu.Unlock()
		go s.handle(c)
	}
}

func (s *Server) handle(c net.Conn) {
	for b := make([]byte, 1); ; {
		if _, err := c.Read(b); err != nil {
			break
		}
	}
	s.mu.Lock()
	if i := slices.Index(s.conns, c); i >= 0 {
		s.conns = slices.Delete(s.conns, i, i+1)
		s.open--
	}
	s.mu.Unlock()
}

// Count counts the connections, and tells the number.
func (s *Server) Count() (counted, open int) {
	s.mu.Lock()
	counted = len(s.conns)
	s.mu.Unlock()
	s.mu.Lock()
	open = s.open
	s.mu.Unlock()
	return counted, open
}

// Drop closes all connections.
func (s *Server) Drop() {
	s.mu.Lock()
	for _, c := range s.conns {
		c.Close()
	}
	s.conns, s.open = nil, 0
	s.mu.Unlock()
}

//go:embed levels.txt
var levels string

var names = strings.Fields(levels)

// Meter has a level and its name.
type Meter struct {
	mu    sync.Mutex
	level int
	name  string
}

// Set sets both in two sections.
func (m *Meter) Set(high bool) {
	level := 0
	if high {
		level = len(names) - 1
	}
	m.mu.Lock()
	m.level = level
	m.mu.Unlock()
	m.mu.Lock()
	m.name = names[level]
	m.mu.Unlock()
}

// Get returns both.
func (m *Meter) Get() (int, string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.level, m.name
}
