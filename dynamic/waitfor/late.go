package waitfor

import (
	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/races"
	"github.com/empire-go/empire-go/scenarios"
)

// lates finds what has not ended the program, but is a misuse: an Add of a wait group whose counter is zero, that
// nothing orders behind a Wait which has returned. Vector clocks tell.
type lates struct {
	detector *races.Detector
	groups   map[uint64][]waited // by wait group: who has waited for it since the last Add
	told     map[[2]uint32]bool
}

// add takes the next event, and returns the misuses.
func (l *lates) add(src events.Source, e events.Event) (all []*Violation) {
	if e.Op.Kind() == events.Variable && !e.Atomic {
		return nil // it orders nothing
	}
	l.detector.Add(e, func(races.Race) {})
	switch e.Op {
	case events.Gone:
		delete(l.groups, e.Object)
	case events.Wait:
		l.groups[e.Object] = append(l.groups[e.Object], waited{e, l.detector.Time(e.Thread)})
	case events.Add:
		for _, w := range l.groups[e.Object] {
			key := [2]uint32{w.event.Place, e.Place}
			if l.told[key] || l.detector.Knows(e.Thread, w.event.Thread, w.time) {
				continue
			}
			l.told[key] = true
			all = append(all, late(src, w.event, e))
		}
		delete(l.groups, e.Object)
	}
	return all
}

type waited struct {
	event events.Event
	time  uint32
}

func late(src events.Source, wait, add events.Event) *Violation {
	class, _ := scenarios.ClassByName("order")
	at := src.Place(add.Place)
	before := src.Thread(wait.Thread) + " had waited for it at " + src.Place(wait.Place).Pos
	return &Violation{Class: class, What: "Add of a wait group after Wait", By: src.Thread(add.Thread),
		At: Place{at.Pos, at.Function}, Before: before + ", and nothing orders the two"}
}
