package fresh

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// origin is where a pointer comes from: the values that made the memory that it
// leads to.
type origin struct {
	known bool // roots are all that it can come from
	roots map[ssa.Value]way
	deep  map[ssa.Value]bool // of the roots: it may lead to what their memory holds, which was made for them
}

func (o origin) clone() origin { return origin{o.known, maps.Clone(o.roots), maps.Clone(o.deep)} }

// rootsOf follows a pointer that an instruction uses back to what made its memory.
func (a *Analysis) rootsOf(n *pointsto.Node, v ssa.Value, use ssa.Instruction) origin {
	return a.rootsOfField(n, v, -1, use)
}

// rootsGiven is rootsOf where the memory of some parameters, as bits, is fresh.
func (a *Analysis) rootsGiven(n *pointsto.Node, v ssa.Value, use ssa.Instruction, given uint64) origin {
	t := a.newTracer(n, -1)
	t.given = given
	t.trace(v, way{{to: use}})
	return t.origin
}

// rootsOfField is rootsOf for a field of a struct that is no pointer; -1 for all of it.
func (a *Analysis) rootsOfField(n *pointsto.Node, v ssa.Value, field int, use ssa.Instruction) origin {
	t := a.newTracer(n, field)
	t.trace(v, way{{to: use}})
	return t.origin
}

func (a *Analysis) newTracer(n *pointsto.Node, field int) *tracer {
	return &tracer{analysis: a, node: n, seen: map[part]bool{}, field: field,
		origin: origin{known: true, roots: map[ssa.Value]way{}, deep: map[ssa.Value]bool{}}}
}

// part is a value, or one field of a struct, -1 for all of it.
type part struct {
	value ssa.Value
	field int
}

type tracer struct {
	analysis *Analysis
	node     *pointsto.Node
	seen     map[part]bool // with true if what is known of its way was not empty
	field    int           // of the struct that is traced, the only one that is asked for; -1 for all
	given    uint64        // the parameters that are fresh, as bits, besides those that are so at every call
	origin
}

// traceField traces a value, or one field of a struct, -1 for all of it.
func (t *tracer) traceField(v ssa.Value, field int, w way) {
	before := t.field
	t.field = field
	t.trace(v, w)
	t.field = before
}

// trace adds what v comes from; w is the way from there to the use, nil if v may be from
// an earlier round of a loop.
func (t *tracer) trace(v ssa.Value, w way) {
	hadWay, again := t.seen[part{v, t.field}]
	if again && !hadWay || !t.known {
		return
	}
	if again {
		w = nil // there are two
	}
	t.seen[part{v, t.field}] = w != nil
	switch v := v.(type) {
	case *ssa.Const:
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
		t.root(v, w)
	case *ssa.Parameter:
		at := slices.Index(v.Parent().Params, v)
		isGiven := at < 64 && t.given&(1<<at) != 0
		if t.known = t.node != nil && (isGiven || t.analysis.isFreshParameter(t.node, v)); t.known {
			t.root(v, nil)
		}
	case *ssa.FieldAddr:
		t.trace(v.X, w)
	case *ssa.IndexAddr:
		t.trace(v.X, w)
	case *ssa.Slice:
		t.trace(v.X, w)
	case *ssa.ChangeType:
		t.trace(v.X, w)
	case *ssa.SliceToArrayPointer:
		t.trace(v.X, w)
	case *ssa.ChangeInterface:
		t.trace(v.X, w)
	case *ssa.MakeInterface:
		if _, isPointer := v.X.Type().Underlying().(*types.Pointer); isPointer {
			t.trace(v.X, w)
		} else {
			t.known = false
		}
	case *ssa.Phi:
		for i, e := range v.Edges {
			t.trace(e, w.chosen(v, i))
		}
	case *ssa.UnOp:
		t.load(v, w)
	case *ssa.Call:
		t.call(v, w)
	case *ssa.Extract:
		call, ok := v.Tuple.(*ssa.Call)
		if t.known = ok && t.analysis.returnsFresh(call, v.Index, t.field); t.known {
			t.root(v, w)
		}
	default:
		t.known = false
	}
}

func (t *tracer) root(v ssa.Value, w way) {
	if made, ok := v.(ssa.Instruction); !ok || !w.isFromLatest(made) {
		w = nil
	}
	t.roots[v] = w
}

// load traces a pointer that is loaded from a variable or a field of memory made in
// the same function, or by a function that it calls; or from other memory, if it leads to what nothing else leads to.
func (t *tracer) load(v *ssa.UnOp, w way) {
	before := t.origin.clone()
	if t.loadMade(v, w); !t.known && t.node != nil && t.field < 0 && v.Op == token.MUL &&
		t.analysis.leadsToHeldOnce(t.node, v) {
		t.origin = before
		t.trace(v.X, nil)
	}
}

func (t *tracer) loadMade(v *ssa.UnOp, w way) {
	holder, field, ok := madePlace(v.X)
	if t.known = ok && v.Op == token.MUL; !t.known {
		return
	}
	if field < 0 {
		field = t.field // a struct is loaded, and of that one field is asked for
	}
	t.contents(holder, field, v, w)
}

