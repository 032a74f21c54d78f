package fresh

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// What fresh memory holds is fresh, too, if nothing else holds it, as
//
//	m := &Module{names: &Names{}}
//	fill(m) // m.names.all = ...
//
// Of the memory that an instruction makes it is enough to look at all places where its address may be
// stored: by each it was made for that place, and is kept nowhere else, or it is moved about within the
// memory of one object. Then whoever gets at it has come through that object: an ownership that is found by
// points-to sets (ownership types: Clarke, Potter and Noble, OOPSLA 1998).

// maxHolders bounds the call-graph nodes that are looked at for one object: what more have at hand is taken to be
// shared.
const maxHolders = 300

// isHeldOnce tells whether the memory of the object is reached through one other object only, the one in which
// its address was stored first. Objects that hold each other are taken to be so as long as nothing speaks against it:
// the greatest fixpoint.
func (a *Analysis) isHeldOnce(o *pointsto.Object) bool {
	if known := a.held[o]; known != unasked {
		return known == yes
	}
	if slices.Contains(a.asked, o) {
		return true // as far as is known: whoever asked first will see
	}
	before := len(a.asked)
	a.asked = append(a.asked, o)
	is := a.findHolders(o)
	if !is {
		a.held[o] = no
		a.asked = a.asked[:before] // the answers since then may have taken this one for granted
	}
	if before == 0 {
		for _, other := range a.asked {
			a.held[other] = yes
		}
		a.asked = nil
	}
	return is
}

// findHolders looks at all that can do something with the address of the object.
func (a *Analysis) findHolders(o *pointsto.Object) bool {
	if o.Site == nil || a.ctx.Err() != nil {
		return false
	}
	nodes := a.graph.Holders(o)
	if len(nodes) > maxHolders {
		return false
	}
	h := &holders{a, a.graph.Region(o)}
	for _, n := range nodes {
		if !a.graph.Analysed(n) {
			continue // what it is handed is looked at where it is called
		}
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				if !h.allows(n, instr) {
					return false
				}
			}
		}
	}
	return true
}

// holders looks for what holds an address of a region.
type holders struct {
	*Analysis
	region *pointsto.Region
}

func (h *holders) may(n *pointsto.Node, v ssa.Value) bool {
	return HoldsPointers(v.Type()) && h.graph.MayPointInto(n, v, h.region)
}

func (h *holders) mayAny(n *pointsto.Node, all []ssa.Value) bool {
	return slices.ContainsFunc(all, func(v ssa.Value) bool { return h.may(n, v) })
}

// allows tells whether the instruction gives the address to nobody but the one object.
func (h *holders) allows(n *pointsto.Node, instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.Store:
		return isPlainVariable(v.Addr) || !h.may(n, v.Val) || h.isPlaced(n, v.Val, v.Addr, v)
	case *ssa.MapUpdate:
		return !h.may(n, v.Key) && (!h.may(n, v.Value) || h.isPlaced(n, v.Value, v.Map, v))
	case *ssa.Send:
		return !h.may(n, v.X)
	case *ssa.Select:
		return !slices.ContainsFunc(v.States, func(s *ssa.SelectState) bool {
			return s.Dir == types.SendOnly && h.may(n, s.Send)
		})
	case *ssa.MakeClosure:
		return !h.mayAny(n, v.Bindings)
	case *ssa.Go:
		return !h.mayAny(n, append([]ssa.Value{v.Call.Value}, v.Call.Args...))
	case *ssa.Panic:
		return !h.may(n, v.X)
	case *ssa.Convert:
		return !h.may(n, v.X)
	case *ssa.MakeInterface: // a copy of what is no pointer itself, which others may get at
		_, isPointer := v.X.Type().Underlying().(*types.Pointer)
		return isPointer || !h.may(n, v.X)
	case ssa.CallInstruction:
		return h.allowsCall(n, v)
	}
	return true
}

// allowsCall tells whether a function that is called is looked at itself, or keeps nothing.
func (h *holders) allowsCall(n *pointsto.Node, call ssa.CallInstruction) bool {
	common := call.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append", "copy": // elements are copied, which others hold, too
			return len(h.graph.ElementsWithin(n, common.Args[1], h.region)) == 0
		case "panic":
			return false
		}
		return true
	}
	args := common.Args
	if common.IsInvoke() {
		args = append([]ssa.Value{common.Value}, args...)
	}
	if !h.mayAny(n, args) {
		return true
	}
	callees := h.graph.Callees(n, call)
	return len(callees) > 0 && !slices.ContainsFunc(callees, func(callee *pointsto.Node) bool {
		return !h.graph.Analysed(callee) && !knowledge.Forgets(callee.Func)
	})
}

