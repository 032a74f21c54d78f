package lower

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// place is an instruction by its number in its function.
type place int

// flow is the control flow of a function by instructions, and what its values are
// computed from.
type flow struct {
	fn     *ssa.Function
	facts  *function
	instrs []ssa.Instruction
	at     map[ssa.Instruction]place
	succs  [][]place
	preds  [][]place
	looks  []ssa.Value // reads of the atomic set, and calls that only look at it, if they are known

	// What has been computed before, see the functions of these names.
	live    map[place]map[ssa.Value]bool
	derived map[ssa.Value]map[ssa.Value]bool
	decided map[*ssa.If][]*ssa.Phi
	closed  map[*ssa.If]placeSet
}

// remember returns what is known for a key, or computes it.
func remember[K comparable, V any](known map[K]V, key K, compute func() V) V {
	v, ok := known[key]
	if !ok {
		v = compute()
		known[key] = v
	}
	return v
}

func newFlow(f *function) *flow {
	w := &flow{
		fn: f.ssa, facts: f, at: map[ssa.Instruction]place{},
		live: map[place]map[ssa.Value]bool{}, derived: map[ssa.Value]map[ssa.Value]bool{},
		decided: map[*ssa.If][]*ssa.Phi{}, closed: map[*ssa.If]placeSet{},
	}
	for _, b := range f.ssa.Blocks {
		for _, instr := range b.Instrs {
			w.at[instr] = place(len(w.instrs))
			w.instrs = append(w.instrs, instr)
		}
	}
	w.succs, w.preds = make([][]place, len(w.instrs)), make([][]place, len(w.instrs))
	link := func(from, to ssa.Instruction) {
		p, q := w.at[from], w.at[to]
		w.succs[p], w.preds[q] = append(w.succs[p], q), append(w.preds[q], p)
	}
	for _, b := range f.ssa.Blocks {
		for i := 1; i < len(b.Instrs); i++ {
			link(b.Instrs[i-1], b.Instrs[i])
		}
		for _, next := range b.Succs {
			link(b.Instrs[len(b.Instrs)-1], next.Instrs[0])
		}
	}
	return w
}

// placeSet is a set of instructions of one function.
type placeSet []bool

// reach returns what can be reached from the neighbours of a place along the edges
// without passing through a place that stops. Places that stop are reached.
func reach(from place, edges [][]place, stops func(place) bool) placeSet {
	seen := make(placeSet, len(edges))
	work := []place{from}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		for _, q := range edges[p] {
			if !seen[q] {
				seen[q] = true
				if !stops(q) {
					work = append(work, q)
				}
			}
		}
	}
	return seen
}

// between returns the instructions on paths from r to the next q that do not
// execute r again; neither of the two is among them. ok is false if no path leads
// there.
func (w *flow) between(r, q place) (inside placeSet, ok bool) {
	stop := func(p place) bool { return p == r || p == q }
	inside = reach(r, w.succs, stop)
	if !inside[q] {
		return nil, false
	}
	back := reach(q, w.preds, stop)
	for p := range inside {
		inside[p] = inside[p] && back[p] && !stop(place(p))
	}
	return inside, true
}

// strictlyDominates tells whether every path to q passes p before.
func (w *flow) strictlyDominates(p, q place) bool {
	b, c := w.instrs[p].Block(), w.instrs[q].Block()
	if b == c {
		return p < q
	}
	return b.Dominates(c)
}

// liveBefore returns the values that are used at or after a place.
func (w *flow) liveBefore(p place) map[ssa.Value]bool {
	return remember(w.live, p, func() map[ssa.Value]bool { return w.findLiveBefore(p) })
}