// contents traces what a field of the memory, or all of it, holds when an instruction is
// executed: it comes from what was stored there, all of it known.
func (t *tracer) contents(holder ssa.Value, field int, at ssa.Instruction, w way) {
	if isHandedBefore(holder, at) {
		t.known = false
		return
	}
	t.root(holder, w)
	if last := lastStore(holder, field, at); last != nil {
		t.traceField(last.Val, -1, w)
		return
	}
	if _, isVariable := holder.(*ssa.Alloc); !isVariable {
		t.deep[holder] = true
		if t.known = field >= 0 && t.analysis.returnsHolding(holder, field); !t.known {
			return
		}
	}
	stores := storesTo(holder)
	for _, store := range stores {
		to, f, ok := madePlace(store.Addr)
		switch {
		case !ok || to != holder:
			t.known = false
		case f == field:
			t.traceField(store.Val, -1, w.stored(store, at, holder.(ssa.Instruction), stores))
		case field < 0: // of one field, and all are loaded
			if HoldsPointers(store.Val.Type()) {
				t.traceField(store.Val, -1, nil)
			}
		case f < 0: // of the whole struct
			if _, zero := store.Val.(*ssa.Const); !zero {
				t.traceField(store.Val, field, nil)
			}
		}
	}
}

// lastStore returns the store that gave the field of the memory the value that is
// loaded, if it is the same one whichever way control has come, else nil.
func lastStore(holder ssa.Value, field int, load ssa.Instruction) *ssa.Store {
	stores := storesTo(holder)
	overwrites := func(other *ssa.Store) bool {
		to, f, ok := madePlace(other.Addr)
		return !ok || to != holder || f == field || f < 0 || field < 0
	}
	for _, store := range stores {
		if to, f, ok := madePlace(store.Addr); !ok || to != holder || f != field || !dominates(store, load) {
			continue
		}
		if !slices.ContainsFunc(stores, func(other *ssa.Store) bool {
			return other != store && overwrites(other) && reaches(other, load, store)
		}) {
			return store
		}
	}
	return nil
}

// dominates tells whether control comes to the second instruction only after the
// first.
func dominates(first, second ssa.Instruction) bool {
	if first.Block() == second.Block() {
		return index(first) < index(second)
	}
	return first.Block().Dominates(second.Block())
}

// place returns the memory made in the same function that the address is of, and
// the field of it; -1 for all of it.
func place(address ssa.Value) (holder *ssa.Alloc, field int, ok bool) {
	field = -1
	if f, isField := address.(*ssa.FieldAddr); isField {
		address, field = held(f.X), f.Field
	}
	holder, ok = address.(*ssa.Alloc)
	return holder, field, ok
}

// madePlace is place for memory that a call has made, too.
func madePlace(address ssa.Value) (holder ssa.Value, field int, ok bool) {
	if holder, field, ok := place(address); ok {
		return holder, field, true
	}
	f, isField := address.(*ssa.FieldAddr)
	if !isField {
		return nil, -1, false
	}
	switch made := f.X.(type) {
	case *ssa.Call, *ssa.Extract:
		return made, f.Field, true
	}
	return nil, -1, false
}

// placeOrElement is place for the elements of an array, too, such as the arguments of a
// variadic call.
func placeOrElement(address ssa.Value) (holder *ssa.Alloc, ok bool) {
	if holder, _, ok = place(address); ok {
		return holder, true
	}
	if element, isElement := address.(*ssa.IndexAddr); isElement {
		holder, ok = element.X.(*ssa.Alloc)
	}
	return holder, ok
}

// storesTo returns the stores to the memory, through addresses derived from it.
func storesTo(holder ssa.Value) []*ssa.Store {
	var all []*ssa.Store
	for _, v := range derived(holder) {
		for _, r := range *v.Referrers() {
			if store, ok := r.(*ssa.Store); ok && store.Addr == v {
				all = append(all, store)
			}
		}
	}
	return all
}

// derived returns the value and those that are addresses of parts of its memory, or
// the same address, as far as that can be seen in the function.
func derived(v ssa.Value) []ssa.Value {
	all, seen := []ssa.Value{v}, map[ssa.Value]bool{v: true}
	for i := 0; i < len(all); i++ {
		for _, r := range *all[i].Referrers() {
			if next, ok := r.(ssa.Value); ok && !seen[next] && isDerived(next, all[i]) {
				seen[next] = true
				all = append(all, next)
			}
			for _, load := range loadsOf(variableSet(r, all[i])) {
				if !seen[load] {
					seen[load] = true
					all = append(all, load)
				}
			}
		}
	}
	return all
}

// isDerived tells whether v leads into the same memory as its operand from.
func isDerived(v, from ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Slice, *ssa.ChangeType, *ssa.SliceToArrayPointer, *ssa.Phi,
		*ssa.MakeInterface, *ssa.ChangeInterface, *ssa.TypeAssert:
		return true
	case *ssa.Extract:
		_, ok := v.Tuple.(*ssa.TypeAssert)
		return ok
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "append" && v.Call.Args[0] == from
	}
	return false
}

// call traces the result of a call.
func (t *tracer) call(v *ssa.Call, w way) {
	if b, ok := v.Call.Value.(*ssa.Builtin); ok {
		if t.known = b.Name() == "append"; t.known {
			t.root(v, w)
			t.trace(v.Call.Args[0], w)
		}
		return
	}
	if i := handsBack(v); i >= 0 && t.field < 0 {
		t.trace(v.Call.Args[i], w)
		return
	}
	if t.known = t.analysis.returnsFresh(v, 0, t.field); t.known {
		t.root(v, w)
	}
}
