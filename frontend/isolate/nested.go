package isolate

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// A companion may come from the caller of a constructor, as in NewCache(&sync.Mutex{}),
// and a condition variable that is a companion may have a lock that nobody else has, as
// in sync.NewCond(&sync.Mutex{}): that is one, too.

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
	if !ok || alloc.Block() != call.Block() || !isOnlyPassed(argument, call) || ssa.Value(alloc) != argument && len(*alloc.Referrers()) != 1 {
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
		uses := slices.DeleteFunc(slices.Clone(*v.Referrers()), func(r ssa.Instruction) bool { _, isDebug := r.(*ssa.DebugRef); return isDebug })
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
		if lock := i.lockOfCond(c.Object); lock != nil {
			i.companions = append(i.companions, &Companion{Object: lock, Star: c.Star, Path: pointsto.JoinPath(c.Path, "L"), of: c})
		}
	}
}

// lockOfCond returns the lock that sync.NewCond was handed for the condition variable: it
// was made for that, and is never replaced.
func (i *Isolation) lockOfCond(cond *pointsto.Object) *pointsto.Object {
	by := i.graph.MadeBy(cond)
	held := i.graph.Contents(pointsto.Cell{Object: cond, Path: "L"}).Cells()
	if len(by) == 0 || len(held) != 1 || held[0].Path != "" {
		return nil
	}
	call, ok := by[0].(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil || knowledge.Name(call.Call.StaticCallee()) != "sync.NewCond" {
		return nil
	}
	for _, n := range i.graph.NodesOf(call.Parent()) {
		if made, ok := i.madeForCall(n, call, call.Call.Args[0]); !ok || made != held[0].Object {
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