// isPlainVariable tells whether the address is that of a variable for a pointer that only the function itself uses.
func isPlainVariable(address ssa.Value) bool {
	variable, ok := address.(*ssa.Alloc)
	return ok && !variable.Heap && isPointerLike(variable.Type().Underlying().(*types.Pointer).Elem())
}

// isPointerLike tells whether a value of the type is one pointer.
func isPointerLike(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Slice:
		return true
	}
	return false
}

// isPlaced tells whether the value that an instruction stores was made for that place, or comes from within the
// memory of the object where it is stored.
func (h *holders) isPlaced(n *pointsto.Node, v, place ssa.Value, at ssa.Instruction) bool {
	if h.isMadeFor(v, at, map[ssa.Value]bool{}) {
		return true
	}
	owner := h.ownerOf(n, place)
	return owner != nil && owner == h.ownerOf(n, v)
}

// isMadeFor tells whether the value leads to memory that was made for the instruction to store it.
func (h *holders) isMadeFor(v ssa.Value, at ssa.Instruction, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	isHarmless := func(call *ssa.Call, v ssa.Value) bool {
		return (&escape{analysis: h.Analysis}).isHarmless(call, v)
	}
	isKept := func(v ssa.Value) bool { return isKeptOnlyBy(v, at, isHarmless, map[ssa.Value]bool{}) }
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
		return isKept(v)
	case *ssa.Slice:
		return h.isMadeFor(v.X, at, seen)
	case *ssa.MakeInterface:
		return h.isMadeFor(v.X, at, seen)
	case *ssa.ChangeInterface:
		return h.isMadeFor(v.X, at, seen)
	case *ssa.ChangeType:
		return h.isMadeFor(v.X, at, seen)
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !h.isMadeFor(e, at, seen) })
	case *ssa.UnOp:
		store, ok := at.(*ssa.Store)
		return ok && StaysInPlace(v, store, seen)
	case *ssa.Call:
		if ssaflow.IsBuiltin(v, "append") {
			return h.isMadeFor(v.Call.Args[0], at, seen)
		}
		return h.returnsFresh(v, 0, -1) && isKept(v)
	case *ssa.Extract:
		call, ok := v.Tuple.(*ssa.Call)
		return ok && h.returnsFresh(call, v.Index, -1) && isKept(v)
	}
	return false
}

// StaysInPlace tells whether what is loaded is stored where it was. passed has the values on the way from the load to
// the store: where they are merged, the object may be another one than in an earlier round of a loop.
func StaysInPlace(load *ssa.UnOp, store *ssa.Store, passed map[ssa.Value]bool) bool {
	if load.Op != token.MUL || !ssaflow.IsSameField(load.X, store.Addr) {
		return false
	}
	address := load.X
	for {
		field, ok := address.(*ssa.FieldAddr)
		if !ok {
			break
		}
		address = field.X
	}
	if _, isMade := address.(ssa.Instruction); !isMade {
		return true
	}
	for v := range passed {
		if _, isMerged := v.(*ssa.Phi); isMerged {
			return false
		}
	}
	return true
}

// ownerOf follows an address, or a value that is loaded from memory, back to the object through which alone that can
// be reached: the value that leads to it, nil if there is none.
func (a *Analysis) ownerOf(n *pointsto.Node, v ssa.Value) ssa.Value {
	for {
		switch w := ssaflow.BaseOf(v).(type) {
		case *ssa.ChangeType:
			v = w.X
		case *ssa.UnOp:
			if w.Op != token.MUL || !a.leadsToHeldOnce(n, w) {
				return nil
			}
			v = w.X
		case *ssa.Parameter, *ssa.Alloc, *ssa.Call, *ssa.Extract:
			return w
		default:
			return nil
		}
	}
}

// leadsToHeldOnce tells whether a pointer that is loaded from a field or an element is the only one to where it leads,
// but for others in the same object.
func (a *Analysis) leadsToHeldOnce(n *pointsto.Node, load *ssa.UnOp) bool {
	switch load.X.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr:
	default:
		return false
	}
	if !isPointerLike(load.Type()) {
		return false
	}
	objects := a.graph.PointsTo(n, load).Objects()
	return len(objects) > 0 && !slices.ContainsFunc(objects, func(o *pointsto.Object) bool { return !a.isHeldOnce(o) })
}
