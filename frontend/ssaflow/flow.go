package ssaflow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// Place is an instruction by its number in its function.
type Place int

// Flow is the control flow of a function by instructions, and what its values are
// computed from.
type Flow struct {
	fn     *ssa.Function
	Facts  *Function
	Instrs []ssa.Instruction
	At     map[ssa.Instruction]Place
	Succs  [][]Place
	Preds  [][]Place
	Looks  []ssa.Value // reads of the atomic set, and calls that only look at it, if they are known

	// What has been computed before, see the functions of these names.
	live    map[Place]map[ssa.Value]bool
	derived map[ssa.Value]map[ssa.Value]bool
	decided map[*ssa.If][]*ssa.Phi
	Closed  map[*ssa.If]PlaceSet
}

// Remember returns what is known for a key, or computes it.
func Remember[K comparable, V any](known map[K]V, key K, compute func() V) V {
	v, ok := known[key]
	if !ok {
		v = compute()
		known[key] = v
	}
	return v
}

// NewFlow returns the control flow of a function by instructions. Linear in its size.
func NewFlow(f *Function) *Flow {
	w := &Flow{
		fn: f.Func, Facts: f, At: map[ssa.Instruction]Place{},
		live: map[Place]map[ssa.Value]bool{}, derived: map[ssa.Value]map[ssa.Value]bool{},
		decided: map[*ssa.If][]*ssa.Phi{}, Closed: map[*ssa.If]PlaceSet{},
	}
	for _, b := range f.Func.Blocks {
		for _, instr := range b.Instrs {
			w.At[instr] = Place(len(w.Instrs))
			w.Instrs = append(w.Instrs, instr)
		}
	}
	w.Succs, w.Preds = make([][]Place, len(w.Instrs)), make([][]Place, len(w.Instrs))
	link := func(from, to ssa.Instruction) {
		p, q := w.At[from], w.At[to]
		w.Succs[p], w.Preds[q] = append(w.Succs[p], q), append(w.Preds[q], p)
	}
	for _, b := range f.Func.Blocks {
		for i := 1; i < len(b.Instrs); i++ {
			link(b.Instrs[i-1], b.Instrs[i])
		}
		for _, next := range b.Succs {
			link(b.Instrs[len(b.Instrs)-1], next.Instrs[0])
		}
	}
	return w
}

// PlaceSet is a set of instructions of one function.
type PlaceSet []bool

