package pointsto

import (
	"context"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/limit"
)

// value returns the first node of the slots of v in n; 0 if it has no slots or
// is nil. Values that only rename (parts of) others share their nodes.
func (s *solver) value(n *Node, v ssa.Value) uint32 {
	switch v.(type) {
	case *ssa.Const, *ssa.Builtin:
		return 0
	}
	if _, basic := v.Type().(*types.Basic); basic && s.layouts.slots(v.Type()) == 0 {
		return 0
	}
	if id, ok := n.values[v]; ok {
		return id
	}
	id := uint32(0)
	switch v := v.(type) {
	case *ssa.Global:
		id = s.share(n, s.global(v), 1)
	case *ssa.Function:
		id = s.share(n, s.functionValue(n, v), 1)
	case *ssa.Call:
		if callee := s.onlyCallee(n, v); callee != nil {
			id = s.share(n, s.result(callee), s.layouts.slots(v.Type()))
		} else {
			id = s.newValue(n, v)
		}
	case *ssa.ChangeType:
		id = s.value(n, v.X)
	case *ssa.ChangeInterface:
		id = s.value(n, v.X)
	case *ssa.Slice:
		id = s.value(n, v.X)
	case *ssa.SliceToArrayPointer:
		id = s.value(n, v.X)
	case *ssa.Range:
		id = s.value(n, v.X)
	case *ssa.Extract:
		id = s.part(s.value(n, v.Tuple), v.Tuple.Type(), v.Index, v.Type())
	case *ssa.Field:
		id = s.part(s.value(n, v.X), v.X.Type(), v.Field, v.Type())
	case *ssa.Index:
		if _, array := v.X.Type().Underlying().(*types.Array); array {
			id = s.part(s.value(n, v.X), nil, 0, v.Type())
		}
	case *ssa.Alloc:
		t := v.Type().Underlying().(*types.Pointer).Elem()
		id = s.allocated(n, v, t, memory, func() *layout { return s.layouts.value(t) })
	case *ssa.MakeSlice:
		id = s.allocatedArray(n, v, v.Type())
	case *ssa.MakeMap:
		id = s.allocated(n, v, v.Type(), reference, func() *layout { return s.layouts.object(v.Type()) })
	case *ssa.MakeChan:
		id = s.allocated(n, v, v.Type(), reference, func() *layout { return s.layouts.object(v.Type()) })
	case *ssa.MakeClosure:
		id = s.allocated(n, v, v.Type(), function, func() *layout { return s.closureLayout(v) })
	default:
		id = s.newValue(n, v)
	}
	n.values[v] = id
	return id
}

// newValue makes the nodes of a value.
func (s *solver) newValue(n *Node, v ssa.Value) uint32 {
	if slots := s.layouts.slots(v.Type()); slots > 0 {
		return s.newNodes(n, slots)
	}
	return 0
}

// share notes that n has a value with nodes that are not made for it, the first of which
// is id.
func (s *solver) share(n *Node, id uint32, nodes int) uint32 {
	if id != 0 {
		for i := range uint32(nodes) {
			s.shares = append(s.shares, share{id + i, int32(n.ID)})
		}
	}
	return id
}

// part returns the node of component i of a tuple or struct, which has type t.
func (s *solver) part(whole uint32, of types.Type, i int, t types.Type) uint32 {
	if whole == 0 || s.layouts.slots(t) == 0 {
		return 0
	}
	if of == nil {
		return whole
	}
	return whole + s.layouts.slot(of, i)
}

// pointer returns a node, of a value of n, that holds one label for ever.
func (s *solver) pointer(n *Node, label uint32) uint32 {
	id := s.newNodes(n, 1)
	s.node(id).fixed = label
	s.node(id).points.add(label)
	return id
}

func (s *solver) allocated(n *Node, v ssa.Value, t types.Type, kind objectKind, l func() *layout) uint32 {
	return s.pointer(n, s.object(v, n.Context, t, kind, l).base)
}

// allocatedArray allocates the array behind a slice of type t.
func (s *solver) allocatedArray(n *Node, v ssa.Value, t types.Type) uint32 {
	o := s.arrayObject(n, v, t)
	if o == nil {
		return 0
	}
	return s.pointer(n, o.base)
}

func (s *solver) arrayObject(n *Node, v ssa.Value, t types.Type) *Object {
	slice, ok := t.Underlying().(*types.Slice)
	if !ok {
		return nil
	}
	if o := s.known(v, s.truncate(n.Context, maxContext-1)); o != nil {
		return o
	}
	array := types.NewArray(slice.Elem(), -1) // of unknown length
	return s.object(v, n.Context, array, memory, func() *layout { return s.layouts.value(array) })
}

func (s *solver) global(v *ssa.Global) uint32 {
	id := s.knownGlobal(v)
	if id == 0 {
		t := v.Type().Underlying().(*types.Pointer).Elem()
		id = s.pointer(nil, s.object(v, nil, t, memory, func() *layout { return s.layouts.value(t) }).base)
		s.globals[v] = id
	}
	return id
}

