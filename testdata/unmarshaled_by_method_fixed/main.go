// Command unmarshaled_by_method_fixed reads settings that come as JSON into a struct with a part
// that reads itself: its method tells the meter.
package main

import (
	"encoding/json"
	"fmt"
	"sync"
)

// Meter counts what was read.
type Meter struct {
	mu    sync.Mutex
	count int
	bytes int
}

// Add counts a piece of input.
func (m *Meter) Add(size int) {
	m.mu.Lock()
	m.count++
	m.bytes += size
	m.mu.Unlock()
}

// Show returns both numbers.
func (m *Meter) Show() (count, bytes int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	count = m.count
	bytes = m.bytes
	return count, bytes
}

// Limits are settings that count themselves when they are read.
type Limits struct {
	meter *Meter
	Max   int
}

// UnmarshalJSON is called by encoding/json.
func (l *Limits) UnmarshalJSON(text []byte) error {
	l.meter.Add(len(text))
	return json.Unmarshal(text, &l.Max)
}

// Settings are all settings.
type Settings struct {
	Name   string
	Limits *Limits
}

func main() {
	meter := &Meter{}
	settings := &Settings{Limits: &Limits{meter: meter}}
	done := make(chan error)
	go func() {
		done <- json.Unmarshal([]byte(`{"Name": "a", "Limits": 5}`), settings)
	}()
	fmt.Println(meter.Show())
	fmt.Println(<-done, settings.Limits.Max)
}
