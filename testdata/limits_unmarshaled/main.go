// Command limits_unmarshaled has limits that are replaced by a JSON document while
// the program runs.
package main

import (
	"encoding/json"
	"sync"
)

// Limits are what a client may use.
type Limits struct {
	Requests int `json:"requests"`
	Bytes    int `json:"bytes"`
}

// Settings are the limits and the document that they come from.
type Settings struct {
	mu     sync.RWMutex
	limits Limits
	source string
}

// Load replaces the limits.
func (s *Settings) Load(source, document string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.source = source
	return json.Unmarshal([]byte(document), &s.limits)
}

// Limits returns the limits.
func (s *Settings) Limits() Limits {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.limits
}

// Exceeded names the document whose limit has been exceeded.
func (s *Settings) Exceeded(requests int) (string, bool) {
	limits := s.Limits()
	if requests <= limits.Requests {
		return "", false
	}
	s.mu.RLock() // BUG: may be another document by now
	defer s.mu.RUnlock()
	return s.source, true
}

func main() {
	settings := &Settings{source: "default", limits: Limits{Requests: 10}}
	loaded := make(chan error)
	go func() {
		loaded <- settings.Load("team.json", `{"requests": 1000, "bytes": 4096}`)
	}()
	if source, exceeded := settings.Exceeded(20); exceeded && source != "default" {
		panic("the wrong document: " + source)
	}
	if err := <-loaded; err != nil {
		panic(err)
	}
}
