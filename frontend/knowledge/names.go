package knowledge

// WaitGroupGo is the name of the function that starts a goroutine of a wait group, as
// interleavings show it.
const WaitGroupGo = "(*sync.WaitGroup).Go"

// The names of what functions do, in words.

var lockOpNames = [...]string{
	"no lock", "lock", "unlock", "rlock", "runlock", "try lock", "try rlock", "swap lock", "try unlock",
	"reset",
}

// String returns the name of the operation in words.
func (op LockOp) String() string { return lockOpNames[op] }

var waitGroupOpNames = [...]string{"no group", "add", "done", "wait", "go", "try go", "set limit"}

// String returns the name of the operation in words.
func (op WaitGroupOp) String() string { return waitGroupOpNames[op] }

var condOpNames = [...]string{"no cond", "cond wait", "signal", "broadcast"}

// String returns the name of the operation in words.
func (op CondOp) String() string { return condOpNames[op] }

var flightOpNames = [...]string{"no flight", "do", "flight else"}

// String returns the name of the operation in words.
func (op FlightOp) String() string { return flightOpNames[op] }

var atomicOpNames = [...]string{
	"no atomic", "atomic load", "atomic store", "atomic swap", "atomic add", "atomic and", "atomic or",
	"atomic compare and swap",
}

// String returns the name of the operation in words.
func (op AtomicOp) String() string { return atomicOpNames[op] }

var containerOpNames = [...]string{
	"no container", "map load", "map range", "map store", "map delete", "map clear",
	"map load or store", "map load and delete", "map swap", "map compare and swap",
	"map compare and delete", "pool get", "pool put",
}

// String returns the name of the operation in words.
func (op ContainerOp) String() string { return containerOpNames[op] }

var timeOpNames = [...]string{"no time", "sleep", "yield", "now", "since", "until", "after", "new timer", "start timer"}

// String returns the name of the operation in words.
func (op TimeOp) String() string { return timeOpNames[op] }

var makeOpNames = [...]string{
	"makes nothing", "new cond", "new semaphore", "new group", "read locker", "new once", "new error",
	"new copy", "no deadline", "cancel context", "done error", "cancelled inside",
}

// String returns the name of the operation in words.
func (op MakeOp) String() string { return makeOpNames[op] }

var endOpNames = [...]string{"ends nothing", "program end", "goroutine end"}

// String returns the name of the operation in words.
func (op EndOp) String() string { return endOpNames[op] }

var outputOpNames = [...]string{"no output", "to standard", "to writer", "to text"}

// String returns the name of the operation in words.
func (op OutputOp) String() string { return outputOpNames[op] }
