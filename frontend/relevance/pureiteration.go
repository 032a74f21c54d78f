package relevance

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// isPureIteration tells whether a read is part of an iteration of a loop that is over
// before place q, and that did nothing: it looked, perhaps waited, and went back to
// where it began, as in
//
//	for len(q.items) == 0 && !q.closed {
//		q.cond.Wait()
//	}
//
// A run without that iteration is a run, too, so what was read in it does not matter
// (Flanagan, Freund and Qadeer, Exploiting Purity for Atomicity, IEEE TSE 31(4), 2005,
// section 3), even if the next iteration decides without looking at all of it again.
func (r *Function) isPureIteration(read, q ssaflow.Place) bool {
	from := r.Instrs[read].Block()
	for header := from; header != nil; header = header.Idom() {
		begin := r.At[header.Instrs[0]]
		if begin == read && q != read {
			continue // to go back there is to read again
		}
		again := ssaflow.Reach(read, r.Succs, func(p ssaflow.Place) bool { return p == begin || p == read })
		if !again[begin] {
			continue
		}
		withoutIt := ssaflow.Reach(read, r.Succs, func(p ssaflow.Place) bool { return p == begin || p == q })
		if q != begin && withoutIt[q] {
			continue
		}
		return r.doesNothing(begin, read)
	}
	return false
}

// doesNothing tells whether all that is executed from a place around a loop through
// the read and back has no effect: no other goroutine, and no later iteration, can tell
// how often it was done.
func (r *Function) doesNothing(begin, read ssaflow.Place) bool {
	inside, ok := r.around(begin, read)
	header := r.Instrs[begin].Block()
	if !ok || countsRounds(header) {
		return false
	}
	for p, in := range inside {
		if !in {
			continue
		}
		instr := r.Instrs[p]
		isLook := r.isLookOr(ssaflow.Place(p), read)
		switch {
		case !isLook && (r.touches[p] || hasEffect(instr)):
			return false
		case !isLook:
			continue
		}
		derived := r.DerivedFrom(ssaflow.AsValue(instr))
		for v := range r.Facts.LiveIn[header.Index].All() {
			if derived[v] {
				return false
			}
		}
		for p, in := range inside {
			if in && r.keeps(r.Instrs[p], derived) {
				return false
			}
		}
	}
	return true
}

// around returns what is executed from a place through another one and back to it, both
// included. ok is false if no way leads around.
func (r *Function) around(begin, through ssaflow.Place) (inside ssaflow.PlaceSet, ok bool) {
	isBegin := func(p ssaflow.Place) bool { return p == begin }
	there, back := ssaflow.Reach(begin, r.Succs, isBegin), ssaflow.Reach(begin, r.Preds, isBegin)
	if !there[through] || !back[through] {
		return nil, false
	}
	to, after := ssaflow.Reach(through, r.Preds, isBegin), ssaflow.Reach(through, r.Succs, isBegin)
	inside = make(ssaflow.PlaceSet, len(r.Instrs))
	for p := range inside {
		inside[p] = there[p] && to[p] || back[p] && after[p]
	}
	inside[begin], inside[through] = true, true
	return inside, true
}

// countsRounds tells whether a loop with the header has a value that is another one in another
// iteration: who gives up after some rounds knows how many there were.
func countsRounds(header *ssa.BasicBlock) bool {
	for _, phi := range ssaflow.Phis(header) {
		for i, e := range phi.Edges {
			if header.Dominates(header.Preds[i]) && e != ssa.Value(phi) {
				return true
			}
		}
	}
	return false
}
