package lower

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// expects tells whether the compare-and-swap at q expects the value of the look, or
// one of several looks at the same location of which it is the last.
func (r *relevance) expects(l *lowerer, q place, look ssa.Value) bool {
	args := r.instrs[q].(*ssa.Call).Call.Args
	sources, through := sourcesOf(args[1])
	if !slices.Contains(sources, look) {
		return false
	}
	for _, source := range sources {
		address := addressOf(source)
		m := &matcher{relevance: r, l: l, q: q, inside: make(placeSet, len(r.instrs))}
		if address == nil || !m.same(address, args[0]) || m.loose {
			return false
		}
	}
	if len(sources) == 1 {
		return true
	}
	// Which of them it is shows at run time: the others must not be of use.
	live := r.liveBefore(q)
	for v := range r.derivedFrom(look) {
		if live[v] && !through[v] && v != args[1] && !r.derivedFrom(args[1])[v] {
			return false
		}
	}
	return true
}

// sourcesOf returns the values that a value is one of, and the phis between.
func sourcesOf(v ssa.Value) (sources []ssa.Value, through map[ssa.Value]bool) {
	through = map[ssa.Value]bool{}
	work := []ssa.Value{v}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		phi, ok := v.(*ssa.Phi)
		if !ok {
			if !slices.Contains(sources, v) {
				sources = append(sources, v)
			}
			continue
		}
		if !through[phi] {
			through[phi] = true
			work = append(work, phi.Edges...)
		}
	}
	return sources, through
}

// addressOf returns the address that a value is loaded from, nil if it is not.
func addressOf(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op.String() == "*" {
			return v.X
		}
	case *ssa.Call:
		if isAtomicLoad(v) {
			return v.Call.Args[0]
		}
	}
	return nil
}

// failedSwap tells whether every way from the read to q passes a compare-and-swap
// that expected its value and failed, and q reads the location again.
func (r *relevance) failedSwap(l *lowerer, read, q place, inside placeSet, derived map[ssa.Value]bool) bool {
	look := r.instrs[read].(ssa.Value)
	for p, in := range inside {
		if !in || !isCompareAndSwap(r.instrs[p]) || !r.expects(l, place(p), look) {
			continue
		}
		address := addressOf(asValue(r.instrs[q]))
		m := &matcher{relevance: r, l: l, q: q, inside: inside}
		if address == nil || !m.same(address, r.instrs[p].(*ssa.Call).Call.Args[0]) || m.loose {
			continue
		}
		around := reach(read, r.succs, func(x place) bool { return x == read || x == q || x == place(p) })
		if !around[q] && !r.storesIn(inside, derived) {
			return true
		}
	}
	return false
}

// planFailed finds the places where it no longer matters that a compare-and-swap has
// failed, which is a read: where the location is read again.
func (r *relevance) planFailed(l *lowerer, swap place) {
	call := r.instrs[swap].(*ssa.Call)
	derived := r.derivedFrom(call)
	for q := range r.instrs {
		q := place(q)
		address := addressOf(asValue(r.instrs[q]))
		if !r.touches[q] || address == nil {
			continue
		}
		inside, ok := r.between(swap, q)
		if !ok {
			continue
		}
		m := &matcher{relevance: r, l: l, q: q, inside: inside}
		if m.same(address, call.Call.Args[0]) && !m.loose && !r.isLiveAfter(q, derived) && !r.storesIn(inside, derived) {
			r.add(r.forgets, q, forget{call, true})
		}
	}
}

// storesIn tells whether an instruction in between keeps a value of the set
// elsewhere than in a function that it is passed to.
func (r *relevance) storesIn(inside placeSet, derived map[ssa.Value]bool) bool {
	for p, in := range inside {
		if _, isCall := r.instrs[p].(ssa.CallInstruction); in && !isCall && r.keeps(r.instrs[p], derived) {
			return true
		}
	}
	return false
}
