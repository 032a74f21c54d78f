package report

import (
	"fmt"
	"slices"
	"strings"
)

// heldLock is a lock held by a goroutine.
type heldLock struct{ name, object string }

// lockHint says how locks fail to prevent the violation: one that is held at every
// event but let go of in between, or that not all events hold. The locks are those
// of the counterexample: one that is not modelled does not show.
func (st *story) lockHint() string {
	events := st.events()
	if len(st.actors) != 2 {
		return ""
	}
	held := st.locksHeld()
	of := " of the model"
	if st.scenario.DecidedBy == "run" {
		of = ""
	}
	var bare []string
	common := commonLocks(events, held)
	for _, e := range events {
		if len(held[e.Event]) == 0 {
			bare = append(bare, fmt.Sprintf("(%d)", e.Event))
		}
	}
	switch {
	case len(bare) == len(events):
		return "None of these accesses holds a lock" + of + "."
	case len(bare) > 0:
		return "No lock" + of + " is held at " + and(bare) + "."
	case len(common) == 0:
		return "No lock is held at all of these accesses: " + st.locksInWords(events, held) + "."
	}
	first, last := st.spanOf(st.actors[0].lane)
	if !st.releases(st.actors[0].lane, common[0], first, last) {
		return fmt.Sprintf("Each of these accesses holds %s, but only shared: a read lock does not keep out others that "+
			"hold it for reading.", common[0].name)
	}
	return fmt.Sprintf("Each of these accesses holds %s, but %s lets go of it between%s(%d) and%s(%d).",
		common[0].name, st.actors[0].name, unbroken, first, unbroken, last)
}

// commonLocks returns the locks that are held at every one of some events.
func commonLocks(events []storyStep, held map[int][]heldLock) []heldLock {
	if len(events) == 0 {
		return nil
	}
	common := slices.Clone(held[events[0].Event])
	for _, e := range events {
		common = slices.DeleteFunc(common, func(l heldLock) bool { return !slices.Contains(held[e.Event], l) })
	}
	return common
}

// releases tells whether a goroutine lets go of the lock between two events.
func (st *story) releases(lane int, l heldLock, first, last int) bool {
	return st.lastRelease(lane, l, first, last) != nil
}

// lastRelease returns the last step between two events with which a goroutine lets go of the
// lock, nil if there is none.
func (st *story) lastRelease(lane int, l heldLock, first, last int) (found *storyStep) {
	between := false
	for i := range st.steps {
		switch s := &st.steps[i]; {
		case s.Event == first:
			between = true
		case s.Event == last:
			return found
		case between && s.lane == lane && (heldLock{s.Lock, s.Object}) == l &&
			(s.Action == "unlock" || s.Action == "runlock"):
			found = s
		}
	}
	return nil
}

// spanOf returns the first and the last event of a goroutine.
func (st *story) spanOf(lane int) (first, last int) {
	for _, e := range st.events() {
		if e.lane == lane {
			if first == 0 {
				first = e.Event
			}
			last = e.Event
		}
	}
	return first, last
}

// locksHeld returns the locks that the acting goroutine holds at each event.
func (st *story) locksHeld() map[int][]heldLock {
	at := map[int][]heldLock{}
	for i, s := range st.steps {
		if s.Event > 0 {
			at[s.Event] = st.heldAt(s.lane, i)
		}
	}
	return at
}

// heldAt returns the locks that a goroutine holds before step number end.
func (st *story) heldAt(lane, end int) []heldLock {
	held := make([][]heldLock, len(st.lanes))
	for _, s := range st.steps[:end] {
		l := heldLock{s.Lock, s.Object}
		switch s.Action {
		case "lock", "rlock":
			held[s.lane] = append(held[s.lane], l)
		case "unlock", "runlock":
			release(held, s.lane, l)
		}
	}
	return held[lane]
}

// release drops a lock that the goroutine holds, or else that any other one
// holds: a Go mutex has no owner.
func release(held [][]heldLock, lane int, l heldLock) {
	for _, owner := range append([]int{lane}, indices(held)...) {
		if i := slices.Index(held[owner], l); i >= 0 {
			held[owner] = slices.Delete(held[owner], i, i+1)
			return
		}
	}
}

func indices(held [][]heldLock) []int {
	all := make([]int, len(held))
	for i := range all {
		all[i] = i
	}
	return all
}

// locksInWords lists what is held at each event: "mu at (1) and b.mu at (2)".
func (st *story) locksInWords(events []storyStep, held map[int][]heldLock) string {
	var parts []string
	for _, e := range events {
		var names []string
		for _, l := range held[e.Event] {
			names = append(names, l.name)
		}
		parts = append(parts, fmt.Sprintf("%s at%s(%d)", strings.Join(names, " and "), unbroken, e.Event))
	}
	return and(parts)
}
