package execute

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Many trials have one state to begin with: two calls are made in several orders, and with many schedules. What makes
// the object, and brings it into the state, is carried out once; each run has a copy of what that has left. Where
// that has started a goroutine, or set a timer, there is no such copy, and each run does it all.

// states are what the starts of trials have left.
type states struct {
	all   map[stateKey]*beginning // nil: runs cannot begin with a copy of it
	order []stateKey              // the oldest first
	cells int
}

// stateKey says how an object gets into a state, and what of it is watched meanwhile.
type stateKey struct {
	make    *ssa.Function
	before  string
	subject *Subject // nil: nothing is
}

// maxStateCells bounds what is kept of states: a cell has about a hundred bytes.
const maxStateCells = 400_000

// keyOf returns the key of the state after so many of the calls before.
func keyOf(t *Trial, calls int) stateKey {
	var b strings.Builder
	for _, step := range t.Before[:calls] {
		if step.Func != nil {
			b.WriteString(step.Func.Name())
		}
		b.WriteString(";")
	}
	return stateKey{t.Make, b.String(), t.Subject}
}

// startOf returns what a trial can begin with a copy of: a state after so many of the calls before, or what the
// initialisation has left; nil if there is not even that.
func (p *Program) startOf(t *Trial, w *watch) (b *beginning, done int) {
	if !w.Subject.isOfTrials() || p.start() == nil {
		return nil, 0
	}
	n := len(t.Before)
	switch {
	case p.whole:
		n = -1
	case len(t.Calls) == 0:
		n-- // the last one is tried
	}
	for ; n >= 0; n-- {
		if b := p.stateAfter(t, n); b != nil {
			return b, n
		}
	}
	return p.start(), 0
}

// stateAfter returns the state after so many of the calls before a trial; nil if there is no copy of it.
func (p *Program) stateAfter(t *Trial, calls int) *beginning {
	key := keyOf(t, calls)
	if b, known := p.states.all[key]; known {
		return b
	}
	c := p.newCarrier(&Trial{Make: t.Make, Before: t.Before[:calls], Subject: t.Subject}, newWatch(t.subject()), InOrder,
		Schedule{})
	c.carryOut(c.begin)
	var b *beginning
	if c.ready && !c.isMissing() {
		b = c.m.end(c.object, newCopier(c.m, c.m))
	}
	if b != nil {
		b.isState = true
		p.Executed += b.cells
	}
	p.states.keep(key, b)
	return b
}

// subject is what is watched in a trial.
func (t *Trial) subject() *Subject {
	if t.Subject == nil {
		return &Subject{Line: -1}
	}
	return t.Subject
}

// keep notes what there is of a state, and drops what is oldest if it is too much.
func (s *states) keep(key stateKey, b *beginning) {
	if s.all == nil {
		s.all = map[stateKey]*beginning{}
	}
	s.all[key], s.order = b, append(s.order, key)
	if b != nil {
		s.cells += b.cells
	}
	for s.cells > maxStateCells && len(s.order) > 1 {
		if oldest := s.all[s.order[0]]; oldest != nil {
			s.cells -= oldest.cells
		}
		delete(s.all, s.order[0])
		s.order = s.order[1:]
	}
}
