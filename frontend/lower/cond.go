package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/lockset"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/tag"
)

// rlockerCall lowers RWMutex.RLocker.
func (l *lowerer) rlockerCall(c *clone, s state, receiver, result ssa.Value) []outcome {
	g := l.tagOf(c, s, receiver)
	if g.Kind == tag.Object {
		g.Field = tag.ReadView
	}
	return one(nil, s.with(result, g))
}

// condWait lowers sync.Cond.Wait: it lets go of the lock and takes it again. That
// somebody has called Signal or Broadcast is not asked for.
func (l *lowerer) condWait(c *clone, s state, cond ssa.Value, at ssa.CallInstruction) []outcome {
	holder := cond
	if load, isLoad := cond.(*ssa.UnOp); isLoad {
		holder = load.X
	}
	switch g := l.tagOf(c, s, holder); g.Kind {
	case tag.Object:
		if lock, evident := l.lockSets.CondLockIn(g.Star, g.Path); evident {
			return l.waitWith(s, lock, at)
		}
		if lock, evident := l.companionOfCond(g); evident {
			return l.reopened(s, lock, false, at)
		}
	case tag.Foreign:
		if l.lockSets.AllHaveTheirOwn(c.node, holder) || l.AreCompanionsOfConds(c.node, holder) {
			return one(nil, s)
		}
	}
	locks := reduce.CondLocks(l.Graph, c.node, cond)
	l.setAmbiguous(locks)
	if len(locks) != 1 || !l.Kept.Locks[locks[0]] {
		l.assumeUnmodelled(at, "which lock the condition variable has is not evident")
		return one(nil, s)
	}
	kind := lockset.KindOf(locks[0].Type())
	index := l.lockIndex(lockKey{star: -1, cell: locks[0]}, kind)
	all := l.reopened(s, index, false, at)
	if kind == esl.RW {
		all = append(all, l.reopened(s, index, true, at)...)
	}
	return all
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
func (l *lowerer) waitWith(s state, lock lockset.CondLock, at ssa.CallInstruction) []outcome {
	l.Rules.Use(rules.LockOfCondition, true)
	key, ok := l.starLock(lock.Star, lock.Path, at)
	if !ok {
		return one(nil, s)
	}
	return l.reopened(s, l.lockIndex(key, lock.Kind), lock.Reads, at)
}

// lockOfCond returns the tag of what is loaded as the lock of a condition variable, as in
// x.cond.L.Lock(), if it is evident which one it is.
func (l *lowerer) lockOfCond(c *clone, s state, locker *ssa.UnOp) (g tag.Tag, ok bool) {
	field, ok := locker.X.(*ssa.FieldAddr)
	if !ok || modref.FieldName(field.X.Type(), field.Field) != "L" || !lockset.IsCond(field.X.Type()) {
		return tag.Tag{}, false
	}
	holder := field.X
	if cond, isLoad := holder.(*ssa.UnOp); isLoad {
		holder = cond.X
	}
	switch g := l.tagOf(c, s, holder); g.Kind {
	case tag.Object:
		if lock, evident := l.lockSets.CondLockIn(g.Star, g.Path); evident {
			found := tag.Tag{Kind: tag.Object, Star: lock.Star, Path: lock.Path}
			if lock.Reads {
				found.Field = tag.ReadView
			}
			return found, true
		}
	case tag.Foreign:
		if l.lockSets.AllHaveTheirOwn(c.node, holder) {
			return g, true
		}
	}
	return tag.Tag{}, false
}
