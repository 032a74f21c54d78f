package blocking

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
)

// Of the goroutines that a loop starts, few are processes of the model. The others need none where all that they do can
// be done earlier, and never waits: left movers, as Lipton calls them (Reduction, CACM 1975). Such a goroutine may as
// well run at once, to its end, when it is started: whatever the others do before it goes on in a run of the program
// they can also do after that. In the model the starter runs it then. Whoever can be blocked for ever in the program is
// so in a run in which it has come to its end, as it always can.
//
// To count down a wait group is a left mover: it lets others go on, and hinders nobody; a counter that becomes negative
// does so when that is done early. To let time pass is one. So is a lock for which nobody waits for ever, of what is
// not in the model anyway: see Settled. Memory that others use is no such thing: what a goroutine reads and writes that
// is run at once counts as used by two goroutines that are started at the same place, so that it is shared if somebody
// writes it, and then to use it is an operation of the model, or it does not matter.
//
// That a goroutine is one of these is taken for granted until it does something else, or does not return: then another
// round begins, in which it is not run at once.

// atOnce is a goroutine that is run at once.
type atOnce struct {
	site  ssa.CallInstruction
	alike []int // the processes that are started at the same place
}

// atOnce returns which goroutine a state is in that is run at once; nil: none.
func (s *state) atOnce() *atOnce {
	for _, a := range s.stack {
		if a.once != nil {
			return a.once
		}
	}
	return nil
}

// runAtOnce lets the starter run a goroutine of which more are started at a place than are followed. It returns what is
// done first.
func (l *lowerer) runAtOnce(s *state, site ssa.CallInstruction, place string, c callee,
	before, after []esl.Stmt) (stmts []esl.Stmt, ok bool) {
	once := &atOnce{site: site}
	for _, p := range l.alike[place] {
		if slices.Contains(s.started, p) && !slices.Contains(once.alike, p) {
			once.alike = append(once.alike, p)
		}
	}
	if len(once.alike) < 2 || l.known.late[site] || s.atOnce() != nil || !areLeftMovers(before) || !areLeftMovers(after) ||
		len(s.stack) >= maxDepth {
		return nil, false
	}
	if c.native != nil {
		return slices.Concat(before, after), true
	}
	l.push(s, c, nil)
	a := s.top()
	a.after, a.once = after, once
	return before, true
}

// areLeftMovers tells whether statements never wait, and can be done earlier.
func areLeftMovers(all []esl.Stmt) bool {
	return !slices.ContainsFunc(all, func(stmt esl.Stmt) bool {
		return stmt.Op != esl.Skip && (stmt.Op != esl.Add || stmt.Count >= 0)
	})
}

// checkAtOnce notes that a goroutine is not to be run at once if it does something else than that.
func (l *lowerer) checkAtOnce(once *atOnce, e effect) {
	if once == nil {
		return
	}
	is := e.branching != never
	for _, o := range e.outcomes {
		is = is && areLeftMovers(o.stmts) && (o.state == nil || !o.state.ended)
	}
	if !is {
		l.runLate(once)
	}
}

// checkReturning notes that goroutines are not to be run at once which may come to where they can not return from.
func (l *lowerer) checkReturning(p *process) {
	returning := make([]bool, len(p.nodes))
	for changed := true; changed; {
		changed = false
		for i, n := range p.nodes {
			is := n.once == nil || slices.ContainsFunc(n.arcs, func(a arc) bool { return a.to < 0 || returning[a.to] })
			changed = changed || is && !returning[i]
			returning[i] = is
		}
	}
	for i, n := range p.nodes {
		if !returning[i] {
			l.runLate(n.once)
		}
	}
}

func (l *lowerer) runLate(once *atOnce) {
	if !l.known.late[once.site] {
		l.known.late[once.site], l.known.changed = true, true
	}
}

// noteAtOnce notes an access of a cell as one of two goroutines.
func (l *lowerer) noteAtOnce(once *atOnce, c cell, write bool) {
	if l.accesses[c] == nil {
		l.accesses[c] = map[access]bool{}
	}
	for _, p := range once.alike[:2] {
		l.accesses[c][access{p, write, -1}] = true
	}
}

// isPassing tells whether an operation is on locks for which nobody waits for ever: a goroutine that is run at once
// does nothing else while it holds one that others could notice.
func (l *lowerer) isPassing(site ssa.CallInstruction, op knowledge.LockOp) bool {
	switch op {
	case knowledge.Lock, knowledge.Unlock, knowledge.RLock, knowledge.RUnlock:
		return len(l.quiet.settledAt(site)) > 0
	}
	return false
}
