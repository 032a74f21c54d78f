package waits

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Code is what is known of functions whatever calls them. Programs that consist of the same packages, as the clients of
// a library, share it: most of their code is the same.
type Code struct {
	originOf func(*ssa.Function) Origin
	origins  map[*ssa.Function]Origin
	dispatch *ssaflow.Dispatch // nil until it is asked for
	types    typeutil.Map      // numbers of struct types
	known    map[*ssa.Function]*assignments
	names    map[*ssa.Function]string

	changing map[*ssa.Alloc]bool // variables of functions that nobody else has, and of which parts are assigned
	fresh    map[*ssa.Store]bool // whether nobody else can have the object that is stored to
}

// NewCode returns what is known of code to which no more is added. OriginOf tells whose the functions are.
func NewCode(originOf func(*ssa.Function) Origin) *Code {
	return &Code{originOf: withWrappers(originOf), origins: map[*ssa.Function]Origin{},
		known: map[*ssa.Function]*assignments{}, names: map[*ssa.Function]string{}, changing: map[*ssa.Alloc]bool{},
		fresh: map[*ssa.Store]bool{}}
}

// origin tells whose a function is.
func (c *Code) origin(fn *ssa.Function) Origin {
	origin, known := c.origins[fn]
	if !known {
		origin = c.originOf(fn)
		c.origins[fn] = origin
	}
	return origin
}

// methodsOf returns the functions that a call of a method of an interface may call, of all that are in the program; nil
// among them: there is none.
func (c *Code) methodsOf(prog *ssa.Program, call *ssa.CallCommon) []*ssa.Function {
	if c.dispatch == nil {
		c.dispatch = ssaflow.NewDispatch(prog)
	}
	return c.dispatch.MethodsOf(call.Method, call.Value.Type())
}

// assignments is what a function assigns, or lets others assign.
type assignments struct {
	parts      []part
	variables  []*ssa.Global // that it may assign more than once, or not when packages begin
	begins     []*ssa.Global // that it assigns once, when its package begins
	otherLocks bool          // see addresses.otherLocks
}

// assignmentsOf returns what a function assigns.
func (c *Code) assignmentsOf(fn *ssa.Function) *assignments {
	return ssaflow.Remember(c.known, fn, func() *assignments {
		all := &assigner{Code: c, fn: fn, parts: map[part]bool{}, variables: map[*ssa.Global]bool{}}
		for _, b := range fn.Blocks {
			ssaflow.FindFresh(b, c.fresh)
			for _, instr := range b.Instrs {
				all.look(instr)
				all.otherLocks = all.otherLocks || c.origin(fn) == Own && givesOtherLock(instr)
			}
		}
		found := &assignments{begins: all.begins, otherLocks: all.otherLocks}
		for p := range all.parts {
			found.parts = append(found.parts, p)
		}
		for g := range all.variables {
			found.variables = append(found.variables, g)
		}
		return found
	})
}

// assigner finds out what a function assigns.
type assigner struct {
	*Code
	fn         *ssa.Function
	parts      map[part]bool
	variables  map[*ssa.Global]bool
	begins     []*ssa.Global
	otherLocks bool
}

// look notes what an instruction assigns, or may let others assign.
func (a *assigner) look(instr ssa.Instruction) {
	switch x := instr.(type) {
	case *ssa.Store:
		if a.fresh[x] {
			return
		}
		if local, ok := ssaflow.BaseOf(x.Addr).(*ssa.Alloc); ok && !escapes(local) {
			a.changing[local] = true
			return
		}
		a.assignWhole(x.Val.Type())
		switch to := x.Addr.(type) {
		case *ssa.FieldAddr:
			a.parts[a.partOf(to)] = true
		case *ssa.Global:
			if !isInitializer(a.fn) || ssaflow.BlockReaches(x.Block(), x.Block(), nil) {
				a.variables[to] = true
			}
			a.begins = append(a.begins, to)
		}
		return
	case *ssa.FieldAddr:
		if isPassedOn(x) {
			a.parts[a.partOf(x)] = true
		}
		return
	case *ssa.Call:
		if t := elementsWritten(x); t != nil {
			a.assignWhole(t)
		}
	case *ssa.UnOp, *ssa.IndexAddr, *ssa.DebugRef:
		return
	}
	var room [10]*ssa.Value
	for _, operand := range instr.Operands(room[:0]) {
		if g, ok := (*operand).(*ssa.Global); ok {
			a.variables[g] = true
		}
	}
}

// assignWhole notes that all fields of a struct are assigned.
func (a *assigner) assignWhole(t types.Type) {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i := range st.NumFields() {
		a.parts[part{a.number(st), i}] = true
		a.assignWhole(st.Field(i).Type())
	}
}

func (c *Code) partOf(f *ssa.FieldAddr) part {
	return part{c.number(f.X.Type().Underlying().(*types.Pointer).Elem()), f.Field}
}

func (c *Code) number(t types.Type) int {
	t = t.Underlying()
	n, ok := c.types.At(t).(int)
	if !ok {
		n = c.types.Len()
		c.types.Set(t, n)
	}
	return n
}