func (w *flow) findLiveBefore(p place) map[ssa.Value]bool {
	b := w.instrs[p].Block()
	live := map[ssa.Value]bool{}
	for _, next := range b.Succs {
		for v := range w.facts.liveIn[next.Index] {
			live[v] = true
		}
		for _, phi := range phis(next) {
			delete(live, phi)
		}
	}
	for _, next := range b.Succs {
		for i, pred := range next.Preds {
			if pred == b {
				for _, phi := range phis(next) {
					live[phi.Edges[i]] = true
				}
			}
		}
	}
	for q := w.at[b.Instrs[len(b.Instrs)-1]]; q >= p; q-- {
		instr := w.instrs[q]
		if v, ok := instr.(ssa.Value); ok {
			delete(live, v)
		}
		if _, isPhi := instr.(*ssa.Phi); isPhi {
			continue
		}
		for _, o := range instr.Operands(nil) {
			if *o != nil {
				live[*o] = true
			}
		}
	}
	return live
}

// derivedFrom returns the values that are computed from v, itself included, and
// those that say which way a branch on one of them went.
func (w *flow) derivedFrom(v ssa.Value) map[ssa.Value]bool {
	return remember(w.derived, v, func() map[ssa.Value]bool { return w.findDerivedFrom(v, nil) })
}

// derivedWithin is derivedFrom with what is computed through variables that get a
// value in one of the places.
func (w *flow) derivedWithin(v ssa.Value, inside placeSet) map[ssa.Value]bool {
	for u := range w.derivedFrom(v) {
		if u.Referrers() == nil {
			continue
		}
		for _, user := range *u.Referrers() {
			if store, ok := user.(*ssa.Store); ok && store.Val == u && inside[w.at[store]] && ownVariableOf(store.Addr) != nil {
				return w.findDerivedFrom(v, inside)
			}
		}
	}
	return w.derivedFrom(v)
}

func (w *flow) findDerivedFrom(v ssa.Value, inside placeSet) map[ssa.Value]bool {
	derived := map[ssa.Value]bool{v: true}
	work := []ssa.Value{v}
	add := func(v ssa.Value) {
		if !derived[v] {
			derived[v] = true
			work = append(work, v)
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v.Referrers() == nil {
			continue
		}
		for _, user := range *v.Referrers() {
			if branch, ok := user.(*ssa.If); ok {
				for _, phi := range w.decidedBy(branch) {
					add(phi)
				}
			}
			if result, ok := user.(ssa.Value); ok && (computes(user) || w.isLook(result)) {
				add(result)
			}
			if store, ok := user.(*ssa.Store); ok && store.Val == v && inside != nil && inside[w.at[store]] {
				if variable := ownVariableOf(store.Addr); variable != nil {
					add(variable)
				}
			}
		}
	}
	return derived
}

// isLook tells whether the value is what is read of the atomic set, or the result of a call
// that only looks at that, and computes its result from that and its arguments.
func (w *flow) isLook(v ssa.Value) bool { return slices.Contains(w.looks, v) }

// computes tells whether the value of an instruction is computed from its operands,
// and from memory that they lead to, without further effect.
func computes(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.BinOp, *ssa.UnOp, *ssa.ChangeType, *ssa.Convert, *ssa.MultiConvert, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.SliceToArrayPointer,
		*ssa.Phi, *ssa.Extract, *ssa.Field, *ssa.FieldAddr, *ssa.Index, *ssa.IndexAddr, *ssa.Lookup, *ssa.Slice, *ssa.TypeAssert, *ssa.Range, *ssa.Next,
		*ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
		return true
	case *ssa.Call:
		return isPureCall(v.Common()) || isBuiltin(v, "append") || isAtomicLoad(v)
	}
	return false
}

// isBuiltin tells whether the instruction calls a built-in function with the name.
func isBuiltin(instr ssa.Instruction, name string) bool {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	b, ok := call.Common().Value.(*ssa.Builtin)
	return ok && b.Name() == name
}

// isAtomicLoad tells whether the instruction is a load by package sync/atomic.
func isAtomicLoad(instr ssa.Instruction) bool {
	effect, ok := atomicEffect(instr)
	return ok && effect.Reads && !effect.Writes
}

