package knowledge

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// IsCondWait tells whether fn is sync.Cond.Wait.
func IsCondWait(fn *ssa.Function) bool { return syncName(fn) == "(*sync.Cond).Wait" }

// IsRLocker tells whether fn is sync.RWMutex.RLocker.
func IsRLocker(fn *ssa.Function) bool { return syncName(fn) == "(*sync.RWMutex).RLocker" }

// semaphores is the operations on a weighted semaphore that are those of a lock
// when its size and all weights are one.
var semaphores = map[string]LockOp{
	"(*golang.org/x/sync/semaphore.Weighted).Acquire":    Lock,
	"(*golang.org/x/sync/semaphore.Weighted).TryAcquire": TryLock,
	"(*golang.org/x/sync/semaphore.Weighted).Release":    Unlock,
}

// SemaphoreOperation tells which operation on a weighted semaphore fn is, if any,
// as one on a lock.
func SemaphoreOperation(fn *ssa.Function) (LockOp, bool) {
	op, ok := semaphores[syncName(fn)]
	return op, ok
}

// IsNewSemaphore tells whether the call makes a semaphore of size one.
func IsNewSemaphore(call *ssa.CallCommon) bool {
	fn := call.StaticCallee()
	return fn != nil && Name(fn) == newWeighted && isOne(call.Args[0])
}

const newWeighted = "golang.org/x/sync/semaphore.NewWeighted"

// IsWeightOne tells whether the operation on a semaphore is of weight one.
func IsWeightOne(call *ssa.CallCommon) bool { return isOne(call.Args[len(call.Args)-1]) }

func isOne(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.Value != nil && constant.Compare(constant.ToInt(k.Value), token.EQL, constant.MakeInt64(1))
}

// IsBackground tells whether v is a context that is never done.
func IsBackground(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil {
		return false
	}
	full := Name(call.Call.StaticCallee())
	return full == "context.Background" || full == "context.TODO"
}

// FlightOp is an operation on a singleflight.Group.
type FlightOp uint8

const (
	Do         FlightOp = iota // runs a function, unless it is running already for the same key
	FlightElse                 // DoChan, which runs it elsewhere, or Forget
)

// FlightOperation tells which operation on a singleflight.Group fn is, if any.
func FlightOperation(fn *ssa.Function) (FlightOp, bool) {
	switch syncName(fn) {
	case "(*golang.org/x/sync/singleflight.Group).Do":
		return Do, true
	case "(*golang.org/x/sync/singleflight.Group).DoChan", "(*golang.org/x/sync/singleflight.Group).Forget":
		return FlightElse, true
	}
	return 0, false
}

// IsNewGroup tells whether fn is errgroup.WithContext.
func IsNewGroup(fn *ssa.Function) bool {
	return syncName(fn) == "golang.org/x/sync/errgroup.WithContext"
}
