package mustalias

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Values is which values of a program are evidently one.
type Values struct {
	*modref.Facts
	functions map[*ssa.Function]*Function   // as far as asked for
	neverNil  map[modref.NodeValue]bool     // parameters: see isNeverNil
	written   map[*pointsto.Object][]string // as far as asked for: see isSettled
}

// New returns the facts about a program.
func New(facts *modref.Facts) *Values {
	return &Values{Facts: facts, functions: map[*ssa.Function]*Function{}, neverNil: map[modref.NodeValue]bool{},
		written: map[*pointsto.Object][]string{}}
}

// Function returns the facts about fn.
func (l *Values) Function(fn *ssa.Function) *Function {
	return ssaflow.Remember(l.functions, fn, func() *Function { return l.newFunction(fn) })
}

// Function is a function with the addresses in it that are evidently one, and the
// variables that hold one value.
type Function struct {
	*ssaflow.Function
	*addresses
	OnceCells map[*ssa.Alloc]bool // variables that are assigned once: see findOnceCells
}

// newFunction analyses fn.
func (l *Values) newFunction(fn *ssa.Function) *Function {
	same := newAddresses(fn, l.findAgain(fn))
	f := &Function{Function: ssaflow.NewFunction(fn, same.earlier), addresses: same}
	f.findOnceCells(l.Stars.Subject.Local)
	return f
}

// findOnceCells finds the variables whose address is taken only to share them
// with closures and that are assigned once: what they hold does not change, so a
// closure can be told what it is. (The SSA form captures every variable by its
// address.) A load before the store reads the zero value. Memory that is watched is none.
func (f *Function) findOnceCells(local ssa.Value) {
	f.OnceCells = map[*ssa.Alloc]bool{}
	for _, b := range f.Func.Blocks {
		for _, instr := range b.Instrs {
			if a, ok := instr.(*ssa.Alloc); ok && ssaflow.IsPointerLike(a.Type().Underlying().(*types.Pointer).Elem()) {
				stores := 0
				if a != local && ssaflow.OnlyLoaded(a, &stores) && stores == 1 && !ssaflow.IsStoredAgain(a) {
					f.OnceCells[a] = true
				}
			}
		}
	}
}

// IsAssignedOnce tells whether the variable at an address is never assigned again
// once it can be read: a captured variable or a package variable with one store.
func (l *Values) IsAssignedOnce(address ssa.Value) bool {
	switch v := address.(type) {
	case *ssa.Alloc:
		return l.Function(v.Parent()).OnceCells[v]
	case *ssa.FreeVar:
		return l.IsAssignedOnce(boundTo(v))
	case *ssa.Global:
		return l.StoresTo(v) <= 1
	}
	return false
}
