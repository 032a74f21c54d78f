package lockset

import (
	"go/types"
	"slices"

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
	if setting == nil || l.getsAnotherLock(star, path) {
		return lock, false
	}
	return l.lockStored(setting, star, path)
}

// getsAnotherLock tells whether the program may give another lock to the condition variable
// that a field of the star leads to.
func (l *Locks) getsAnotherLock(star int, path string) bool {
	var conds []*pointsto.Object
	for o := range l.Stars.Stars[star].Objects {
		conds = append(conds, l.Graph.Contents(pointsto.Cell{Object: o, Path: path}).Objects()...)
	}
	return slices.ContainsFunc(l.Graph.Holders(conds...), func(n *pointsto.Node) bool {
		return !knowledge.IsSynchronisation(n.Func) && slices.ContainsFunc(n.Func.Blocks, func(b *ssa.BasicBlock) bool {
			return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
				store, ok := instr.(*ssa.Store)
				return ok && slices.ContainsFunc(l.Graph.PointsTo(n, store.Addr).Objects(), func(o *pointsto.Object) bool {
					return slices.Contains(conds, o)
				})
			})
		})
	})
}

// setsCond tells whether the store sets the condition variable of the star, or its
// lock.
func (l *Locks) setsCond(n *pointsto.Node, store *ssa.Store, star int, path string) bool {
	for _, cell := range l.Graph.PointsTo(n, store.Addr).Cells() {
		if l.Stars.Stars[star].Objects[cell.Object] && pointsto.Overlaps(cell.Path, path) {
			return true
		}
	}
	return false
}

// lockStored returns the lock that the store gives to the condition variable: &x.mu
// in x.cond = sync.NewCond(&x.mu), or in x.cond.L = &x.mu.
func (l *Locks) lockStored(store *ssa.Store, star int, path string) (lock CondLock, ok bool) {
	base, to := modref.FieldPath(store.Addr)
	var stored addressedLock
	if call, isCall := store.Val.(*ssa.Call); isCall && IsCond(call.Type()) {
		stored, ok = lockOfMade(call, 0)
	} else if to, ok = modref.CutLast(to, "L"); ok {
		stored, ok = addressOfLock(store.Val)
	}
	around, isAround := modref.CutLast(path, to)
	if !ok || !isAround || stored.of == nil || stored.path == "" ||
		mustalias.BaseKey(stored.base) != mustalias.BaseKey(base) {
		return lock, false // of another object
	}
	lock.Star, lock.Path, lock.Reads = star, pointsto.JoinPath(around, stored.path), stored.reads
	lock.Kind = KindOf(stored.of)
	return lock, true
}

// IsCond tells whether the type is *sync.Cond.
func IsCond(t types.Type) bool { return types.TypeString(t, nil) == "*sync.Cond" }
