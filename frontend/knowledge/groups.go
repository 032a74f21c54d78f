package knowledge

import (
	"go/constant"

	"golang.org/x/tools/go/ssa"
)

// IsCondWait tells whether fn is sync.Cond.Wait.
func IsCondWait(fn *ssa.Function) bool { return syncName(fn) == "(*sync.Cond).Wait" }

// IsRLocker tells whether fn is sync.RWMutex.RLocker.
func IsRLocker(fn *ssa.Function) bool { return syncName(fn) == "(*sync.RWMutex).RLocker" }

// semaphores is the operations on a weighted semaphore, as those of a lock.
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

// SemaphoreSize returns the size of the semaphore that the call makes; ok is false if it
// makes none, or one of a size that is not constant.
func SemaphoreSize(call *ssa.CallCommon) (size int64, ok bool) {
	fn := call.StaticCallee()
	if fn == nil || Name(fn) != newWeighted {
		return 0, false
	}
	return constantOf(call.Args[0])
}

const newWeighted = "golang.org/x/sync/semaphore.NewWeighted"

// Weight returns the weight of an operation on a semaphore, if it is constant.
func Weight(call *ssa.CallCommon) (weight int64, ok bool) {
	return constantOf(call.Args[len(call.Args)-1])
}

func constantOf(v ssa.Value) (int64, bool) {
	k, ok := v.(*ssa.Const)
	if !ok || k.Value == nil {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(k.Value))
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

// IsSetLimit tells whether fn is errgroup.Group.SetLimit.
func IsSetLimit(fn *ssa.Function) bool {
	return syncName(fn) == "(*golang.org/x/sync/errgroup.Group).SetLimit"
}

// IsNewGroup tells whether fn is errgroup.WithContext.
func IsNewGroup(fn *ssa.Function) bool {
	return syncName(fn) == "golang.org/x/sync/errgroup.WithContext"
}
