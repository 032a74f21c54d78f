package pointsto

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// A model stands for the body of a function: it generates the constraints of one
// call. It makes containers that hold unsafe.Pointers exact, per call.
type model func(s *solver, site *callSite, callee *Node, args []uint32)

// newModels returns the models of the functions that are not analysed from their source.
// sync.Pool, sync.Map, sync.Once, container/list, and what else has no Flow in the table
// of knowledge, work through their source.
func newModels() map[knowledge.Flow]model {
	const held = "v" // the field of an atomic type in which the value is
	return map[knowledge.Flow]model{
		knowledge.FlowNowhere:        nothing,
		knowledge.FlowLoad:           loads(held),
		knowledge.FlowStore:          stores(held, 1),
		knowledge.FlowSwap:           both(loads(held), stores(held, 1)),
		knowledge.FlowCompareAndSwap: stores(held, 2),
		knowledge.FlowReturn:         returns(0, 0, 0),
		knowledge.FlowBox:            returns(0, 0, 1), // the interface is kept in Value.ptr
		knowledge.FlowUnbox:          both(returns(0, 1, 0), returnParts),
		knowledge.FlowAddress:        returnAddresses,
		knowledge.FlowPointer:        returns(0, 1, 1), // for Set
		knowledge.FlowSet:            setElem,
		knowledge.FlowAssert:         assertValue,
		knowledge.FlowCall:           callValue,
		knowledge.FlowMethods:        methodValues,
		knowledge.FlowFinalizer:      finalizes(1, 0),
		knowledge.FlowCleanup:        finalizes(1, 2),
		knowledge.FlowTimer:          newTimer,
		knowledge.FlowNumber:         setNumber,
		knowledge.FlowCloneMap:       cloneMap,
	}
}

// flowOf returns where f puts pointers, as the table of knowledge has it.
func flowOf(f *ssa.Function) knowledge.Flow {
	if f.Synthetic != "" && !strings.HasPrefix(f.Synthetic, "instance ") || f.Parent() != nil {
		return knowledge.FlowOfBody
	}
	return knowledge.Of(f).Flow
}

func nothing(*solver, *callSite, *Node, []uint32) {}

// loads returns what the field of *args[0] holds, or *args[0] itself if that has no such field.
func loads(field string) model {
	return func(s *solver, site *callSite, callee *Node, args []uint32) {
		off, t := s.memory(callee, field)
		s.load(site.result, behind(args[0], off), t)
	}
}

// stores puts args[i] into the field of *args[0].
func stores(field string, i int) model {
	return func(s *solver, site *callSite, callee *Node, args []uint32) {
		off, t := s.memory(callee, field)
		s.store(behind(args[0], off), args[i], t)
	}
}

// memory returns the offset and the type of a field behind the first parameter.
func (s *solver) memory(callee *Node, field string) (int32, types.Type) {
	return s.fieldNamed(callee.Func.Params[0].Type().Underlying().(*types.Pointer).Elem(), field)
}

// fieldNamed returns the offset and the type of a field of a type; without one, of itself.
func (s *solver) fieldNamed(t types.Type, field string) (int32, types.Type) {
	if structure, ok := t.Underlying().(*types.Struct); ok {
		for i := range structure.NumFields() {
			if structure.Field(i).Name() == field {
				return s.layouts.field(structure, i), structure.Field(i).Type()
			}
		}
	}
	return 0, t
}

func both(models ...model) model {
	return func(s *solver, site *callSite, callee *Node, args []uint32) {
		for _, m := range models {
			m(s, site, callee, args)
		}
	}
}

// returns copies one slot of args[i] to a slot of the result.
func returns(i int, from, to uint32) model {
	return func(s *solver, site *callSite, _ *Node, args []uint32) {
		if args[i] != 0 && site.result != 0 {
			s.addEdge(args[i]+from, site.result+to)
		}
	}
}

// finalizes calls the function args[i] with args[j], at some time when an object cannot
// be reached any more. Those of the standard library only close what the object has of its
// own, as a file its descriptor: nobody else can be there, so that they are left out.
func finalizes(i, j int) model {
	return func(s *solver, site *callSite, callee *Node, args []uint32) {
		if !inLibrary(s.config.Program, site.caller.Func) {
			s.callBack(site, callee, args[i], args[j])
		}
	}
}

// setNumber returns args[0], a number of package math/big, which gets an array that nothing
// else has, one for each call.
func setNumber(s *solver, site *callSite, callee *Node, args []uint32) {
	returns(0, 0, 0)(s, site, callee, args)
	call, ok := site.instr.(*ssa.Call)
	if !ok || args[0] == 0 {
		return
	}
	number := callee.Func.Params[0].Type().Underlying().(*types.Pointer).Elem()
	l := s.layouts.value(number)
	for _, off := range l.slots {
		if slice, isSlice := l.types[off].Underlying().(*types.Slice); isSlice {
			array := s.newNodes(site.caller, 1)
			s.addLabel(array, s.arrayObject(site.caller, call, slice).base)
			s.store(behind(args[0], off), array, l.types[off])
		}
	}
}

// newTimer returns a new timer and calls args[2] with args[3].
func newTimer(s *solver, site *callSite, callee *Node, args []uint32) {
	s.callBack(site, callee, args[2], args[3])
	s.returnNew(site, callee.Func)
}

// cloneMap returns a new map with the keys and values of the map in the interface args[0].
func cloneMap(s *solver, site *callSite, callee *Node, args []uint32) {
	call, ok := site.instr.(*ssa.Call)
	if !ok {
		return
	}
	var wrapped *ssa.MakeInterface
	if call.Call.StaticCallee() == callee.Func {
		wrapped, _ = call.Call.Args[0].(*ssa.MakeInterface)
	}
	if wrapped == nil {
		returns(0, 0, 0)(s, site, callee, args)
		return
	}
	t := wrapped.X.Type()
	m, ok := t.Underlying().(*types.Map)
	if !ok {
		return
	}
	o := s.object(call, site.caller.Context, t, reference, func() *layout { return s.layouts.object(t) })
	s.addLabel(site.result, s.tagged(o.base, s.typeID(t)))
	off := int32(1)
	for _, part := range []types.Type{m.Key(), m.Elem()} {
		l := s.layouts.value(part)
		if slots := len(l.slots); slots > 0 {
			copied := s.newNodes(site.caller, slots)
			s.load(copied, behind(args[0], off), part)
			s.storeAt(o.base+uint32(off), copied, l)
		}
		off += l.size()
	}
}

// setElem stores the value in args[1] where the pointer in args[0] points to, as far as
// the types allow. Both are of reflectlite, where Elem returns the pointer itself.
func setElem(s *solver, site *callSite, callee *Node, args []uint32) {
	if args[0] != 0 && args[1] != 0 {
		s.constrain(args[0]+1, constraint{kind: assignTo, node: args[1] + 1})
	}
}

// assign stores the values in the interface from, as far as they are of its type, into
// the variable that the label is the address of.
func (s *solver) assign(label, from uint32) {
	at, t := s.untagged(label)
	if t == 0 || at == 0 || s.useOf(label) != asItIs || s.isBox(label) {
		return
	}
	p, ok := s.dynamic.types[t].Underlying().(*types.Pointer)
	if !ok {
		return
	}
	l := s.layouts.value(p.Elem())
	if len(l.slots) == 0 {
		return
	}
	value := s.newNodes(nil, len(l.slots))
	s.assert(from, p.Elem(), value)
	s.storeAt(at, value, l)
}
