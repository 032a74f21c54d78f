package cpds

import (
	"context"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/limit"
	"github.com/empire-go/empire-go/scenarios"
)

// Most units keep a lock from the first of their accesses to the last. Between two of them there is then none
// by a unit that takes the lock for each of its own: no pattern occurs that has one there. That is
// found out once for all units, so that no system needs to be made for the guesses about them (Lipton, Reduction,
// 1975, is about what is atomic for that reason; Flanagan and Qadeer, A type and effect system for atomicity, 2003,
// prove it from locks).
//
// The analysis follows the code of a process, all paths of it and more: who returns may return to any call. It
// counts nothing, so that a lock that is held shared twice is taken for free after the first release.

// locationSet is a set of locations below maxSpanned.
type locationSet uint64

// maxSpanned is up to how many locations a program may have; of others nothing is known.
const maxSpanned = 64

func (s locationSet) has(l int) bool { return s>>l&1 != 0 }

// span is how the accesses of a unit lie with regard to a guard.
type span struct {
	loose  locationSet   // those that may be made while the lock is not held
	broken []locationSet // by location: what is accessed later in the activation, with the lock free in between
}

// spans are those of the units of a process by guard (see guard.number), nil where the process does nothing with the
// lock.
type spans map[esl.UnitName][]*span

func (g guard) number() int {
	if g.anyway {
		return 2*g.lock + 1
	}
	return 2 * g.lock
}

// ByLocks returns the model without the guesses, and the patterns in those that are left, that locks alone
// rule out. They have no run; no system needs to be made to find that out.
func (m *Model) ByLocks(ctx context.Context) (*Model, error) {
	ruled := *m
	ruled.spans = make([]spans, len(m.codes))
	for p := range m.codes {
		var err error
		if k := m.twin(p); k < p {
			ruled.spans[p] = ruled.spans[k]
		} else if ruled.spans[p], err = m.spansOf(ctx, p); err != nil {
			return nil, err
		}
	}
	return &ruled, nil
}

// spansOf returns the spans of the units of process p.
func (m *Model) spansOf(ctx context.Context, p int) (spans, error) {
	all := spans{}
	if len(m.Program.Locations) > maxSpanned {
		return all, nil
	}
	w := newSpanWalk(m.codes[p])
	for _, u := range m.facts[p].unitNames {
		all[u] = make([]*span, 2*len(m.Program.Locks))
		w.isObject[u.Object] = true
	}
	for l := range m.Program.Locks {
		if !m.facts[p].locks[l] || m.holds.stranger(l) {
			continue
		}
		for _, anyway := range []bool{false, true} {
			w.guard = guard{l, anyway}
			for _, u := range m.facts[p].unitNames {
				all[u][w.guard.number()] = &span{broken: make([]locationSet, len(m.Program.Locations))}
			}
			for object := range w.isObject {
				if err := w.walk(ctx, object, all); err != nil {
					return nil, err
				}
			}
		}
	}
	return all, nil
}

// spanState is what may be true at a symbol, in the activation of the unit that is open there.
type spanState struct {
	isReached, isFree bool
	seen              locationSet // accessed
	since             locationSet // accessed, and the lock was free then or later
}

func (s spanState) or(t spanState) spanState {
	return spanState{s.isReached || t.isReached, s.isFree || t.isFree, s.seen | t.seen, s.since | t.since}
}

// spanWalk follows the code of a process.
type spanWalk struct {
	code     *code
	isObject map[int]bool
	guard    guard

	states  []spanState // by symbol
	returns []spanState // by procedure
	callers [][]int     // by procedure: where it returns to
	work    []int
}

func newSpanWalk(c *code) *spanWalk { return &spanWalk{code: c, isObject: map[int]bool{}} }

