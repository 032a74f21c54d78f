package waits

import (
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/limit"
)

// address is where a lock is, so that two that are equal are one lock while the function runs: a parameter, variable
// or register, and fields and stars on the way from it. A star is only on the way where what is loaded stays the same.
type address struct {
	root ssa.Value
	path string
}

const star = "*"

// part is a field of a struct type: that of types with other names is the same, as pointers can be converted.
type part struct{ of, field int }

// addresses finds them. Which pointers stay the same is asked of all functions of a program.
type addresses struct {
	*Code
	assigned  map[part]bool        // fields that are assigned when others may have the struct
	variables map[*ssa.Global]bool // package variables that may be assigned more than once, or not when packages begin
	// otherLocks tells that some condition variable has a lock that is not of the object that has itself.
	otherLocks bool
}

func newAddresses(graph *pointsto.Result, code *Code, poll *limit.Poll) *addresses {
	a := &addresses{Code: code, assigned: map[part]bool{}, variables: map[*ssa.Global]bool{}}
	begun := map[*ssa.Global]bool{} // that are assigned when packages are initialised: until then they are zero
	for _, fn := range graph.Functions() {
		poll.Check()
		all := code.assignmentsOf(fn)
		for _, p := range all.parts {
			a.assigned[p] = true
		}
		for _, g := range all.variables {
			a.variables[g] = true
		}
		for _, g := range all.begins {
			if begun[g] {
				a.variables[g] = true
			}
			begun[g] = true
		}
		a.otherLocks = a.otherLocks || all.otherLocks
	}
	return a
}

// isInitializer tells whether a function runs once, when its package begins.
func isInitializer(fn *ssa.Function) bool {
	return fn.Name() == "init" && fn.Synthetic != "" || fn.Parent() == nil && strings.HasPrefix(fn.Name(), "init#")
}

// escapes tells whether the address of a variable, or of a part of it, is used but to load and store.
func escapes(address ssa.Value) bool {
	for _, r := range *address.Referrers() {
		switch x := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
		case *ssa.FieldAddr:
			if escapes(x) {
				return true
			}
		case *ssa.IndexAddr:
			if escapes(x) {
				return true
			}
		case *ssa.Store:
			if x.Val == address {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// isPassedOn tells whether the address of a field that is a pointer goes to where it may be assigned.
func isPassedOn(f *ssa.FieldAddr) bool {
	if !ssaflow.IsPointerLike(f.Type().Underlying().(*types.Pointer).Elem()) {
		return false
	}
	for _, r := range *f.Referrers() {
		switch x := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef, *ssa.FieldAddr:
		case *ssa.Store:
			if x.Val == ssa.Value(f) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// givesOtherLock tells whether an instruction gives a condition variable a lock that is not, evidently, a field of the
// object that the variable is a field of.
func givesOtherLock(instr ssa.Instruction) bool {
	switch x := instr.(type) {
	case *ssa.Call:
		fn := x.Call.StaticCallee()
		if fn == nil || knowledge.Of(fn).Makes != knowledge.NewCond {
			return false
		}
		stores := 0
		for _, r := range *x.Referrers() {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.Store:
				stores++
				if !areOfOne(x.Call.Args[0], r.Addr) {
					return true
				}
			default:
				return true
			}
		}
		return stores == 0
	case *ssa.Store:
		to, ok := x.Addr.(*ssa.FieldAddr)
		return ok && isCond(to.X.Type().Underlying().(*types.Pointer).Elem()) && !areOfOne(x.Val, to.X)
	case *ssa.UnOp: // a copy
		return x.Op == token.MUL && isCond(x.Type())
	}
	return false
}

func isCond(t types.Type) bool {
	named, ok := t.(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync" && named.Obj().Name() == "Cond"
}

// areOfOne tells whether two pointers are to fields of one object.
func areOfOne(lock, cond ssa.Value) bool {
	if boxed, ok := lock.(*ssa.MakeInterface); ok {
		lock = boxed.X
	}
	f, ok1 := lock.(*ssa.FieldAddr)
	g, ok2 := cond.(*ssa.FieldAddr)
	return ok1 && ok2 && f.X == g.X
}

// of returns the address that a value is.
func (a *addresses) of(v ssa.Value) address {
	switch x := v.(type) {
	case *ssa.FieldAddr:
		return a.of(x.X).behind("." + strconv.Itoa(x.Field))
	case *ssa.IndexAddr:
		if k, ok := x.Index.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.Int {
			return a.of(x.X).behind("[" + k.Value.ExactString() + "]")
		}
	case *ssa.Field: // of a struct that is in a register
		return a.of(x.X).behind("=" + strconv.Itoa(x.Field))
	case *ssa.ChangeType:
		return a.of(x.X)
	case *ssa.ChangeInterface:
		return a.of(x.X)
	case *ssa.MakeInterface:
		return a.of(x.X)
	case *ssa.UnOp:
		if x.Op == token.MUL {
			if at, ok := a.loaded(x.X); ok {
				return at
			}
		}
	}
	return address{v, ""}
}

// loaded returns the address that is loaded from where another one leads; ok is false if that may change.
func (a *addresses) loaded(from ssa.Value) (at address, ok bool) {
	switch x := from.(type) {
	case *ssa.Alloc:
		if !ssaflow.IsAssignedOnce(x) {
			return at, false
		}
		for _, r := range *x.Referrers() {
			if store, ok := r.(*ssa.Store); ok {
				return a.of(store.Val), true
			}
		}
	case *ssa.FreeVar:
		if ssaflow.IsAssignedOnce(x) {
			return address{x, star}, true
		}
	case *ssa.Global:
		if !a.variables[x] {
			return address{x, star}, true
		}
	case *ssa.FieldAddr:
		if local, _ := ssaflow.BaseOf(x).(*ssa.Alloc); !a.assigned[a.partOf(x)] && !a.changing[local] { // nil: it is in none
			return a.of(x).behind(star), true
		}
	}
	return at, false
}

func (a address) behind(part string) address { return address{a.root, a.path + part} }

// inCaller returns the address that an address of a callee is where it is called; ok is false if that is not known.
func (a *addresses) inCaller(at address, callee *ssa.Function, site ssa.CallInstruction) (address, bool) {
	switch x := at.root.(type) {
	case *ssa.Global:
		return at, true
	case *ssa.Parameter:
		for i, p := range callee.Params {
			if p == x {
				all := ssaflow.Arguments(site.Common())
				if i >= len(all) {
					return at, false
				}
				return a.of(all[i]).behind(at.path), true
			}
		}
	case *ssa.FreeVar:
		made, ok := site.Common().Value.(*ssa.MakeClosure)
		if !ok || made.Fn != ssa.Value(callee) {
			return at, false
		}
		for i, f := range callee.FreeVars {
			if f != x {
				continue
			}
			if len(at.path) > 0 && at.path[:1] == star {
				if outer, ok := a.loaded(made.Bindings[i]); ok {
					return outer.behind(at.path[1:]), true
				}
				return at, false
			}
			return a.of(made.Bindings[i]).behind(at.path), true
		}
	}
	return at, false
}

// owner returns the address of the object that a field is part of.
func (at address) owner() (address, bool) {
	for i := len(at.path) - 1; i >= 0; i-- {
		switch at.path[i] {
		case '.':
			return address{at.root, at.path[:i]}, true
		case star[0]:
			if i < len(at.path)-1 {
				return at, false
			}
		}
	}
	return at, false
}
