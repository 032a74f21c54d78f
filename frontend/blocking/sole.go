package blocking

import (
	"maps"
	"slices"
)

// What only one goroutine stores under the keys of a table it knows itself: it needs not ask what is there. So it knows
// how large the map is, and which key is free.
//
// That it is the only one is found out in a round, and taken for granted in the next ones until another one stores
// there.

// sole is the goroutine that alone stores in a cell.
type sole struct {
	key    string // of its process, as far as is known
	rounds int    // in which that was another one than before; maxSole: there is none
}

// maxSole bounds how often it is found out anew which goroutine alone stores in a cell.
const maxSole = 4

// own is the cell in which a goroutine keeps what it alone has stored in another one.
func own(c cell) cell { return cell{c.of, "own " + c.path} }

// isSole tells whether the goroutine that is evaluated alone stores in a cell of a table.
func (l *lowerer) isSole(s *state, c cell) bool {
	only := l.known.soles[c]
	return only != nil && only.rounds < maxSole && only.key == l.process.key && s.atOnce() == nil && !l.known.isGathered
}

// ownValue returns what a goroutine has stored in a cell that nobody else stores in; ok is false if that is not known.
func (l *lowerer) ownValue(s *state, c cell, zero value) (x value, ok bool) {
	if !l.isSole(s, c) {
		return nil, false
	}
	if x, ok = s.get(own(c)); !ok {
		return zero, true
	}
	return x, x != nil
}

// keeps notes what a goroutine stores in a cell of a table.
func (l *lowerer) keeps(s *state, c cell, x value) {
	if l.isSole(s, c) {
		s.put(own(c), x)
	}
}

// learnSoles finds out which cells of tables one goroutine alone stores in.
func (l *lowerer) learnSoles() {
	for _, t := range l.known.tables {
		for _, c := range t.cells {
			writers := map[string]bool{}
			for a := range l.accesses[c] {
				if a.write {
					writers[l.processes[a.process].key] = true
				}
			}
			only := l.known.soles[c]
			if only == nil {
				only = &sole{}
				l.known.soles[c] = only
			}
			keys := slices.Collect(maps.Keys(writers))
			switch {
			case only.rounds == maxSole || t.isOpen || len(keys) == 1 && keys[0] == only.key:
			case len(keys) == 1:
				only.key = keys[0]
				only.rounds++
				l.known.changed = true
			case len(keys) > 1:
				only.rounds = maxSole
				l.known.changed = true
			}
		}
	}
}
