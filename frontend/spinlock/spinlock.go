// Package spinlock finds the variables of a program that are locks by the way they are
// used: nothing but operations of package sync/atomic is done to them, which take and
// release them, as in
//
//	for !s.busy.CompareAndSwap(false, true) {
//		runtime.Gosched()
//	}
//	...
//	s.busy.Store(false)
//
// Zero is free, and one other constant is held. Whoever succeeds with a compare-and-swap from
// zero has the variable for himself until somebody stores zero, as with a sync.Mutex and
// TryLock (test-and-set locks: Herlihy and Shavit, The Art of Multiprocessor Programming,
// section 7.2).
package spinlock

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// Locks is the variables that are locks, and the operations on them. A nil *Locks has none.
type Locks struct {
	operations map[ssa.CallInstruction]knowledge.LockOp
	variables  map[variable]bool // with true if they are nothing else: see IsLock
}

// IsEmpty tells whether there is none.
func (l *Locks) IsEmpty() bool { return l == nil || len(l.operations)+len(l.variables) == 0 }

// variable is a field or a package variable (*types.Var), a type of integers that is used for
// nothing else (*types.TypeName), or a local variable (*ssa.Alloc).
type variable any

// Operation tells which operation on a lock the call is, if it is one.
func (l *Locks) Operation(site ssa.CallInstruction) (op knowledge.LockOp, ok bool) {
	if l == nil {
		return 0, false
	}
	op, ok = l.operations[site]
	return op, ok
}

// IsLock tells whether the field, or package variable, is a lock and nothing else - only who
// is about to take it looks at it - or of a type of which this can be said.
func (l *Locks) IsLock(v *types.Var) bool {
	if l == nil || len(l.variables) == 0 {
		return false
	}
	return l.variables[v.Origin()] || l.isLockType(v.Type())
}

func (l *Locks) isLockType(t types.Type) bool {
	if named, ok := types.Unalias(t).(*types.Named); ok && l.variables[named.Obj()] {
		return true
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if f.Name() != "_" && !l.IsLock(f) {
			return false
		}
	}
	return s.NumFields() > 0
}

// Holds tells whether values of the type have a lock in them.
func (l *Locks) Holds(t types.Type) bool {
	if l == nil || len(l.variables) == 0 {
		return false
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		if _, is := l.variables[named.Obj()]; is {
			return true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if _, is := l.variables[f.Origin()]; is || l.Holds(f.Type()) {
				return true
			}
		}
	case *types.Array:
		return l.Holds(u.Elem())
	}
	return false
}

// Find returns the locks among the variables that the packages of the functions declare. All
// functions that can get at the variables without their address must be among them. It takes
// time linear in their size.
func Find(functions []*ssa.Function) *Locks {
	f := &finder{uses: map[variable]*uses{}, scanned: map[*ssa.Function]bool{}, packages: map[*types.Package]bool{}}
	for _, fn := range functions {
		f.scanned[fn], f.packages[fn.Pkg.Pkg] = true, true
	}
	for _, fn := range functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				f.instruction(instr)
			}
		}
	}
	l := &Locks{operations: map[ssa.CallInstruction]knowledge.LockOp{}, variables: map[variable]bool{}}
	for v, u := range f.uses {
		if u.takes == 0 || u.releases == 0 || u.spoiled || !f.packages[packageOf(v)] {
			continue
		}
		for site, op := range u.operations {
			l.operations[site] = op
		}
		l.variables[v] = !u.isLookedAtElsewhere()
	}
	return l
}

// packageOf returns the package that declares the variable.
func packageOf(v variable) *types.Package {
	switch v := v.(type) {
	case types.Object:
		return v.Pkg()
	case *ssa.Alloc:
		return v.Parent().Pkg.Pkg
	}
	return nil
}

