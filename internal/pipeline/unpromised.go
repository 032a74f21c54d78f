package pipeline

import (
	"slices"

	"github.com/empire-go/empire-go/frontend/harm"
)

// What an author has promised of two calls shows in how the functions synchronise. A lock says that what is done under
// it is one step for all others that take it. An atomic operation says that of itself alone: whoever writes code
// without locks has reckoned with single steps of other functions in between, and what comes of that may be meant. It
// is otherwise with a function that meets another call of itself: if it is not for several goroutines, nothing is.

// onlyAtomic is why two functions without locks do no harm to each other.
const onlyAtomic = "the two make atomic operations, with no lock, and nothing says that one of the two is one " +
	"step for the other one"

// whyUnpromised says why what two calls of clients do, though no order of them gives it, does not count as the harm of
// a violation: nothing promises that they keep apart there. It is "" if something does. The experiments are locked.
func (a *analysis) whyUnpromised(s *ScenarioResult, pair [2]string, f *harm.Finding) string {
	if !a.entry.IsLibrary() || a.subject.Type == nil || slices.Contains(pair[:], ofLibrary) {
		return ""
	}
	if !excludes(s.Counterexample) {
		if pair[0] != pair[1] && f.Race == nil {
			return onlyAtomic
		}
		return ""
	}
	if f.IsMeant || f.Race == nil {
		return ""
	}
	for _, location := range bareLocations(s.Counterexample) {
		if why := a.whyUnguarded(location); why != "" {
			return why
		}
	}
	return ""
}

// excludes tells whether a goroutine holds a lock in an event of a counterexample: one that it has taken, or a value
// that it has sent or received before, which may be one.
func excludes(steps []Step) bool {
	held := map[string]int{}
	for _, s := range steps {
		switch s.Action {
		case "lock", "rlock", "send", "recv":
			held[s.actor()]++
		case "unlock", "runlock":
			held[s.actor()]--
		}
		if s.Event > 0 && held[s.actor()] > 0 {
			return true
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