// walk fills in the spans of the units on an object.
func (w *spanWalk) walk(ctx context.Context, object int, all spans) error {
	n := len(w.code.procedures)
	w.states = make([]spanState, len(w.code.symbols))
	w.returns, w.callers, w.work = make([]spanState, n), make([][]int, n), nil
	w.flow(w.code.initial[0], spanState{isReached: true, isFree: true})
	for len(w.work) > 0 {
		if err := limit.Pay(ctx, limit.Transition); err != nil {
			return err
		}
		symbol := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		for _, i := range w.code.from[symbol] {
			e := &w.code.edges[i]
			after := w.after(*e.label, w.states[symbol], object, all)
			switch len(e.push) {
			case 0:
				w.leave(w.code.owner[symbol], after)
			case 1:
				w.flow(e.push[0], after)
			default:
				callee := w.code.owner[e.push[0]]
				w.callers[callee] = append(w.callers[callee], e.push[1])
				w.flow(e.push[0], after)
				if r := w.returns[callee]; r.isReached {
					w.flow(e.push[1], r)
				}
			}
		}
	}
	return nil
}

// flow brings a state to a symbol.
func (w *spanWalk) flow(symbol int, s spanState) {
	if with := w.states[symbol].or(s); with != w.states[symbol] {
		w.states[symbol] = with
		w.work = append(w.work, symbol)
	}
}

// leave brings a state to where a procedure may return to.
func (w *spanWalk) leave(procedure int, s spanState) {
	with := w.returns[procedure].or(s)
	if with == w.returns[procedure] {
		return
	}
	w.returns[procedure] = with
	for _, to := range w.callers[procedure] {
		w.flow(to, with)
	}
}

// after returns the state after an edge, and notes the access that it is.
func (w *spanWalk) after(l label, s spanState, object int, all spans) spanState {
	switch how := w.guard.hold(); {
	case how.takes(l.op) && l.arg == w.guard.lock:
		s.isFree = false
	case how.puts(l.op) && l.arg == w.guard.lock:
		s.isFree, s.since = true, s.since|s.seen
	case (l.op == esl.UnitBegin || l.op == esl.UnitEnd) && l.unit.Object == object:
		s.seen, s.since = 0, 0
	case l.op == esl.Access:
		for _, u := range l.tags {
			if u.Object == object {
				all[u][w.guard.number()].access(l.arg, &s)
			}
		}
	}
	return s
}

// access notes an access in a state, and changes that.
func (s *span) access(location int, at *spanState) {
	for l := range s.broken {
		if at.since.has(l) {
			s.broken[l] |= 1 << location
		}
	}
	at.seen |= 1 << location
	if at.isFree {
		at.since |= 1 << location
		s.loose |= 1 << location
	}
}

// keepsOut tells whether a lock keeps the accesses of the unit with the spans v from coming between two of the unit
// with the spans u, on one or two locations (l2 may be -1).
func keepsOut(u, v []*span, l1, l2 int) bool {
	set := locationSet(1) << l1
	if l2 >= 0 {
		set |= 1 << l2
	}
	for i, s := range u {
		if s == nil || s.broken[l1]&set != 0 || l2 >= 0 && s.broken[l2]&set != 0 {
			continue
		}
		for j := i &^ 1; j <= i|1; j++ { // of the two ways one must be exclusive: an even number
			if v[j] != nil && v[j].loose&set == 0 && (i&1 == 0 || j&1 == 0) {
				return true
			}
		}
	}
	return false
}

// apart says which of the two units of a guess the other one cannot disturb on the locations.
type apart struct{ u, v bool }

// apart finds out for a guess which of its units is apart.
func (m *Model) apart(g Guess) apart {
	if m.spans == nil {
		return apart{}
	}
	u, v := m.spans[g.U.Process][g.UnitU()], m.spans[g.V.Process][g.UnitV()]
	if len(u) == 0 || len(v) == 0 {
		return apart{}
	}
	return apart{u: keepsOut(u, v, g.L1, g.L2), v: keepsOut(v, u, g.L1, g.L2)}
}

// excludes tells whether a pattern has an event of a unit between two of one that is apart.
func (a apart) excludes(p scenarios.Pattern) bool {
	return a.u && isDisturbed(p, scenarios.U) || a.v && isDisturbed(p, scenarios.V)
}

// isDisturbed tells whether a pattern has an event of the other unit between two events of the unit.
func isDisturbed(p scenarios.Pattern, unit scenarios.Unit) bool {
	first, last := -1, -1
	for i, e := range p.Events {
		if e.Unit == unit {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	for i := first + 1; i < last; i++ {
		if p.Events[i].Unit != unit {
			return true
		}
	}
	return false
}
