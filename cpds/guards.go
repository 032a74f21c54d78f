package cpds

import "github.com/empire-go/empire-go/esl"

// guard is a lock that a process holds: exclusively, or in one way or the other.
type guard struct {
	lock   int
	anyway bool
}

// hold returns the operations that begin and end holding the lock so.
func (g guard) hold() mode {
	if g.anyway {
		return inAnyWay
	}
	return exclusively
}

// accesses are those of a process to a location in one way.
type accesses struct {
	location int
	access   esl.AccessKind
}

// guards says of which accesses a process holds which locks whenever it makes them: it is a lockset
// (Savage et al., Eraser, 1997), but of all paths instead of one run.
type guards struct {
	program *esl.Program
	without []map[accesses]map[guard]bool // by process: those that may be made without holding the lock so
}

func newGuards(p *esl.Program) guards {
	g := guards{program: p}
	for range p.Processes {
		g.without = append(g.without, map[accesses]map[guard]bool{})
	}
	return g
}

// see notes an access that the process may come to with the counts of holds on the lock.
func (g guards) see(process int, with guard, s esl.Stmt, held counts) {
	if s.Op != esl.Access || held&1 == 0 {
		return
	}
	of := accesses{s.Arg, s.Access}
	if g.without[process][of] == nil {
		g.without[process][of] = map[guard]bool{}
	}
	g.without[process][of][with] = true
}

// exclude tells whether a lock keeps two processes from coming to the two accesses at once: both hold it, and
// one of them exclusively. That says nothing of a lock that somebody may release who has not taken it.
func (h *holds) exclude(p int, a accesses, q int, b accesses) bool {
	one, other := h.guards.without[p][a], h.guards.without[q][b]
	for l := range h.strangers {
		alone, anyway := guard{l, false}, guard{l, true}
		if !h.strangers[l] && (!one[alone] && !other[anyway] || !one[anyway] && !other[alone]) {
			return true
		}
	}
	return false
}
