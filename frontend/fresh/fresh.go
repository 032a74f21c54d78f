// Package fresh finds accesses to memory that only the running goroutine can reach
// yet: memory that the function itself made, or its callers made for it, before the
// first place where the address gets out of their hands. Such accesses interfere
// with nothing.
//
// The analysis is flow-sensitive within a function and goes along its values (SSA);
// between functions it looks at parameters that are fresh at every call, parameters
// that are not kept, and results that are made for the caller. Everything it does
// not understand counts as published: it under-approximates what is fresh.
package fresh

import (
	"context"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Analysis answers questions about one program. Answers are computed on demand and
// kept. It is not safe for concurrent use.
type Analysis struct {
	ctx        context.Context
	graph      *pointsto.Result
	escapes    map[escapesKey][]ssa.Instruction
	rounds     *rounds                 // of the escapes that are being found; nil: none are
	parameters map[parameterKey]answer // fresh at every call?
	kept       map[escapesKey]answer   // by parameter
	results    map[resultKey]answer
	growths    map[resultKey]int             // the parameter that a result is made of, or -1
	huge       map[*ssa.Function]bool        // see isHuge
	held       map[*pointsto.Object]answer   // by one object only? see isHeldOnce
	rings      map[ssa.Value]bool            // of roots of escapes: the memory holds its own address
	asked      []*pointsto.Object            // about which isHeldOnce is being answered, or has been on the way
	watched    map[*pointsto.Object]bool     // that IsWritten is asked about
	region     *pointsto.Region              // their memory
	written    map[*pointsto.Object][]string // paths, by writes that are not fresh; nil until asked for
}

// answer is what is known of a question; a question that is being answered
// (recursion) has the answer no.
type answer uint8

const (
	unasked answer = iota
	no
	yes
)

type parameterKey struct {
	node      *pointsto.Node
	parameter *ssa.Parameter
}

type resultKey struct {
	function *ssa.Function
	result   int
	field    int  // of the result; -1 for all of it
	held     bool // by the memory that the result leads to
}

// New prepares the analysis of a program. When ctx is done, nothing is fresh any more.
func New(ctx context.Context, graph *pointsto.Result) *Analysis {
	return &Analysis{
		ctx: ctx, graph: graph, escapes: map[escapesKey][]ssa.Instruction{},
		parameters: map[parameterKey]answer{}, kept: map[escapesKey]answer{}, results: map[resultKey]answer{},
		growths: map[resultKey]int{}, huge: map[*ssa.Function]bool{}, held: map[*pointsto.Object]answer{},
		rings: map[ssa.Value]bool{},
	}
}

// Is reports whether the memory that pointer (an address, slice or map) leads to is
// fresh when node n executes at. Linear in the size of the function, of which all
// instructions may ask: in a function of very many, as the initialisers of tables,
// nothing is.
func (a *Analysis) Is(n *pointsto.Node, pointer ssa.Value, at ssa.Instruction) bool {
	return a.IsGiven(n, pointer, at, 0)
}

// IsGiven is Is in a use of the node for which the memory of some parameters, as bits, is fresh when it is called: see
// FreshArguments.
func (a *Analysis) IsGiven(n *pointsto.Node, pointer ssa.Value, at ssa.Instruction, given uint64) bool {
	switch at.(type) {
	case *ssa.Defer, *ssa.Go:
		return false // executed later
	}
	if a.isHuge(n.Func) || a.ctx.Err() != nil {
		return false
	}
	origin := a.rootsGiven(n, pointer, at, given)
	if !origin.known || len(origin.roots) == 0 {
		return false
	}
	for root, way := range origin.roots {
		for _, x := range a.escapesOf(origin, root) {
			if way == nil && reaches(x, at) || way != nil && way.passes(root.(ssa.Instruction), x) {
				return false
			}
		}
	}
	return true
}

// IsKeptUntil reports whether the memory is fresh when node n executes at, and stays so
// until the same activation comes to another instruction, to which it may be handed. The
// roots are the values that made it.
func (a *Analysis) IsKeptUntil(n *pointsto.Node, pointer ssa.Value, at, until ssa.Instruction) (
	roots []ssa.Value, ok bool) {
	if !a.Is(n, pointer, at) {
		return nil, false
	}
	origin := a.rootsOf(n, pointer, at)
	for root := range origin.roots {
		for _, x := range a.escapesOf(origin, root) {
			if x == at || x != until && reaches(at, x, until) {
				return nil, false
			}
		}
		roots = append(roots, root)
	}
	return roots, true
}

// IsLent reports whether the memory that an argument of a call leads to is fresh while what
// is called runs: it was, and the function keeps nothing of it. It must be one function,
// that the call names.
func (a *Analysis) IsLent(n *pointsto.Node, call *ssa.Call, argument ssa.Value) bool {
	if call.Call.StaticCallee() == nil || !a.Is(n, argument, call) {
		return false
	}
	origin := a.rootsOf(n, argument, call)
	for root := range origin.roots {
		if slices.Contains(a.escapesOf(origin, root), ssa.Instruction(call)) {
			return false
		}
	}
	return true
}

// isHuge tells whether fn has so many instructions that squares of it are too many.
func (a *Analysis) isHuge(fn *ssa.Function) bool {
	return ssaflow.Remember(a.huge, fn, func() bool {
		const most = 5000
		size := 0
		for _, b := range fn.Blocks {
			size += len(b.Instrs)
		}
		return size > most
	})
}

// HoldsPointers tells whether values of the type can lead to memory.
func HoldsPointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Struct:
		for f := range u.Fields() {
			if HoldsPointers(f.Type()) {
				return true
			}
		}
		return false
	case *types.Array:
		return HoldsPointers(u.Elem())
	}
	return true
}

