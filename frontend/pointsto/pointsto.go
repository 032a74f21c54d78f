// Package pointsto is an inclusion-based points-to analysis with an on-the-fly
// call graph (Andersen), field-sensitive and selectively object-sensitive
// (Milanova, Rountev and Ryder, TOSEM 2005; Empire report, section 5.1).
package pointsto

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Sensitivity says in which functions calls are told apart. Everything else is
// analysed once (context-insensitively), except small wrappers.
type Sensitivity struct {
	// Receiver: a method for which it is true is analysed once per abstract
	// object that its receiver points to.
	Receiver func(*ssa.Function) bool
	// CallSite: a function for which it is true is analysed once per call
	// instruction (heap cloning of constructors by call site).
	CallSite func(*ssa.Function) bool
}

// Object is one abstract object.
type Object struct {
	ID      int
	Site    ssa.Value  // Alloc, MakeSlice, MakeMap, MakeChan, MakeClosure, MakeInterface, Global, Function, or the Call of append; nil for objects outside the program
	Type    types.Type // of the object itself, not of a pointer to it
	Context *Context   // in which it was allocated; nil if none
}

// Context is what a function was cloned for: a receiver object or a call site.
type Context struct {
	Receiver *Object
	Call     ssa.CallInstruction
	CallNode *Node // the caller, of Call
}

// Node is a call-graph node: a function in a context.
type Node struct {
	ID      int
	Func    *ssa.Function
	Context *Context // nil if none
}

// Cell is one abstract memory cell that a pointer can hold the address of: the
// sub-object of Object at the field path Path ("" for the whole or its first
// cell; array, slice and channel elements are one cell "[]").
type Cell struct {
	Object *Object
	Path   string
}
