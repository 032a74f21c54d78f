package lower

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
)

// readView is the field of the tag of a lock that is taken for reading: of the
// Locker that RWMutex.RLocker returns.
const readView = 1

// rlockerCall lowers RWMutex.RLocker.
func (l *lowerer) rlockerCall(c *clone, s state, receiver, result ssa.Value) []outcome {
	g := l.tagOf(c, s, receiver)
	if g.kind == object {
		g.field = readView
	}
	return one(nil, s.with(result, g))
}

// methodsOf returns those of the callees of an interface's method that can be
// called on what the tag says.
func (l *lowerer) methodsOf(g tag, callees []*pointsto.Node) []*pointsto.Node {
	var t types.Type
	for o := range l.Stars.Stars[g.star].Objects {
		t = pointsto.Cell{Object: o, Path: g.path}.Type() // the same in all
	}
	var all []*pointsto.Node
	for _, callee := range callees {
		recv := callee.Func.Signature.Recv()
		if op, isLock := knowledge.LockOperation(callee.Func); isLock && recv != nil && t != nil {
			reads := op == knowledge.RLock || op == knowledge.RUnlock
			if reads != (g.field == readView) || !reads && !types.Identical(recv.Type(), types.NewPointer(t)) {
				continue
			}
		}
		all = append(all, callee)
	}
	return all
}

// condWait lowers sync.Cond.Wait: it lets go of the lock and takes it again. That
// somebody has called Signal or Broadcast is not asked for.
func (l *lowerer) condWait(c *clone, s state, cond ssa.Value, at ssa.CallInstruction) []outcome {
	holder := cond
	if load, isLoad := cond.(*ssa.UnOp); isLoad {
		holder = load.X
	}
	switch g := l.tagOf(c, s, holder); g.kind {
	case object:
		if lock, evident := l.condLockIn(g.star, g.path); evident {
			return l.waitWith(s, lock, at)
		}
		if lock, evident := l.companionOfCond(g); evident {
			return l.reopened(s, lock, false, at)
		}
	case foreign:
		if l.allHaveTheirOwn(c.node, holder) || l.areCompanionsOfConds(c.node, holder) {
			return one(nil, s)
		}
	}
	locks := reduce.CondLocks(l.Graph, c.node, cond)
	l.setAmbiguous(locks)
	if len(locks) != 1 || !l.Kept.Locks[locks[0]] {
		l.assumeUnmodelled(at, "which lock the condition variable has is not evident")
		return one(nil, s)
	}
	kind := kindOf(locks[0].Type())
	index := l.lockIndex(lockKey{star: -1, cell: locks[0]}, kind)
	all := l.reopened(s, index, false, at)
	if kind == esl.RW {
		all = append(all, l.reopened(s, index, true, at)...)
	}
	return all
}

// kindOf returns the kind of a lock of that type.
func kindOf(t types.Type) esl.LockKind {
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Name() == "RWMutex" {
		return esl.RW
	}
	return esl.Mutex
}

// reopened returns the outcome of letting go of a lock and taking it again.
func (l *lowerer) reopened(s state, lock int, reads bool, at ssa.CallInstruction) []outcome {
	release, acquire := esl.Unlock, esl.LockOp
	if reads {
		release, acquire = esl.RUnlock, esl.RLock
	}
	pos := l.position(at)
	return one([]esl.Stmt{{Op: release, Arg: lock, Pos: pos}, {Op: acquire, Arg: lock, Pos: pos}}, s)
}

// waitWith lowers a Wait with a lock of a star.
func (l *lowerer) waitWith(s state, lock condLock, at ssa.CallInstruction) []outcome {
	key, ok := l.starLock(lock.star, lock.path, at)
	if !ok {
		return one(nil, s)
	}
	return l.reopened(s, l.lockIndex(key, lock.kind), lock.reads, at)
}

// allHaveTheirOwn tells whether a field that is a condition variable, or holds its
// address, has one with a lock in the same object, in every object that may be a star.
func (l *lowerer) allHaveTheirOwn(n *pointsto.Node, field ssa.Value) bool {
	for _, cell := range l.Graph.PointsTo(n, field).Cells() {
		stars := l.Stars.StarsAt(cell)
		for _, k := range stars {
			if _, evident := l.condLockIn(k, cell.Path); !evident {
				return false
			}
		}
		if len(stars) == 0 {
			return false
		}
	}
	return true
}

// condLock is the lock of a condition variable, in the star that it belongs to.
type condLock struct {
	star  int
	path  string
	kind  esl.LockKind
	reads bool
}

// condLockIn returns the lock of the condition variable at a path of a star, if it
// is evident: it is set once in the program, together with the variable, to a lock
// of the same object.
func (l *lowerer) condLockIn(star int, path string) (lock condLock, ok bool) {
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

// lockOfCond returns the tag of what is loaded as the lock of a condition variable, as in
// x.cond.L.Lock(), if it is evident which one it is.
func (l *lowerer) lockOfCond(c *clone, s state, locker *ssa.UnOp) (g tag, ok bool) {
	field, ok := locker.X.(*ssa.FieldAddr)
	if !ok || modref.FieldName(field.X.Type(), field.Field) != "L" || types.TypeString(field.X.Type(), nil) != "*sync.Cond" {
		return tag{}, false
	}
	holder := field.X
	if cond, isLoad := holder.(*ssa.UnOp); isLoad {
		holder = cond.X
	}
	switch g := l.tagOf(c, s, holder); g.kind {
	case object:
		if lock, evident := l.condLockIn(g.star, g.path); evident {
			found := tag{kind: object, star: lock.star, path: lock.path}
			if lock.reads {
				found.field = readView
			}
			return found, true
		}
	case foreign:
		if l.allHaveTheirOwn(c.node, holder) {
			return g, true
		}
	}
	return tag{}, false
}

// setsCond tells whether the store sets the condition variable of the star, or its
// lock.
func (l *lowerer) setsCond(n *pointsto.Node, store *ssa.Store, star int, path string) bool {
	for _, cell := range l.Graph.PointsTo(n, store.Addr).Cells() {
		if l.Stars.Stars[star].Objects[cell.Object] && (pointsto.IsWithin(cell.Path, path) || pointsto.IsWithin(path, cell.Path)) {
			return true
		}
	}
	return false
}

// lockStored returns the lock that the store gives to the condition variable: &x.mu
// in x.cond = sync.NewCond(&x.mu), or in x.cond.L = &x.mu.
func (l *lowerer) lockStored(store *ssa.Store, star int, path string) (lock condLock, ok bool) {
	base, to := modref.FieldPath(store.Addr)
	locker := store.Val
	if call, isCall := locker.(*ssa.Call); isCall && isCallOf(call, "sync.NewCond") {
		locker = call.Call.Args[0]
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
		address, lock.reads = v.Call.Args[0], true
	default:
		return lock, false
	}
	beside, of := modref.FieldPath(address)
	around, ok := modref.CutLast(path, to)
	if mustalias.BaseKey(beside) != mustalias.BaseKey(base) || of == "" || !ok {
		return lock, false // of another object
	}
	lock.star, lock.path = star, pointsto.JoinPath(around, of)
	lock.kind = kindOf(address.Type().Underlying().(*types.Pointer).Elem())
	return lock, true
}

// isCallOf tells whether the call is of the function with that name.
func isCallOf(call *ssa.Call, name string) bool {
	fn := call.Call.StaticCallee()
	return fn != nil && fn.String() == name
}