// isCompareAndSwap tells whether the instruction is one of package sync/atomic.
func isCompareAndSwap(instr ssa.Instruction) bool {
	effect, ok := atomicEffect(instr)
	return ok && effect.MayFail && knowledge.IsAtomic(instr.(*ssa.Call).Call.StaticCallee())
}

// atomicEffect returns what an operation of package sync/atomic does.
func atomicEffect(instr ssa.Instruction) (knowledge.Effect, bool) {
	call, ok := instr.(*ssa.Call)
	if !ok || call.Common().StaticCallee() == nil {
		return knowledge.Effect{}, false
	}
	effect, ok := knowledge.Accesses(call.Common().StaticCallee())
	return effect, ok && effect.Atomic
}

// decidedBy returns the phis that tell which way the branch went: where its ways
// meet, and at the head of a loop that it is in, unless they only count the
// iterations or have one value in all of them.
func (w *flow) decidedBy(branch *ssa.If) []*ssa.Phi {
	return remember(w.decided, branch, func() []*ssa.Phi { return w.findDecidedBy(branch) })
}

func (w *flow) findDecidedBy(branch *ssa.If) []*ssa.Phi {
	var all []*ssa.Phi
	from := branch.Block()
	for _, b := range w.fn.Blocks {
		head := phis(b)
		if len(head) == 0 || b.Idom() == nil {
			continue
		}
		meets := isOnWay(b.Idom(), from, b)
		loops := b.Dominates(from) && blockReaches(from, b, nil)
		for _, phi := range head {
			if meets || loops && !isCounter(phi) && !isKept(phi) {
				all = append(all, phi)
			}
		}
	}
	return all
}

// isKept tells whether the phi at the head of a loop has the value in all iterations with
// which the loop was entered.
func isKept(phi *ssa.Phi) bool {
	for i, pred := range phi.Block().Preds {
		if phi.Block().Dominates(pred) && phi.Edges[i] != ssa.Value(phi) {
			return false
		}
	}
	return true
}

// isOnWay tells whether a way from a block to another one that is entered once, at
// its end, passes through on.
func isOnWay(from, on, to *ssa.BasicBlock) bool {
	return on != to && (on == from || blockReaches(from, on, to)) && blockReaches(on, to, from)
}

// blockReaches tells whether control can go from the end of a block to another one
// without passing a third.
func blockReaches(from, to, without *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, next := range b.Succs {
			if next == to {
				return true
			}
			if next != without && !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return false
}

// isCounter tells whether the phi is a variable that goes up or down by a constant
// in each iteration, and only bounds the loop or indexes.
func isCounter(phi *ssa.Phi) bool {
	steps := 0
	for _, e := range phi.Edges {
		step, ok := e.(*ssa.BinOp)
		if !ok || step.X != ssa.Value(phi) || step.Op != token.ADD && step.Op != token.SUB {
			continue
		}
		if _, isConst := step.Y.(*ssa.Const); !isConst || !onlyCounts(step, phi) {
			return false
		}
		steps++
	}
	return steps > 0 && steps == len(phi.Edges)-1 && onlyCounts(phi, phi)
}

// onlyCounts tells whether the value is only compared, stepped and used as an index, and
// that in the loop: behind it, it would tell when that was left.
func onlyCounts(v ssa.Value, phi *ssa.Phi) bool {
	for _, user := range *v.Referrers() {
		if _, isDebug := user.(*ssa.DebugRef); !isDebug && user != ssa.Instruction(phi) && !blockReaches(user.Block(), phi.Block(), nil) {
			return false
		}
		switch u := user.(type) {
		case *ssa.BinOp:
			switch u.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
			case token.ADD, token.SUB:
				if v != ssa.Value(phi) || u.X != v {
					return false
				}
			default:
				return false
			}
		case *ssa.IndexAddr:
			if u.X == v {
				return false
			}
		case *ssa.Phi:
			if u != phi {
				return false
			}
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}