// knownGlobal returns the node of the address of a global or function, 0 if there
// is none yet.
func (s *solver) knownGlobal(v ssa.Value) uint32 {
	if s.refinement != nil {
		if id := s.base.globals[v]; id != 0 && !s.split[s.base.cells[s.base.node(id).fixed].object] {
			return id
		}
	}
	return s.globals[v]
}

// functionValue returns the node of a function as a value. A literal without
// captured variables belongs to the context of the function around it.
func (s *solver) functionValue(n *Node, f *ssa.Function) uint32 {
	if f.Parent() != nil && n.Context != nil {
		if id, ok := n.values[f]; ok {
			return id
		}
		n.values[f] = s.pointer(n, s.object(f, n.Context, f.Type(), function, func() *layout {
			return s.functionLayout(f)
		}).base)
		return n.values[f]
	}
	id := s.knownGlobal(f)
	if id == 0 {
		id = s.pointer(nil, s.object(f, nil, f.Type(), function, func() *layout { return s.functionLayout(f) }).base)
		s.globals[f] = id
	}
	return id
}

func (s *solver) functionLayout(f ssa.Value) *layout { return scalar(f.Type()) }

// closureLayout has the captured values behind the function.
func (s *solver) closureLayout(v *ssa.MakeClosure) *layout {
	l := scalar(v.Type())
	for _, captured := range v.Fn.(*ssa.Function).FreeVars {
		l.append(captured.Name(), s.layouts.value(captured.Type()))
	}
	l.pointers = make([]typeID, l.size())
	return l
}

// generateAll generates the constraints of the functions that became reachable.
func (s *solver) generateAll(ctx context.Context) error {
	for len(s.ungenerated) > 0 {
		if err := limit.Pay(ctx, limit.Generated); err != nil {
			return err
		}
		last := len(s.ungenerated) - 1
		n := s.ungenerated[last]
		s.ungenerated = s.ungenerated[:last]
		clear(s.loads)
		for _, b := range n.Func.Blocks {
			for _, i := range b.Instrs {
				s.instruction(n, i)
			}
		}
		s.visit(n)
	}
	return nil
}

// instruction generates the constraints of one instruction.
func (s *solver) instruction(n *Node, i ssa.Instruction) {
	switch i := i.(type) {
	case ssa.CallInstruction:
		s.call(n, i)
	case *ssa.Store:
		s.store(s.location(n, i.Addr), s.value(n, i.Val), i.Val.Type())
	case *ssa.UnOp:
		switch i.Op {
		case token.MUL:
			s.dereference(n, i)
		case token.ARROW:
			s.load(s.value(n, i), behind(s.value(n, i.X), 1), channelElement(i.X))
		}
	case *ssa.Send:
		s.store(behind(s.value(n, i.Chan), 1), s.value(n, i.X), i.X.Type())
	case *ssa.Select:
		s.selectStates(n, i)
	case *ssa.FieldAddr:
		s.address(n, i, i.X, path{offset: s.fieldOffset(i)})
	case *ssa.IndexAddr:
		s.address(n, i, i.X, path{element: true})
	case *ssa.Phi:
		to, slots := s.value(n, i), s.layouts.slots(i.Type())
		for _, e := range i.Edges {
			s.addEdges(s.value(n, e), to, slots)
		}
	case *ssa.Return:
		results := n.Func.Signature.Results()
		for k, r := range i.Results {
			if from := s.value(n, r); from != 0 {
				s.addEdges(from, s.result(n)+s.layouts.slot(results, k), s.layouts.slots(r.Type()))
			}
		}
	case *ssa.MakeInterface:
		s.makeInterface(n, i)
	case *ssa.TypeAssert:
		s.typeAssert(n, i)
	case *ssa.MakeClosure:
		o := s.objectOf(s.node(s.value(n, i)).fixed)
		at := uint32(1)
		for _, b := range i.Bindings {
			l := s.layouts.value(b.Type())
			s.storeAt(o.base+at, s.value(n, b), l)
			at += uint32(l.size())
		}
	case *ssa.MapUpdate:
		t := i.Map.Type().Underlying().(*types.Map)
		m := s.value(n, i.Map)
		s.store(behind(m, 1), s.value(n, i.Key), t.Key())
		s.store(behind(m, 1+s.layouts.value(t.Key()).size()), s.value(n, i.Value), t.Elem())
	case *ssa.Lookup:
		if t, ok := i.X.Type().Underlying().(*types.Map); ok {
			s.load(s.value(n, i), behind(s.value(n, i.X), 1+s.layouts.value(t.Key()).size()), t.Elem())
		}
	case *ssa.Next:
		s.iterate(n, i)
	case *ssa.Convert:
		s.convert(n, i)
	case *ssa.MultiConvert:
		s.addEdges(s.value(n, i.X), s.value(n, i), min(s.layouts.slots(i.Type()), s.layouts.slots(i.X.Type())))
	case *ssa.Panic:
		s.addEdge(s.value(n, i.X), s.panics)
	case ssa.Value:
		s.value(n, i) // so that clients can ask for it, and it has its object, even if nothing uses it
	}
}

