package lockset

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// KindOf returns the kind of a lock of that type.
func KindOf(t types.Type) esl.LockKind {
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Name() == "RWMutex" {
		return esl.RW
	}
	return esl.Mutex
}

// AllHaveTheirOwn tells whether a field that is a condition variable, or holds its
// address, has one with a lock in the same object, in every object that may be a star.
func (l *Locks) AllHaveTheirOwn(n *pointsto.Node, field ssa.Value) bool {
	for _, cell := range l.Graph.PointsTo(n, field).Cells() {
		stars := l.Stars.StarsAt(cell)
		for _, k := range stars {
			if _, evident := l.CondLockIn(k, cell.Path); !evident {
				return false
			}
		}
		if len(stars) == 0 {
			return false
		}
	}
	return true
}

// CondLock is the lock of a condition variable, in the star that it belongs to.
type CondLock struct {
	Star  int
	Path  string
	Kind  esl.LockKind
	Reads bool
}

// CondLockIn returns the lock of the condition variable at a path of a star, if it
// is evident: it is set once in the program, together with the variable, to a lock
// of the same object.
func (l *Locks) CondLockIn(star int, path string) (lock CondLock, ok bool) {
	var setting *ssa.Store
	for _, n := range l.Stars.Near() {
		if knowledge.IsSynchronisation(n.Func) {
			continue
		}
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				store, isStore := instr.(*ssa.Store)
				if !isStore || store == setting || !l.setsCond(n, store, star, path) {
					continue
				}
				if setting != nil {
					return lock, false
				}
				setting = store
			}
		}
	}
	if setting == nil {
		return lock, false
	}
	return l.lockStored(setting, star, path)
}

// setsCond tells whether the store sets the condition variable of the star, or its
// lock.
func (l *Locks) setsCond(n *pointsto.Node, store *ssa.Store, star int, path string) bool {
	for _, cell := range l.Graph.PointsTo(n, store.Addr).Cells() {
		if l.Stars.Stars[star].Objects[cell.Object] && (pointsto.IsWithin(cell.Path, path) || pointsto.IsWithin(path, cell.Path)) {
			return true
		}
	}
	return false
}

// lockStored returns the lock that the store gives to the condition variable: &x.mu
// in x.cond = sync.NewCond(&x.mu), or in x.cond.L = &x.mu.
func (l *Locks) lockStored(store *ssa.Store, star int, path string) (lock CondLock, ok bool) {
	base, to := modref.FieldPath(store.Addr)
	locker := store.Val
	if knowledge.Makes(locker, knowledge.NewCond) {
		locker = locker.(*ssa.Call).Call.Args[0]
	} else if to, ok = modref.CutLast(to, "L"); !ok {
		return lock, false
	}
	var address ssa.Value
	switch v := locker.(type) {
	case *ssa.MakeInterface:
		address = v.X
	case *ssa.Call:
		if v.Call.StaticCallee() == nil || !knowledge.IsRLocker(v.Call.StaticCallee()) {
			return lock, false
		}
		address, lock.Reads = v.Call.Args[0], true
	default:
		return lock, false
	}
	beside, of := modref.FieldPath(address)
	around, ok := modref.CutLast(path, to)
	if mustalias.BaseKey(beside) != mustalias.BaseKey(base) || of == "" || !ok {
		return lock, false // of another object
	}
	lock.Star, lock.Path = star, pointsto.JoinPath(around, of)
	lock.Kind = KindOf(address.Type().Underlying().(*types.Pointer).Elem())
	return lock, true
}
