// Command stations_hand_over_hand_fixed walks along the stations of a line, each of
// which has a lock that is taken before that of the last one is let go of.
package main

import "sync"

// Station is on a line.
type Station struct {
	mu    sync.Mutex
	next  *Station
	name  string
	train int
	since int
}

// Line is a list of stations.
type Line struct {
	first *Station
}

// NewLine returns a line with these stations, the last one first.
func NewLine(names ...string) *Line {
	line := &Line{}
	for _, name := range names {
		line.first = &Station{name: name, next: line.first}
	}
	return line
}

// find returns a station with its lock held, or nil.
func (l *Line) find(name string) *Station {
	at := l.first
	at.mu.Lock()
	for at.name != name {
		next := at.next
		if next == nil {
			at.mu.Unlock()
			return nil
		}
		next.mu.Lock()
		at.mu.Unlock()
		at = next
	}
	return at
}

// Arrive says that a train has come.
func (l *Line) Arrive(name string, train, now int) {
	at := l.find(name)
	if at == nil {
		return
	}
	at.train = train
	at.since = now
	at.mu.Unlock()
}

// Waiting returns which train is there, and since when.
func (l *Line) Waiting(name string) (train, since int) {
	at := l.find(name)
	if at == nil {
		return 0, 0
	}
	defer at.mu.Unlock()
	train = at.train
	since = at.since
	return train, since
}

func main() {
	line := NewLine("airport", "centre", "harbour")
	var wg sync.WaitGroup
	wg.Go(func() { line.Arrive("centre", 7, 700) })
	wg.Go(func() { line.Arrive("centre", 8, 715) })
	wg.Go(func() {
		if train, since := line.Waiting("centre"); train == 8 && since == 1 {
			panic("late")
		}
	})
	wg.Wait()
}
