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

// failedSwap tells whether every way from the read to q passes a compare-and-swap
// that expected its value and failed, and q reads the location again.
func (r *Function) failedSwap(l *Reads, read, q ssaflow.Place, inside ssaflow.PlaceSet,
	derived map[ssa.Value]bool, f *forget) bool {
	look := r.Instrs[read].(ssa.Value)
	address := addressOf(ssaflow.AsValue(r.Instrs[q]))
	if address == nil {
		return false
	}
	stop := make(ssaflow.PlaceSet, len(r.Instrs))
	stop[read], stop[q] = true, true
	for p, in := range inside {
		if !in || !ssaflow.IsCompareAndSwap(r.Instrs[p]) || !r.expects(l, ssaflow.Place(p), look) {
			continue
		}
		m := &mustalias.Matcher{Flow: r.Flow, Node: r.node, L: l.values, Q: q, Inside: inside}
		stop[p] = m.Same(address, r.Instrs[p].(*ssa.Call).Call.Args[0]) && !m.Loose &&
			!r.storesIn(l, inside, derived, r.Instrs[p]) && r.isDecidedAnew(l, look, r.Instrs[p].(*ssa.Call), q, f)
	}
	around := ssaflow.Reach(read, r.Succs, func(x ssaflow.Place) bool { return stop[x] })
	return !around[q]
}

// leadsTo tells whether control may come from a place to one of some others.
func (r *Function) leadsTo(from ssaflow.Place, to func(ssaflow.Place) bool) bool {
	for p, in := range ssaflow.Reach(from, r.Succs, to) {
		if in && to(ssaflow.Place(p)) {
			return true
		}
	}
	return false
}

// isDecidedAnew tells whether what was decided on a look, which a compare-and-swap expects, is
// decided again from place q on, before anything else is done to the atomic set. That the swap
// has failed says that the look is out of date, not that it was of no use: in
//
//	old := p.max.Load()
//	if v <= old {
//		return
//	}
//	for !p.max.CompareAndSwap(old, v) {
//		old = p.max.Load()
//	}
//
// the last swap counts on the first look.
func (r *Function) isDecidedAnew(l *Reads, look ssa.Value, swap *ssa.Call, q ssaflow.Place, f *forget) bool {
	read := r.At[look.(ssa.Instruction)]
	inside, ok := r.Between(read, q)
	if !ok {
		return false
	}
	derived, failed := r.DerivedWithin(look, inside), r.DerivedFrom(swap)
	open := slices.DeleteFunc(r.openBranches(q, inside, derived), func(b *ssa.If) bool { return failed[b.Cond] })
	isLost := func(instr ssa.Instruction) bool {
		_, isCall := instr.(*ssa.Call) // as in storesIn
		return isCall && !l.MayWriteSet(r.node, instr) || r.isLost(l, instr, swap)
	}
	switch {
	case len(open) == 0:
		return true
	case r.countsIterations(read, q, inside) || r.actsDiffer(read, q, inside, isLost):
		return false
	case q == read || r.StrictlyDominates(q, read): // the iteration begins again
		return true
	}
	return r.isDecidedAgain(l, open, read, q, inside, derived, f)
}

// triesAgain tells whether it is as if the swap had not been tried, once q has read the location
// again: control goes back to a place before the swap, or to another one that expects what q has
// read, unless what q has read decides against that. In
//
//	if !j.state.CompareAndSwap(idle, running) {
//		log.Println(j.state.Load())
//		j.state.Store(broken)
//	}
//
// it is not.
func (r *Function) triesAgain(l *Reads, swap, q ssaflow.Place) bool {
	back := func(p ssaflow.Place) bool { return p == swap || r.StrictlyDominates(p, swap) }
	again := r.Instrs[q].(ssa.Value)
	derived := r.DerivedFrom(again)
	tries := func(p ssaflow.Place) bool { return back(p) || p != q && r.expects(l, p, again) }
	type point struct {
		at      ssaflow.Place
		decided bool // on what q has read
	}
	seen := map[point]bool{}
	for work := []point{{q, false}}; len(work) > 0; {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if tries(p.at) || seen[p] {
			continue
		}
		seen[p] = true
		if branch, ok := r.Instrs[p.at].(*ssa.If); ok && derived[branch.Cond] && r.leadsTo(p.at, tries) {
			p.decided = true
		}
		switch {
		case p.at != q && r.touches[p.at], len(r.Succs[p.at]) == 0 && !p.decided:
			return false
		}
		for _, next := range r.Succs[p.at] {
			work = append(work, point{next, p.decided})
		}
	}
	return true
}

// planFailed finds the places where it no longer matters that a compare-and-swap has
// failed, which is a read: where the location is read again, what was decided on the value that
// it expected is decided again, and it is tried again.
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
		f := forget{Read: call, Exact: true}
		if m.Same(address, call.Call.Args[0]) && !m.Loose && !r.isLiveAfter(q, derived) &&
			!r.storesIn(l, inside, derived, nil) && r.triesAgain(l, swap, q) &&
			!slices.ContainsFunc(r.Looks, func(look ssa.Value) bool {
				return r.expects(l, swap, look) && !r.isDecidedAnew(l, look, call, q, &f)
			}) {
			r.add(r.Forgets, q, f, rules.SwapExpects)
		}
	}
}

// storesIn tells whether an instruction in between keeps a value of the set: it stores it, as
// n.Store(old) of package atomic does, too. To be passed to another function is not to be kept.
// What is filled in to be swapped in does not count: if the swap fails, it is lost.
func (r *Function) storesIn(l *Reads, inside ssaflow.PlaceSet, derived map[ssa.Value]bool, swap ssa.Instruction) bool {
	for p, in := range inside {
		instr := r.Instrs[p]
		if _, isCall := instr.(ssa.CallInstruction); isCall && !storesAtomically(instr) {
			continue
		}
		if in && r.keeps(instr, derived) && !r.isLost(l, instr, swap) {
			return true
		}
	}
	return false
}

// storesAtomically tells whether the instruction is an operation of package atomic that writes,
// whatever it finds.
func storesAtomically(instr ssa.Instruction) bool {
	effect, ok := ssaflow.AtomicEffect(instr)
	return ok && effect.Atomic && effect.Writes && !ssaflow.IsCompareAndSwap(instr)
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
