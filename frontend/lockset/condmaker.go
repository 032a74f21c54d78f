package lockset

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// A condition variable may be made by a helper that is handed the lock, or the object that the
// lock is in:
//
//	func condOn(l sync.Locker) *sync.Cond { return sync.NewCond(l) }
//	func (q *Queue) newCond() *sync.Cond  { return sync.NewCond(&q.mu) }
//
// Which lock it is shows where the helper is called.

// addressedLock is the address of a lock: where it is from a value.
type addressedLock struct {
	base  ssa.Value
	path  string
	of    types.Type // of the lock; nil if that does not show here
	reads bool       // it is the read lock of an RWMutex
}

// addressOfLock returns the address of the lock that an interface or a pointer holds; ok is
// false if that is not evident.
func addressOfLock(v ssa.Value) (lock addressedLock, ok bool) {
	switch made := v.(type) {
	case *ssa.MakeInterface:
		return addressOfLock(made.X)
	case *ssa.ChangeInterface:
		return addressOfLock(made.X)
	case *ssa.Call:
		if made.Call.StaticCallee() == nil || !knowledge.IsRLocker(made.Call.StaticCallee()) {
			return lock, false
		}
		lock, ok = addressOfLock(made.Call.Args[0])
		lock.reads = true
		return lock, ok
	}
	lock.base, lock.path = modref.FieldPath(v)
	if pointer, isPointer := v.Type().Underlying().(*types.Pointer); isPointer {
		lock.of = pointer.Elem()
	}
	return lock, true
}

// maxMakers bounds the calls through which it is followed which lock a condition variable is
// made with.
const maxMakers = 4

// lockOfMade returns the address of the lock of the condition variable that the call makes: ok
// is false if it is not evident that it does, or which one it is.
func lockOfMade(call *ssa.Call, depth int) (lock addressedLock, ok bool) {
	callee := call.Call.StaticCallee()
	switch {
	case callee == nil || depth == maxMakers:
		return lock, false
	case knowledge.Makes(call, knowledge.NewCond):
		return addressOfLock(call.Call.Args[0])
	case len(callee.Blocks) != 1 || callee.Signature.Results().Len() != 1:
		return lock, false
	}
	ret, isReturn := callee.Blocks[0].Instrs[len(callee.Blocks[0].Instrs)-1].(*ssa.Return)
	if !isReturn {
		return lock, false
	}
	made, isCall := ret.Results[0].(*ssa.Call)
	if !isCall || len(*made.Referrers()) != 1 {
		return lock, false
	}
	inner, ok := lockOfMade(made, depth+1)
	position := slices.Index(callee.Params, asParameter(inner.base))
	if !ok || position < 0 {
		return lock, false
	}
	lock, ok = addressOfLock(call.Call.Args[position])
	if !ok || inner.path != "" && lock.reads {
		return lock, false
	}
	lock.path, lock.reads = pointsto.JoinPath(lock.path, inner.path), lock.reads || inner.reads
	if inner.of != nil {
		lock.of = inner.of
	}
	return lock, true
}

// asParameter returns the parameter that the value is, nil if it is none.
func asParameter(v ssa.Value) *ssa.Parameter {
	p, _ := v.(*ssa.Parameter)
	return p
}
