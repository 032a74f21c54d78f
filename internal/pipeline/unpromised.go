package pipeline

import "github.com/empire-go/empire-go/frontend/harm"

// What an author has promised of two calls shows in how the functions synchronise. A lock says that what is done under
// it is one step for all others that take it. An atomic operation says that of itself alone: whoever accesses memory
// atomically, and not under a lock, has reckoned with single steps of other functions in between, and what comes of it
// may be meant. It is otherwise with a function that meets another call of itself: if it is not for several goroutines,
// nothing is.

// onlyAtomic is why two functions that take no lock of each other's do no harm to each other.
const onlyAtomic = "the two take no lock that keeps one of them out while the other one is there, but make atomic " +
	"operations: nothing says that one is one step for the other"

// whyUnpromised says why what two calls of clients do, though no order of them gives it, does not count as the harm of
// a violation: nothing promises that they keep apart there. It is "" if something does. The experiments are locked.
func (a *analysis) whyUnpromised(s *ScenarioResult, pair [2]string, f *harm.Finding) string {
	switch {
	case !a.entry.IsLibrary() || a.subject.Type == nil:
		return ""
	case f.Race == nil: // what they access with no lock in common they access atomically
		if pair[0] != pair[1] && !shareLock(s.Counterexample) {
			return onlyAtomic
		}
		return ""
	case f.IsMeant:
		return ""
	}
	for _, location := range bareLocations(s.Counterexample) {
		if why := a.whyUnguarded(location); why != "" {
			return why
		}
	}
	return ""
}

// shareLock tells whether two goroutines hold one lock in events of a counterexample: one that they have taken, or a
// channel that they have sent to or received from before, which may be one.
func shareLock(steps []Step) bool {
	type lock struct{ name, object string }
	held := map[string]map[lock]int{} // by goroutine
	holder := map[lock]string{}       // in an event
	for _, s := range steps {
		by := s.actor()
		if held[by] == nil {
			held[by] = map[lock]int{}
		}
		switch s.Action {
		case "lock", "rlock":
			held[by][lock{s.Lock, s.Object}]++
		case "unlock", "runlock":
			held[by][lock{s.Lock, s.Object}]--
		case "send", "recv":
			held[by][lock{s.Channel, s.Object}]++
		}
		if s.Event == 0 {
			continue
		}
		for l, n := range held[by] {
			if other := holder[l]; n > 0 && other != "" && other != by {
				return true
			} else if n > 0 {
				holder[l] = by
			}
		}
	}
	return false
}

// bareLocations returns what is accessed in the events of a counterexample by a goroutine that has not taken a lock.
func bareLocations(steps []Step) (all []string) {
	locked := map[string]bool{}
	for _, s := range steps {
		switch {
		case s.Action == "lock" || s.Action == "rlock":
			locked[s.actor()] = true
		case s.Event > 0 && !locked[s.actor()]:
			all = append(all, s.Location)
		}
	}
	return all
}
