// Command sensors_with_folded_names follows sensors by their names, in capital
// letters or not. Each has an entry in a map.
package main

import (
	"strings"
	"sync"
)

// Entry is the last value of a sensor, and how many there were.
type Entry struct {
	last  int
	count int
}

// Add adds a value.
func (e *Entry) Add(value int) {
	e.last = value
	e.count = e.count + 1
}

// Empty reports whether there was no value.
func (e *Entry) Empty() bool {
	return e.count == 0
}

// Sensors have entries by their names in small letters.
type Sensors map[string]*Entry

// Find finds an entry.
func (s Sensors) Find(name string) *Entry {
	return s[strings.ToLower(name)]
}

func main() {
	rain := &Entry{}
	sensors := Sensors{"rain": rain, "wind": new(Entry)}

	names := [...]string{"rain", "RAIN"} // BUG: one sensor, twice
	var wg sync.WaitGroup
	wg.Add(len(names))
	go func() {
		defer wg.Done()
		sensors.Find(names[0]).Add(12)
	}()
	go func() {
		defer wg.Done()
		sensors.Find(names[1]).Add(40)
	}()
	wg.Wait()
	if rain.Empty() {
		panic("no rain")
	}
}
