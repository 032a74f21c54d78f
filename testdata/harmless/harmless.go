// Package harmless has units of work that others come between, by the letter, without any harm:
// whatever the interleaving, some order of the calls has the same outcome. Beside each there is
// one that looks like it, and does harm.
package harmless

import "sync"

// Lazy makes a value when it is asked for first.
type Lazy struct {
	mu    sync.Mutex
	made  bool
	value string
}

// Get returns the value. It looks again under the lock before it makes one.
func (l *Lazy) Get() string {
	l.mu.Lock()
	made := l.made
	l.mu.Unlock()
	if !made {
		l.mu.Lock()
		if !l.made {
			l.value, l.made = "made", true
		}
		l.mu.Unlock()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.value
}

// Eager makes a value when it is asked for first.
type Eager struct {
	mu    sync.Mutex
	made  int
	value string
}

// Get returns the value.
func (e *Eager) Get() string {
	e.mu.Lock()
	made := e.made
	e.mu.Unlock()
	if made == 0 {
		e.mu.Lock()
		e.value = "made"
		e.made++ // BUG: twice
		e.mu.Unlock()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.value
}

// Sums adds up in two places, one after the other. Nobody can see one without the other being
// about to change.
type Sums struct {
	mu    sync.Mutex
	count int
	total int
}

// Add adds to both.
func (s *Sums) Add(n int) {
	s.mu.Lock()
	s.count++
	s.mu.Unlock()
	s.mu.Lock()
	s.total += n
	s.mu.Unlock()
}

// AddTwice adds to both, too.
func (s *Sums) AddTwice(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count += 2
	s.total += 2 * n
}

// Means adds up in two places, and divides.
type Means struct {
	mu    sync.Mutex
	count int
	total int
}

// Add adds to both, one after the other.
func (m *Means) Add(n int) {
	m.mu.Lock()
	m.count++
	m.mu.Unlock()
	m.mu.Lock() // BUG: the mean is wrong until then
	m.total += n
	m.mu.Unlock()
}

// Mean returns the mean of what was added.
func (m *Means) Mean() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.count == 0 {
		return 0
	}
	return m.total / m.count
}

// Store keeps versions.
type Store struct {
	mu      sync.Mutex
	version int
	text    string
}

// Append adds to the text. It tries again if another one was faster.
func (s *Store) Append(more string) {
	for {
		s.mu.Lock()
		version, text := s.version, s.text
		s.mu.Unlock()
		text += more
		s.mu.Lock()
		if s.version == version {
			s.version, s.text = version+1, text
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
	}
}

// Draft keeps versions.
type Draft struct {
	mu      sync.Mutex
	version int
	text    string
}

// Append adds to the text.
func (d *Draft) Append(more string) {
	d.mu.Lock()
	version, text := d.version, d.text
	d.mu.Unlock()
	text += more
	d.mu.Lock()
	d.version, d.text = version+1, text // BUG: whatever the version is by now
	d.mu.Unlock()
}
