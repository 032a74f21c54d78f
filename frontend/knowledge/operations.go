package knowledge

// LockOp is an operation on a lock.
type LockOp uint8

const (
	NoLock LockOp = iota
	Lock
	Unlock
	RLock
	RUnlock
	TryLock
	TryRLock

	// Of variables that are used as locks: see package spinlock.
	SwapLock  // TryLock that returns what there was before
	TryUnlock // releases the lock if it is held, and says whether
	Reset     // releases the lock if it is held
)

// IsTaking tells whether the operation may take a lock.
func (op LockOp) IsTaking() bool {
	switch op {
	case NoLock, Unlock, RUnlock, TryUnlock, Reset:
		return false
	}
	return true
}

// WaitGroupOp is an operation on a group of goroutines that somebody waits for: a
// sync.WaitGroup or an errgroup.Group.
type WaitGroupOp uint8

const (
	NoGroup WaitGroupOp = iota
	Add
	Done
	Wait
	Go
	TryGo    // starts the goroutine, or says that it does not
	SetLimit // of the goroutines that run at a time
)

// CondOp is an operation on a condition variable.
type CondOp uint8

const (
	NoCond CondOp = iota
	CondWait
	Signal
	Broadcast
)

// FlightOp is an operation on a singleflight.Group.
type FlightOp uint8

const (
	NoFlight   FlightOp = iota
	Do                  // runs a function, unless it is running already for the same key
	FlightElse          // DoChan, which runs it elsewhere, or Forget
)

// AtomicOp is an operation of package sync/atomic.
type AtomicOp uint8

const (
	NoAtomic AtomicOp = iota
	AtomicLoad
	AtomicStore
	AtomicSwap
	AtomicAdd
	AtomicAnd
	AtomicOr
	AtomicCompareAndSwap
)

// ContainerOp is an operation on a container that is safe for concurrent use: a sync.Map
// or a sync.Pool.
type ContainerOp uint8

const (
	NoContainer ContainerOp = iota
	MapLoad
	MapRange
	MapStore
	MapDelete
	MapClear
	MapLoadOrStore
	MapLoadAndDelete
	MapSwap
	MapCompareAndSwap
	MapCompareAndDelete
	PoolGet
	PoolPut
)

// TimeOp is what a function has to do with time.
type TimeOp uint8

const (
	NoTime TimeOp = iota
	Sleep         // lets time pass
	Yield         // lets others run
	Now           // tells the time, as do the next two
	Since
	Until
	After      // makes a channel that gets a value later
	NewTimer   // makes something with such a channel
	StartTimer // runs a function later
)

// MakeOp is what a function makes, as far as it matters who made it.
type MakeOp uint8

const (
	MakesNothing    MakeOp = iota
	NewCond                // a sync.Cond, of a lock
	NewSemaphore           // a semaphore, of a size
	NewGroup               // an errgroup.Group and its context
	ReadLocker             // the sync.Locker of a lock's readers
	NewOnce                // a function that runs another one once
	NewError               // an error, never nil
	NewCopy                // memory of its own, which nobody else has
	NoDeadline             // a context that is never done
	CancelContext          // a context and the function that ends it
	DoneError              // the error with which a context is done
	cancelledInside        // the same, inside of package context
)

// EndOp is what a call of a function ends.
type EndOp uint8

const (
	EndsNothing  EndOp = iota
	ProgramEnd         // the program, with no deferred call run
	GoroutineEnd       // the goroutine, after its deferred calls
)

// OutputOp is where what a function is handed goes.
type OutputOp uint8

const (
	NoOutput   OutputOp = iota
	ToStandard          // the standard output, or the log of a test
	ToWriter            // the first argument
	ToText              // a text that it returns
)
