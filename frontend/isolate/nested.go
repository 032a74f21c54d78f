package isolate

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// A companion may come from the caller of a constructor, as in NewCache(&sync.Mutex{}),
// and a condition variable that is a companion may have a lock that nobody else has, as
// in sync.NewCond(&sync.Mutex{}): that is one, too; or one that the object has as well, as
// in x.cond = sync.NewCond(x.lock).

// CompanionIn returns the companion that another one holds at a path in it; ok is false
// if there is none.
func (i *Isolation) CompanionIn(c *Companion, path string) (inner *Companion, ok bool) {
	return i.CompanionAt(c.Star, pointsto.JoinPath(i.Stars[c.Star].Path, pointsto.JoinPath(c.Path, path)))
}

// passedObject returns the object that every call of n makes for the parameter, and keeps
// nothing of, nil if there is none.
func (i *Isolation) passedObject(n *pointsto.Node, p *ssa.Parameter) (passed *pointsto.Object) {
	position := slices.Index(n.Func.Params, p)
	callers := i.graph.Callers(n)
	for _, e := range callers {
		call, ok := e.Site.(*ssa.Call)
		if !ok || e.IsStart() || call.Call.StaticCallee() != n.Func || call.Parent() != e.Caller.Func {
			return nil
		}
		made, ok := i.madeForCall(e.Caller, call, call.Call.Args[position])
		if !ok || passed != nil && passed != made {
			return nil
		}
		passed = made
	}
	return passed
}

// madeForCall returns the object that is made next to a call for one of its arguments, and
// that nothing else is done with.
func (i *Isolation) madeForCall(n *pointsto.Node, call *ssa.Call, argument ssa.Value) (made *pointsto.Object, ok bool) {
	alloc, ok := unboxed(argument).(*ssa.Alloc)
	if !ok || alloc.Block() != call.Block() || !isOnlyPassed(argument, call) ||
		ssa.Value(alloc) != argument && len(*alloc.Referrers()) != 1 {
		return nil, false
	}
	made = i.graph.ObjectAt(n, alloc)
	return made, made != nil
}

// isOnlyPassed tells whether a value is used as one argument of the call, and nowhere else.
func isOnlyPassed(v ssa.Value, call *ssa.Call) bool {
	uses := *v.Referrers()
	times := 0
	for _, a := range call.Call.Args {
		if a == v {
			times++
		}
	}
	return len(uses) == 1 && uses[0] == ssa.Instruction(call) && times == 1
}

// isOnlyStored tells whether a parameter is only stored there.
func isOnlyStored(p *ssa.Parameter, store *ssa.Store) bool {
	for v := ssa.Value(p); ; {
		uses := slices.DeleteFunc(slices.Clone(*v.Referrers()), func(r ssa.Instruction) bool {
			_, isDebug := r.(*ssa.DebugRef)
			return isDebug
		})
		if len(uses) != 1 {
			return false
		}
		boxed, isBoxed := uses[0].(*ssa.MakeInterface)
		if !isBoxed {
			return uses[0] == ssa.Instruction(store) && store.Val == v
		}
		v = boxed
	}
}

// addCondLocks adds the locks of the condition variables that are companions.
func (i *Isolation) addCondLocks() {
	for _, c := range slices.Clone(i.companions) {
		if c.Object.Type.String() != "sync.Cond" {
			continue
		}
		if lock := i.lockOfCond(c); lock != nil {
			i.companions = append(i.companions, &Companion{
				Object: lock, Star: c.Star, Path: pointsto.JoinPath(c.Path, "L"), of: c})
		}
	}
}

// lockOfCond returns the lock that sync.NewCond was handed for the condition variable: it
// was made for that, or is that of the same object, and is never replaced.
func (i *Isolation) lockOfCond(c *Companion) *pointsto.Object {
	cond := c.Object
	by := i.graph.MadeBy(cond)
	held := i.graph.Contents(pointsto.Cell{Object: cond, Path: "L"}).Cells()
	if len(by) == 0 || len(held) != 1 || held[0].Path != "" {
		return nil
	}
	call, ok := by[0].(*ssa.Call)
	if !ok || !knowledge.Makes(call, knowledge.NewCond) {
		return nil
	}
	for _, n := range i.graph.NodesOf(call.Parent()) {
		if made, ok := i.madeForCall(n, call, call.Call.Args[0]); (!ok || made != held[0].Object) &&
			!i.isLockBeside(c, call, held[0].Object) {
			return nil
		}
	}
	for _, n := range i.graph.Holders(cond) {
		if knowledge.IsSynchronisation(n.Func) {
			continue
		}
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				if store, ok := instr.(*ssa.Store); ok && slices.Contains(i.graph.PointsTo(n, store.Addr).Objects(), cond) {
					return nil
				}
			}
		}
	}
	return held[0].Object
}

// isLockBeside tells whether the call that makes a condition variable for an object is handed
// another companion of the object, the lock, as its field has it or will have it.
func (i *Isolation) isLockBeside(c *Companion, call *ssa.Call, lock *pointsto.Object) bool {
	for _, store := range storesOf(call) {
		made, path := allocOfField(store.Addr)
		around, ok := strings.CutSuffix(c.Path, path)
		if made == nil || !ok {
			return false
		}
		for _, beside := range fieldsWith(made, unboxed(call.Call.Args[0])) {
			found, ok := i.CompanionAt(c.Star, pointsto.JoinPath(i.Stars[c.Star].Path, around+beside))
			if ok && found.Object == lock {
				return true
			}
		}
	}
	return false
}

// fieldsWith returns the fields of the allocated object that the value is loaded from, or
// stored to.
func fieldsWith(made *ssa.Alloc, v ssa.Value) (paths []string) {
	add := func(address ssa.Value) {
		if of, path := allocOfField(address); of == made {
			paths = append(paths, path)
		}
	}
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		add(load.X)
	}
	for _, store := range storesOf(v) {
		add(store.Addr)
	}
	return paths
}

// storesOf returns the stores of the value, or of an interface with it.
func storesOf(v ssa.Value) (all []*ssa.Store) {
	for _, r := range usesOf(v) {
		if store, ok := r.(*ssa.Store); ok {
			all = append(all, store)
		}
	}
	return all
}

// usesOf returns what uses the value, or an interface with it.
func usesOf(v ssa.Value) (all []ssa.Instruction) {
	if v.Referrers() == nil {
		return nil
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.MakeInterface:
			all = append(all, usesOf(r)...)
		default:
			all = append(all, r)
		}
	}
	return all
}

// isKeptBeside tells whether what is made is only stored there, in a field of the object, or
// besides is the lock of condition variables that are only stored in other fields of it.
func isKeptBeside(made ssa.Value, store *ssa.Store, object *ssa.Alloc) bool {
	return !slices.ContainsFunc(usesOf(made), func(r ssa.Instruction) bool {
		if r == ssa.Instruction(store) {
			return unboxed(store.Val) != made
		}
		call, ok := r.(*ssa.Call)
		if !ok || !knowledge.Makes(call, knowledge.NewCond) {
			return true
		}
		return slices.ContainsFunc(usesOf(call), func(r ssa.Instruction) bool {
			kept, ok := r.(*ssa.Store)
			if !ok || kept.Val != ssa.Value(call) {
				return true
			}
			of, _ := allocOfField(kept.Addr)
			return of != object
		})
	})
}