// Reach returns what can be reached from the neighbours of a place along the edges
// without passing through a place that stops. Places that stop are reached.
func Reach(from Place, edges [][]Place, stops func(Place) bool) PlaceSet {
	seen := make(PlaceSet, len(edges))
	work := []Place{from}
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

// Between returns the instructions on paths from r to the next q that do not
// execute r again; neither of the two is among them. ok is false if no path leads
// there.
func (w *Flow) Between(r, q Place) (inside PlaceSet, ok bool) {
	stop := func(p Place) bool { return p == r || p == q }
	inside = Reach(r, w.Succs, stop)
	if !inside[q] {
		return nil, false
	}
	back := Reach(q, w.Preds, stop)
	for p := range inside {
		inside[p] = inside[p] && back[p] && !stop(Place(p))
	}
	return inside, true
}

// StrictlyDominates tells whether every path to q passes p before.
func (w *Flow) StrictlyDominates(p, q Place) bool {
	b, c := w.Instrs[p].Block(), w.Instrs[q].Block()
	if b == c {
		return p < q
	}
	return b.Dominates(c)
}

// LiveBefore returns the values that are used at or after a place.
func (w *Flow) LiveBefore(p Place) map[ssa.Value]bool {
	return Remember(w.live, p, func() map[ssa.Value]bool { return w.findLiveBefore(p) })
}

func (w *Flow) findLiveBefore(p Place) map[ssa.Value]bool {
	b := w.Instrs[p].Block()
	live := map[ssa.Value]bool{}
	for _, next := range b.Succs {
		for v := range w.Facts.LiveIn[next.Index].All() {
			live[v] = true
		}
		for _, phi := range Phis(next) {
			delete(live, phi)
		}
	}
	for _, next := range b.Succs {
		for i, pred := range next.Preds {
			if pred == b {
				for _, phi := range Phis(next) {
					live[phi.Edges[i]] = true
				}
			}
		}
	}
	for q := w.At[b.Instrs[len(b.Instrs)-1]]; q >= p; q-- {
		instr := w.Instrs[q]
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

// DerivedFrom returns the values that are computed from v, itself included, and
// those that say which way a branch on one of them went.
func (w *Flow) DerivedFrom(v ssa.Value) map[ssa.Value]bool {
	return Remember(w.derived, v, func() map[ssa.Value]bool { return w.findDerivedFrom(v, nil) })
}

// DerivedWithin is derivedFrom with what is computed through variables that get a
// value in one of the places.
func (w *Flow) DerivedWithin(v ssa.Value, inside PlaceSet) map[ssa.Value]bool {
	for u := range w.DerivedFrom(v) {
		if u.Referrers() == nil {
			continue
		}
		for _, user := range *u.Referrers() {
			if store, ok := user.(*ssa.Store); ok && store.Val == u && inside[w.At[store]] && OwnVariableOf(store.Addr) != nil {
				return w.findDerivedFrom(v, inside)
			}
		}
	}
	return w.DerivedFrom(v)
}

func (w *Flow) findDerivedFrom(v ssa.Value, inside PlaceSet) map[ssa.Value]bool {
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
			if result, ok := user.(ssa.Value); ok && (Computes(user) || w.IsLook(result)) {
				add(result)
			}
			if store, ok := user.(*ssa.Store); ok && store.Val == v && inside != nil && inside[w.At[store]] {
				if variable := OwnVariableOf(store.Addr); variable != nil {
					add(variable)
				}
			}
		}
	}
	return derived
}

// IsLook tells whether the value is what is read of the atomic set, or the result of a call
// that only looks at that, and computes its result from that and its arguments.
func (w *Flow) IsLook(v ssa.Value) bool { return slices.Contains(w.Looks, v) }

// Computes tells whether the value of an instruction is computed from its operands,
// and from memory that they lead to, without further effect.
func Computes(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.BinOp, *ssa.UnOp, *ssa.ChangeType, *ssa.Convert, *ssa.MultiConvert, *ssa.ChangeInterface, *ssa.MakeInterface,
		*ssa.SliceToArrayPointer,
		*ssa.Phi, *ssa.Extract, *ssa.Field, *ssa.FieldAddr, *ssa.Index, *ssa.IndexAddr, *ssa.Lookup, *ssa.Slice,
		*ssa.TypeAssert, *ssa.Range, *ssa.Next,
		*ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
		return true
	case *ssa.Call:
		return IsPureCall(v.Common()) || IsBuiltin(v, "append") || IsAtomicLoad(v)
	}
	return false
}

// IsBuiltin tells whether the instruction calls a built-in function with the name.
func IsBuiltin(instr ssa.Instruction, name string) bool {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	b, ok := call.Common().Value.(*ssa.Builtin)
	return ok && b.Name() == name
}

// IsAtomicLoad tells whether the instruction is a load by package sync/atomic.
func IsAtomicLoad(instr ssa.Instruction) bool {
	effect, ok := AtomicEffect(instr)
	return ok && effect.Reads && !effect.Writes
}

// IsCompareAndSwap tells whether the instruction is one of package sync/atomic.
func IsCompareAndSwap(instr ssa.Instruction) bool {
	effect, ok := AtomicEffect(instr)
	return ok && effect.MayFail && knowledge.IsAtomic(instr.(*ssa.Call).Call.StaticCallee())
}

// AtomicEffect returns what an operation of package sync/atomic does.
func AtomicEffect(instr ssa.Instruction) (knowledge.Effect, bool) {
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
func (w *Flow) decidedBy(branch *ssa.If) []*ssa.Phi {
	return Remember(w.decided, branch, func() []*ssa.Phi { return w.findDecidedBy(branch) })
}

func (w *Flow) findDecidedBy(branch *ssa.If) []*ssa.Phi {
	var all []*ssa.Phi
	from := branch.Block()
	for _, b := range w.fn.Blocks {
		head := Phis(b)
		if len(head) == 0 || b.Idom() == nil {
			continue
		}
		meets := isOnWay(b.Idom(), from, b)
		loops := b.Dominates(from) && BlockReaches(from, b, nil)
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
	return on != to && (on == from || BlockReaches(from, on, to)) && BlockReaches(on, to, from)
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
		if _, isDebug := user.(*ssa.DebugRef); !isDebug && user != ssa.Instruction(phi) &&
			!BlockReaches(user.Block(), phi.Block(), nil) {
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
