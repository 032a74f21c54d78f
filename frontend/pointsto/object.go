package pointsto

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Object is one abstract object: all that an instruction allocates in a context.
type Object struct {
	ID int
	// Site is the allocation: Alloc, MakeSlice, MakeMap, MakeChan, MakeClosure,
	// MakeInterface (the box of a value that is no pointer), Convert (of a
	// string to a slice), Global, Function, or the Call of append or of a
	// function without body that allocates. It is nil for the one box that
	// all values of a type without pointers share in interfaces.
	Site    ssa.Value
	Type    types.Type // of the object itself, not of a pointer to it
	Context *Context   // in which it was allocated; nil if none

	layout *layout
	base   uint32 // its first cell
	kind   objectKind
}

// An objectKind says what the address of an object's first cell is, as a value.
type objectKind uint8

const (
	memory    objectKind = iota // a pointer, or the slice of the array
	reference                   // a map or channel
	function                    // a function or closure
	box                         // a value in an interface
)

// String returns the object as "alloc#3 (x of type T)", for messages and tests.
func (o *Object) String() string {
	if o.Site == nil {
		return fmt.Sprintf("#%d (box of %s)", o.ID, o.Type)
	}
	return fmt.Sprintf("#%d (%s of type %s)", o.ID, o.Site.Name(), o.Type)
}

// Cell is one abstract memory cell that a pointer can hold the address of: the
// sub-object of Object at the field path Path, as "", "mu", "inner.count",
// "list[].next"; the elements of arrays, slices and channels and the values of
// maps are one cell "[]", the keys of maps "[key]". The value of a slice is the
// cell "" of its array (or the path of the array), not "[]".
type Cell struct {
	Object *Object
	Path   string
}

// Context is what a function was cloned for: a receiver or a call instruction.
type Context struct {
	Receiver *Object // the first with its site, if contexts were cut; nil for a call, or if there is only the site
	Path     string  // of the receiver in it
	Call     ssa.CallInstruction
	CallNode *Node    // the (first) caller, of Call
	Parent   *Context // in which the receiver was allocated, or the call is; nil if none

	key contextKey
}

type contextKey struct {
	element any // the ssa.Value that allocates the receiver, or the call
	offset  int32
	call    bool
	parent  *Context
}

// String returns the context from the innermost element to the outermost.
func (c *Context) String() string {
	s := ""
	for ; c != nil; c = c.Parent {
		switch {
		case c.Call != nil:
			s += fmt.Sprintf("[call %s]", c.Call)
		case c.Receiver != nil:
			s += fmt.Sprintf("[%s.%s]", c.Receiver, c.Path)
		default:
			s += fmt.Sprintf("[site %v]", c.key.element)
		}
	}
	return s
}

// Functions are cloned for up to maxContext elements; objects are told apart by
// one less, so that contexts cannot grow for ever.
const maxContext = 4

// truncate keeps the n innermost elements of c.
func (s *solver) truncate(c *Context, n int) *Context {
	depth := 0
	for d := c; d != nil; d = d.Parent {
		depth++
	}
	if depth <= n {
		return c
	}
	if n == 0 {
		return nil
	}
	key := c.key
	key.parent = s.truncate(c.Parent, n-1)
	return s.intern(key)
}

// intern returns the one context of key.
func (s *solver) intern(key contextKey) *Context {
	c := s.contexts[key]
	if c == nil {
		c = &Context{Parent: key.parent, key: key}
		if key.call {
			c.Call = key.element.(ssa.CallInstruction)
		}
		s.contexts[key] = c
	}
	return c
}

// methodContext is the context of a method on the receiver cell. The objects that
// a refinement leaves alone share one.
func (s *solver) methodContext(cell uint32, t *traits) *Context {
	switch {
	case s.refinement != nil && s.cells[cell].object < int32(len(s.base.objects)):
		return nil
	case t.perOwner:
		return s.ownerContext(cell)
	}
	return s.receiverContext(cell)
}

// receiverContext is the context for the cell.
func (s *solver) receiverContext(cell uint32) *Context {
	o := s.objectOf(cell)
	off := int32(cell - o.base)
	c := s.intern(contextKey{element: o.element(), offset: off, parent: s.truncate(o.Context, maxContext-1)})
	if c.Receiver == nil {
		c.Receiver, c.Path = o, o.layout.paths[off]
	}
	return c
}

// element identifies the allocation of o in contexts.
func (o *Object) element() any {
	if o.Site == nil {
		return o
	}
	return o.Site
}

// callContext is the context of a function that is cloned per call instruction.
// A call that is in the context already does not come in again (recursion), nor does another one that the same
// function makes of the same function: a function with six calls of itself would have a context for each order of them.
func (s *solver) callContext(caller *Node, call ssa.CallInstruction) *Context {
	for d := caller.Context; d != nil; d = d.Parent {
		if d.Call == call || d.Call != nil && d.Call.Parent() == call.Parent() && isOfSame(d.Call, call) {
			return d
		}
	}
	c := s.intern(contextKey{element: call, call: true, parent: s.truncate(caller.Context, maxContext-1)})
	if c.CallNode == nil {
		c.CallNode = caller
	}
	return c
}

// isOfSame tells whether both calls are of one function that is written there.
func isOfSame(a, b ssa.CallInstruction) bool {
	f := a.Common().StaticCallee()
	return f != nil && f == b.Common().StaticCallee()
}

type objectKey struct {
	site    any
	context *Context
}

// object returns the object of an allocation in a context, and makes it if new.
func (s *solver) object(site ssa.Value, context *Context, t types.Type, kind objectKind,
	layout func() *layout) *Object {
	if kind != function { // function literals belong to the context around them
		context = s.truncate(context, maxContext-1)
	}
	o := s.known(site, context)
	if o == nil {
		o = s.newObject(site, context, t, kind, layout())
		s.objectsOf[objectKey{site, context}] = o
	}
	return o
}

// known returns the object of an allocation in a context, nil if there is none yet.
func (s *solver) known(site ssa.Value, context *Context) *Object {
	if s.refinement != nil {
		if o := s.base.objectsOf[objectKey{site: site}]; o != nil && !s.split[o.ID] {
			return o
		}
	}
	return s.objectsOf[objectKey{site, context}]
}

// newObject numbers an object and its cells.
func (s *solver) newObject(site ssa.Value, context *Context, t types.Type, kind objectKind, l *layout) *Object {
	o := &Object{ID: len(s.objects), Site: site, Type: t, Context: context, layout: l, base: uint32(len(s.cells)),
		kind: kind}
	s.objects = append(s.objects, o)
	for range l.paths {
		s.cells = append(s.cells, cell{object: int32(o.ID)})
	}
	return o
}