// isLookedAtElsewhere tells whether a function loads the variable that does not take it: then
// it says something besides who works.
func (u *uses) isLookedAtElsewhere() bool {
	takes := map[*ssa.Function]bool{}
	for site, op := range u.operations {
		takes[site.Parent()] = takes[site.Parent()] || op.IsTaking()
	}
	return slices.ContainsFunc(u.loads, func(load ssa.CallInstruction) bool { return !takes[load.Parent()] })
}

// uses is what is done with a variable.
type uses struct {
	operations      map[ssa.CallInstruction]knowledge.LockOp
	takes, releases int
	held            constant.Value
	loads           []ssa.CallInstruction
	spoiled         bool // something else is done with it
}

type finder struct {
	uses    map[variable]*uses
	scanned map[*ssa.Function]bool

	packages map[*types.Package]bool // that declare them
}

func (f *finder) of(v variable) *uses {
	if f.uses[v] == nil {
		f.uses[v] = &uses{operations: map[ssa.CallInstruction]knowledge.LockOp{}}
	}
	return f.uses[v]
}

// instruction notes what an instruction does with variables.
func (f *finder) instruction(instr ssa.Instruction) {
	switch v := instr.(type) {
	case *ssa.FieldAddr:
		if isWord(deref(v.Type())) {
			f.address(v, variableAt(v))
		}
	case *ssa.Alloc:
		if isWord(deref(v.Type())) {
			f.address(v, v)
		}
	case *ssa.ChangeType:
		f.conversion(v.X, v)
	case *ssa.Convert:
		f.conversion(v.X, v)
	case *ssa.UnOp:
		if named := integers(v.Type()); named != nil && v.Op == token.MUL {
			f.of(named).spoiled = true
		}
	case *ssa.Store:
		if made, ok := v.Addr.(*ssa.Alloc); !ok || !isFirst(v, made) {
			f.assigned(v.Val.Type())
		} else if named := integers(v.Val.Type()); named != nil && !isZero(v.Val) {
			f.of(named).spoiled = true
		}
	}
	for _, operand := range instr.Operands(nil) {
		if g, ok := (*operand).(*ssa.Global); ok && g.Object() != nil && isWord(deref(g.Type())) {
			f.use(instr, g, g.Object())
		}
	}
}

// assigned notes that a variable of the type is assigned to: what is in it is no lock then.
func (f *finder) assigned(t types.Type) {
	if named := integers(t); named != nil {
		f.of(named).spoiled = true
	}
	f.inside(t)
}

// inside notes the same for what is inside of the variable.
func (f *finder) inside(t types.Type) {
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for field := range t.Fields() {
			if isWord(field.Type()) {
				f.of(field.Origin()).spoiled = true
			}
			f.assigned(field.Type())
		}
	case *types.Array:
		f.assigned(t.Elem())
	}
}

// conversion notes that of a pointer to a type of integers, as in (*uint32)(lock). What is in
// a struct can be got at in other ways when the address of that is converted.
func (f *finder) conversion(from, to ssa.Value) {
	if target := deref(to.Type()); target != nil {
		f.assigned(target)
	}
	source := deref(from.Type())
	if source == nil {
		if named := integers(from.Type()); named != nil {
			f.of(named).spoiled = true
		}
		return
	}
	if _, isSame := to.(*ssa.ChangeType); isSame && integers(source) != nil && isWord(deref(to.Type())) {
		f.address(to, integers(source))
		return
	}
	f.assigned(source)
}

// address notes what is done with the address of a variable.
func (f *finder) address(address ssa.Value, v variable) {
	for _, r := range *address.Referrers() {
		f.use(r, address, v)
	}
}

