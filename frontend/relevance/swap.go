package relevance

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// expects tells whether the compare-and-swap at q expects the value of the look, or
// one of several looks at the same location of which it is the last.
func (r *Function) expects(l *Reads, q ssaflow.Place, look ssa.Value) bool {
	if !ssaflow.IsCompareAndSwap(r.Instrs[q]) {
		return false
	}
	args := r.Instrs[q].(*ssa.Call).Call.Args
	sources, through := sourcesOf(args[1])
	if !slices.Contains(sources, look) {
		return false
	}
	for _, source := range sources {
		address := addressOf(source)
		m := &mustalias.Matcher{Flow: r.Flow, Node: r.node, L: l.values, Q: q, Inside: make(ssaflow.PlaceSet, len(r.Instrs))}
		if address == nil || !m.Same(address, args[0]) || m.Loose {
			return false
		}
	}
	if len(sources) == 1 {
		return true
	}
	// Which of them it is shows at run time: the others must not be of use, nor what
	// they were kept in.
	everywhere := slices.Repeat(ssaflow.PlaceSet{true}, len(r.Instrs))
	if r.storesIn(l, everywhere, r.DerivedFrom(look), nil) {
		return false
	}
	live := r.LiveBefore(q)
	for v := range r.DerivedFrom(look) {
		if live[v] && !through[v] && v != args[1] && !r.DerivedFrom(args[1])[v] {
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
		if ssaflow.IsAtomicLoad(v) {
			return v.Call.Args[0]
		}
	}
	return nil
}

// failedSwap returns a compare-and-swap on every way from the read to q that expected its value
// and has failed, nil if there is none: what was made of the value for it is lost.
func (r *Function) failedSwap(l *Reads, read, q ssaflow.Place, inside ssaflow.PlaceSet) ssa.Instruction {
	for p, in := range inside {
		if !in || !r.expects(l, ssaflow.Place(p), r.Instrs[read].(ssa.Value)) {
			continue
		}
		around := ssaflow.Reach(read, r.Succs, func(x ssaflow.Place) bool {
			return x == read || x == q || x == ssaflow.Place(p)
		})
		if !around[q] {
			return r.Instrs[p]
		}
	}
	return nil
}

// planFailed finds the places where it no longer matters that a compare-and-swap has
// failed, which is a read: where the location is read again.
func (r *Function) planFailed(l *Reads, swap ssaflow.Place) {
	call := r.Instrs[swap].(*ssa.Call)
	derived := r.DerivedFrom(call)
	for q := range r.Instrs {
		q := ssaflow.Place(q)
		address := addressOf(ssaflow.AsValue(r.Instrs[q]))
		if !r.touches[q] || address == nil {
			continue
		}
		inside, ok := r.Between(swap, q)
		if !ok {
			continue
		}
		m := &mustalias.Matcher{Flow: r.Flow, Node: r.node, L: l.values, Q: q, Inside: inside}
		if m.Same(address, call.Call.Args[0]) && !m.Loose && !r.isLiveAfter(q, derived) &&
			!r.storesIn(l, inside, derived, nil) {
			r.add(r.Forgets, q, forget{Read: call, Exact: true}, rules.SwapExpects)
		}
	}
}

// storesIn tells whether an instruction in between keeps a value of the set
// elsewhere than in a function that it is passed to. What is filled in to be swapped in
// does not count: if the swap fails, it is lost.
func (r *Function) storesIn(l *Reads, inside ssaflow.PlaceSet, derived map[ssa.Value]bool, swap ssa.Instruction) bool {
	for p, in := range inside {
		if _, isCall := r.Instrs[p].(ssa.CallInstruction); in && !isCall && r.keeps(r.Instrs[p], derived) &&
			!r.isLost(l, r.Instrs[p], swap) {
			return true
		}
	}
	return false
}

// isLost tells whether the instruction stores in memory that only the swap lets others
// reach, and that is of no use where it has failed.
func (r *Function) isLost(l *Reads, instr, swap ssa.Instruction) bool {
	var to ssa.Value
	switch v := instr.(type) {
	case *ssa.Store:
		to = v.Addr
	case *ssa.MapUpdate:
		to = v.Map
	}
	if to == nil || swap == nil {
		return false
	}
	roots, ok := l.Unpublished.IsKeptUntil(r.node, to, instr, swap)
	live := r.LiveBefore(r.afterFailure(swap))
	return ok && !slices.ContainsFunc(roots, func(root ssa.Value) bool { return live[root] })
}

// afterFailure returns the place to which control goes when a compare-and-swap fails,
// or the one after it.
func (r *Function) afterFailure(swap ssa.Instruction) ssaflow.Place {
	if branch, ok := r.Instrs[r.At[swap]+1].(*ssa.If); ok && branch.Cond == ssaflow.AsValue(swap) {
		return r.At[branch.Block().Succs[1].Instrs[0]]
	}
	return r.At[swap] + 1
}
