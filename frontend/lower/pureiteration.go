package lower

import "golang.org/x/tools/go/ssa"

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
func (r *relevance) isPureIteration(read, q place) bool {
	from := r.instrs[read].Block()
	for header := from; header != nil; header = header.Idom() {
		begin := r.at[header.Instrs[0]]
		if begin == read && q != read {
			continue // to go back there is to read again
		}
		again := reach(read, r.succs, func(p place) bool { return p == begin || p == read })
		if !again[begin] {
			continue
		}
		withoutIt := reach(read, r.succs, func(p place) bool { return p == begin || p == q })
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
func (r *relevance) doesNothing(begin, read place) bool {
	inside, ok := r.around(begin, read)
	header := r.instrs[begin].Block()
	if !ok || countsRounds(header) {
		return false
	}
	for p, in := range inside {
		if !in {
			continue
		}
		instr := r.instrs[p]
		isLook := r.isLookOr(place(p), read)
		switch {
		case !isLook && (r.touches[p] || hasEffect(instr)):
			return false
		case !isLook:
			continue
		}
		derived := r.derivedFrom(asValue(instr))
		for v := range r.facts.liveIn[header.Index] {
			if derived[v] {
				return false
			}
		}
		for p, in := range inside {
			if in && r.keeps(r.instrs[p], derived) {
				return false
			}
		}
	}
	return true
}

// around returns what is executed from a place through another one and back to it, both
// included. ok is false if no way leads around.
func (r *relevance) around(begin, through place) (inside placeSet, ok bool) {
	isBegin := func(p place) bool { return p == begin }
	there, back := reach(begin, r.succs, isBegin), reach(begin, r.preds, isBegin)
	if !there[through] || !back[through] {
		return nil, false
	}
	to, after := reach(through, r.preds, isBegin), reach(through, r.succs, isBegin)
	inside = make(placeSet, len(r.instrs))
	for p := range inside {
		inside[p] = there[p] && to[p] || back[p] && after[p]
	}
	inside[begin], inside[through] = true, true
	return inside, true
}

// countsRounds tells whether a loop with the header has a value that is another one in another
// iteration: who gives up after some rounds knows how many there were.
func countsRounds(header *ssa.BasicBlock) bool {
	for _, phi := range phis(header) {
		for i, e := range phi.Edges {
			if header.Dominates(header.Preds[i]) && e != ssa.Value(phi) {
				return true
			}
		}
	}
	return false
}
