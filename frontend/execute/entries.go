package execute

import (
	"go/types"

	"github.com/empire-go/empire-go/scenarios"
)

// The entries of a map are locations of their own, by their keys. As long as a map counts as one
// location, two units that access different entries seem to interfere: what is found in a run counts
// if the two units still cannot be put in any order on the entries.

// wholeMap is the entry of an event that is to all entries, noEntry that of one to none.
var wholeMap, noEntry = new(int), new(string)

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// place is a location of a pattern, as far as it is known: of a field, and in a map of which entry.
type place struct {
	known bool
	field int
	entry any // wholeMap: any entry
}

// bind tells whether the event may be to location loc of a pattern, and notes what is known of it then.
func (p *pair) bind(locs *[3]place, loc int, e *Event) bool {
	at := place{true, e.loc.field, wholeMap}
	if p.entries {
		at.entry = e.entry
	}
	switch was := locs[loc]; {
	case !was.known:
	case was.field != at.field, was.entry != wholeMap && at.entry != wholeMap && was.entry != at.entry:
		return false
	case at.entry == wholeMap:
		at.entry = was.entry
	}
	other := locs[3-loc]
	if other.known && other.field == at.field && (!p.entries || other.entry != wholeMap && other.entry == at.entry) {
		return false
	}
	locs[loc] = at
	return true
}

// isOnEntries tells whether the two units violate some scenario where the entries of maps are
// locations of their own.
func (p *pair) isOnEntries() bool {
	if p.onEntries == nil {
		p.entries = true
		found := false
		for _, s := range scenarios.Table {
			for _, pattern := range s.Patterns {
				found = found || p.find(pattern, p.u, p.v) != nil || p.find(pattern, p.v, p.u) != nil
			}
		}
		p.entries = false
		p.onEntries = &found
	}
	return *p.onEntries
}