// dereference generates the constraints of a load.
func (s *solver) dereference(n *Node, i *ssa.UnOp) {
	from, l := s.location(n, i.X), s.layouts.value(i.Type())
	if len(l.slots) == 0 || from.node == 0 {
		s.value(n, i)
		return
	}
	if _, used := n.values[i]; !used {
		if label := s.node(from.node).fixed; label != 0 && len(l.slots) == 1 {
			if at, ok := s.follow(from.plus(l.slots[0]), label); ok {
				n.values[i] = s.share(n, s.content(at), 1)
				return
			}
		}
		same := loadKey{from, l}
		if id := s.loads[same]; id != 0 {
			n.values[i] = id
			return
		}
		s.loads[same] = s.value(n, i)
	}
	s.load(s.value(n, i), from, i.Type())
}

// load makes to, of type t, hold what lies there.
func (s *solver) load(to uint32, from location, t types.Type) {
	if to == 0 || from.node == 0 {
		return
	}
	l := s.layouts.value(t)
	for k, typ := range s.slotTypes(l) {
		s.constrain(from.node, constraint{kind: loadFrom, path: from.plus(l.slots[k]), node: to + uint32(k), typ: typ})
	}
}

// store puts from, of type t, there.
func (s *solver) store(to location, from uint32, t types.Type) {
	if to.node == 0 || from == 0 {
		return
	}
	l := s.layouts.value(t)
	for k, typ := range s.slotTypes(l) {
		s.constrain(to.node, constraint{kind: storeTo, path: to.plus(l.slots[k]), node: from + uint32(k), typ: typ})
	}
}

// storeAt puts the slots of from into the object of which a part at cell c has the layout.
func (s *solver) storeAt(c uint32, from uint32, l *layout) {
	if from == 0 {
		return
	}
	for k, slot := range l.slots {
		s.addEdge(from+uint32(k), s.content(c+uint32(slot)))
	}
}

// loadAt is the reverse of storeAt.
func (s *solver) loadAt(to uint32, c uint32, l *layout) {
	if to == 0 {
		return
	}
	for k, slot := range l.slots {
		s.addEdge(s.content(c+uint32(slot)), to+uint32(k))
	}
}

func channelElement(v ssa.Value) types.Type {
	return v.Type().Underlying().(*types.Chan).Elem()
}

// selectStates receives into the components 2, 3, ... of the result of a select.
func (s *solver) selectStates(n *Node, i *ssa.Select) {
	component := 2
	for _, state := range i.States {
		if state.Dir == types.SendOnly {
			s.store(behind(s.value(n, state.Chan), 1), s.value(n, state.Send), state.Send.Type())
			continue
		}
		t := channelElement(state.Chan)
		s.load(s.part(s.value(n, i), i.Type(), component, t), behind(s.value(n, state.Chan), 1), t)
		component++
	}
}

// iterate loads keys and values of the maps that are ranged over.
func (s *solver) iterate(n *Node, i *ssa.Next) {
	if i.IsString {
		return
	}
	t := i.Iter.(*ssa.Range).X.Type().Underlying().(*types.Map)
	tuple := i.Type().(*types.Tuple)
	m, to := s.value(n, i.Iter), s.value(n, i)
	off := int32(1)
	for k, part := range []types.Type{t.Key(), t.Elem()} {
		if s.layouts.slots(tuple.At(k+1).Type()) > 0 { // the type is invalid if it is unused
			s.load(s.part(to, tuple, k+1, part), behind(m, off), part)
		}
		off += s.layouts.value(part).size()
	}
}

func (s *solver) makeInterface(n *Node, i *ssa.MakeInterface) {
	t, to := i.X.Type(), s.value(n, i)
	if !pointerlike(t) {
		o := s.boxObject(n, i)
		s.addLabel(to, o.base)
		s.storeAt(o.base, s.box(n, i.X), o.layout)
		return
	}
	id, x := s.typeID(t), s.box(n, i.X)
	if x == 0 {
		s.addLabel(to, s.tagged(0, id))
		return
	}
	s.constrain(x, constraint{kind: toInterface, typ: id, node: to})
	if s.node(x).fixed == 0 {
		s.wrapped = append(s.wrapped, wrapped{x, to, id})
	}
}

// box is value for what becomes a value in an interface: see IsBoxed.
func (s *solver) box(n *Node, v ssa.Value) uint32 {
	x := s.value(n, v)
	if x != 0 && s.refinement == nil {
		for slot := range s.layouts.value(v.Type()).slots {
			s.boxed = append(s.boxed, x+uint32(slot))
		}
	}
	return x
}

func (s *solver) typeAssert(n *Node, i *ssa.TypeAssert) {
	to := s.value(n, i)
	if to == 0 {
		return
	}
	s.assert(s.value(n, i.X), i.AssertedType, to)
}

// assert lets the values in the interface from that are of type t flow to to.
func (s *solver) assert(from uint32, t types.Type, to uint32) {
	c := constraint{kind: assertBox, typ: s.typeID(t), node: to}
	if types.IsInterface(t) {
		c.kind = assertInterface
	} else if pointerlike(t) {
		c.kind = assertPointer
	}
	s.constrain(from, c)
}