// use notes what an instruction does with the address of a variable.
func (f *finder) use(instr ssa.Instruction, address ssa.Value, v variable) {
	switch r := instr.(type) {
	case *ssa.DebugRef:
		return
	case *ssa.Store:
		if made, ok := v.(*ssa.Alloc); ok && r.Addr == address && isZero(r.Val) && isFirst(r, made) {
			return
		}
	case *ssa.MakeClosure:
		fn := r.Fn.(*ssa.Function)
		if made, ok := v.(*ssa.Alloc); ok && f.scanned[fn] {
			for i, bound := range r.Bindings {
				if bound == address {
					f.address(fn.FreeVars[i], made)
				}
			}
			return
		}
	case *ssa.Call, *ssa.Defer:
		site := r.(ssa.CallInstruction)
		args := site.Common().Args
		if len(args) > 0 && args[0] == address && !slices.Contains(args[1:], address) && f.of(v).operation(site) {
			return
		}
	}
	f.of(v).spoiled = true
}

// operation notes an operation of package sync/atomic; false if it is none, or none on a lock.
func (u *uses) operation(site ssa.CallInstruction) bool {
	callee := site.Common().StaticCallee()
	if callee == nil {
		return false
	}
	op := knowledge.Of(callee).Atomic
	args := site.Common().Args
	switch {
	case op == knowledge.AtomicLoad:
		u.loads = append(u.loads, site)
	case op == knowledge.AtomicCompareAndSwap && isZero(args[1]) && u.isHeld(args[2]):
		u.operations[site], u.takes = knowledge.TryLock, u.takes+1
	case op == knowledge.AtomicCompareAndSwap && u.isHeld(args[1]) && isZero(args[2]):
		u.operations[site], u.releases = knowledge.TryUnlock, u.releases+1
	case op == knowledge.AtomicSwap && u.isHeld(args[1]):
		u.operations[site], u.takes = knowledge.SwapLock, u.takes+1
	case (op == knowledge.AtomicStore || op == knowledge.AtomicSwap) && isZero(args[1]):
		u.operations[site], u.releases = knowledge.Reset, u.releases+1
	default:
		return false
	}
	return true
}

// variableAt returns the field at an address.
func variableAt(v *ssa.FieldAddr) variable {
	return deref(v.X.Type()).Underlying().(*types.Struct).Field(v.Field).Origin()
}

// deref returns what the pointer type points to, nil if it is none.
func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return nil
}

// isWord tells whether a variable of the type may be a lock: an integer, or an integer or a
// boolean of package sync/atomic.
func isWord(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Info()&types.IsInteger != 0
	case *types.Named:
		if pkg := t.Obj().Pkg(); pkg == nil || pkg.Path() != "sync/atomic" {
			return false
		}
		switch t.Obj().Name() {
		case "Bool", "Int32", "Int64", "Uint32", "Uint64", "Uintptr":
			return true
		}
	}
	return false
}

// integers returns the named type if it is one of integers, else nil.
func integers(t types.Type) variable {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		if basic, ok := named.Underlying().(*types.Basic); ok && basic.Info()&types.IsInteger != 0 {
			return named.Obj()
		}
	}
	return nil
}

// isZero tells whether the value is the constant 0 or false.
func isZero(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && !isSet(c.Value)
}

// isHeld tells whether the value is another constant, the same at all operations.
func (u *uses) isHeld(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || !isSet(c.Value) || u.held != nil && constant.Compare(u.held, token.NEQ, c.Value) {
		return false
	}
	u.held = c.Value
	return true
}

func isSet(v constant.Value) bool {
	switch v.Kind() {
	case constant.Bool:
		return constant.BoolVal(v)
	case constant.Int:
		return constant.Sign(v) != 0
	}
	return true
}

// isFirst tells whether the store is the first use of a local variable.
func isFirst(store *ssa.Store, made *ssa.Alloc) bool {
	if store.Block() != made.Block() {
		return false
	}
	for _, instr := range store.Block().Instrs[slices.Index(store.Block().Instrs, ssa.Instruction(made))+1:] {
		if instr == ssa.Instruction(store) {
			return true
		}
		for _, o := range instr.Operands(nil) {
			if *o == ssa.Value(made) {
				return false
			}
		}
	}
	return false
}