// reaches tells whether control can go from an instruction to another one of the
// same function without passing one of those between.
func reaches(from, to ssa.Instruction, between ...ssa.Instruction) bool {
	seen := make([]bool, len(from.Parent().Blocks)) // by index
	var work []*ssa.BasicBlock
	// walk looks at the instructions of a block from index i on.
	walk := func(b *ssa.BasicBlock, i int) bool {
		for ; i < len(b.Instrs); i++ {
			if b.Instrs[i] == to {
				return true
			}
			if slices.Contains(between, b.Instrs[i]) {
				return false
			}
		}
		for _, succ := range b.Succs {
			if !seen[succ.Index] {
				seen[succ.Index] = true
				work = append(work, succ)
			}
		}
		return false
	}
	if walk(from.Block(), index(from)+1) {
		return true
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if walk(b, 0) {
			return true
		}
	}
	return false
}

// isReached tells whether control can go from one of some instructions to another one of the same function without
// passing one in between, as reaches does for each: it goes back from there. Linear in the size of the function.
func isReached(to ssa.Instruction, from []ssa.Instruction, between ssa.Instruction) bool {
	if len(from) == 0 {
		return false
	}
	begins := make(map[ssa.Instruction]bool, len(from))
	for _, x := range from {
		begins[x] = true
	}
	seen := make([]bool, len(to.Parent().Blocks)) // by index
	var work []*ssa.BasicBlock
	// walk looks back at the first n instructions of a block.
	walk := func(b *ssa.BasicBlock, n int) bool {
		for _, x := range slices.Backward(b.Instrs[:n]) {
			if begins[x] {
				return true
			}
			if x == between {
				return false
			}
		}
		for _, before := range b.Preds {
			if !seen[before.Index] {
				seen[before.Index] = true
				work = append(work, before)
			}
		}
		return false
	}
	if walk(to.Block(), index(to)) {
		return true
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if walk(b, len(b.Instrs)) {
			return true
		}
	}
	return false
}

// index returns the place of the instruction in its block.
func index(instr ssa.Instruction) int {
	for i, x := range instr.Block().Instrs {
		if x == instr {
			return i
		}
	}
	return -1
}
