package execute

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// operations is what stands for the functions that synchronise, by what they do.
type operations struct {
	locks      map[knowledge.LockOp]native
	groups     map[knowledge.WaitGroupOp]native
	conditions map[knowledge.CondOp]native
	containers map[knowledge.ContainerOp]native
	atomics    map[knowledge.AtomicOp]native
}

// operation returns what stands for a function that synchronises, nil if it is none: the
// others are run, as sync.Once is, and what is outside of the standard library.
func (o *operations) operation(fn *ssa.Function) native {
	if !knowledge.IsSynchronisation(fn) {
		return nil
	}
	row := knowledge.Of(fn)
	switch {
	case row.Lock != knowledge.NoLock:
		return o.locks[row.Lock]
	case row.Group != knowledge.NoGroup:
		return o.groups[row.Group]
	case row.Cond != knowledge.NoCond:
		return o.conditions[row.Cond]
	case row.Container != knowledge.NoContainer:
		return o.containers[row.Container]
	case row.Atomic != knowledge.NoAtomic && (fn.Signature.Recv() == nil || isAtomicValue(fn.Signature.Recv().Type())):
		return o.atomics[row.Atomic] // the other methods call the functions
	}
	return nil
}

// isAtomicValue tells whether the receiver of an atomic operation is an atomic.Value.
func isAtomicValue(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && named.Obj().Name() == "Value"
}

func newOperations() *operations {
	return &operations{
		locks: map[knowledge.LockOp]native{
			knowledge.Lock:     lock,
			knowledge.Unlock:   unlock,
			knowledge.TryLock:  tryLock,
			knowledge.RLock:    readLock,
			knowledge.RUnlock:  readUnlock,
			knowledge.TryRLock: tryReadLock,
		},
		groups: map[knowledge.WaitGroupOp]native{ // Go is run
			knowledge.Add:  groupAdd,
			knowledge.Done: func(g *goroutine, a []value) value { return groupAdd(g, []value{a[0], int64(-1)}) },
			knowledge.Wait: groupWait,
		},
		conditions: map[knowledge.CondOp]native{
			knowledge.CondWait:  condWait,
			knowledge.Signal:    func(g *goroutine, a []value) value { return wake(g, a[0], 1) },
			knowledge.Broadcast: func(g *goroutine, a []value) value { return wake(g, a[0], 1<<30) },
		},
		containers: map[knowledge.ContainerOp]native{
			knowledge.MapClear:            mapClear,
			knowledge.MapCompareAndDelete: mapCompareAndDelete,
			knowledge.MapCompareAndSwap:   mapCompareAndSwap,
			knowledge.MapDelete:           mapDelete,
			knowledge.MapLoad:             mapLoad,
			knowledge.MapLoadAndDelete:    mapLoadAndDelete,
			knowledge.MapLoadOrStore:      mapLoadOrStore,
			knowledge.MapRange:            mapRange,
			knowledge.MapStore:            mapStore,
			knowledge.MapSwap:             mapSwap,
			knowledge.PoolGet:             poolGet,
			knowledge.PoolPut:             poolPut,
		},
		atomics: map[knowledge.AtomicOp]native{
			knowledge.AtomicAdd:            atomicAdd,
			knowledge.AtomicAnd:            atomicBits(func(x, y int64) int64 { return x & y }),
			knowledge.AtomicCompareAndSwap: atomicCompareAndSwap,
			knowledge.AtomicLoad:           atomicLoad,
			knowledge.AtomicOr:             atomicBits(func(x, y int64) int64 { return x | y }),
			knowledge.AtomicStore:          atomicStore,
			knowledge.AtomicSwap:           atomicSwap,
		},
	}
}
