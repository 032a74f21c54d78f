// Package esl is the intermediate language between the Go front end and the
// pushdown model: Empire's small modelling language (Empire report, section 5.2
// and Table 1), with the additions that Go needs.
//
// A program is a finite set of processes (goroutines) over finitely many objects,
// abstract locations, locks, flags and channels. Values are not modelled: every branch is a
// free choice. Functions may be recursive and are shared by the processes.
//
// The package holds the language (this file), its text form (Parse, Print) and its
// validator (Validate). It does not know Go, pushdown systems or scenarios.
package esl

import (
	"fmt"
	"slices"
	"strings"
)

// Program is a whole model. References between its parts are indices into its
// slices.
type Program struct {
	Name      string
	Objects   []Object // Objects[0] is the checked object, the others are unitfor objects
	Locations []Location
	Locks     []Lock
	Flags     []Flag
	Channels  []Channel
	Processes []Process
	Functions []Function

	// What only questions about blocking need: see Blocking.
	Conditions []Condition
	Groups     []Group
	Variables  []Variable
}

// Object is the checked object, or an object whose fields join the atomic set
// while a unit of work runs that was handed it as a unitfor parameter.
type Object struct {
	Name string // an identifier, as "w"
	Site string // where it is allocated, as "main.go:29:8"
}

// Location is one abstract memory location: one member of the atomic set (or of
// the fields of a unitfor object).
type Location struct {
	Object int
	Name   string // the field, as "count" or "inner.count"
}

// LockKind is the kind of a lock.
type LockKind uint8

const (
	Mutex LockKind = iota // one holder, not reentrant, without owner: any process may unlock it
	RW                    // one writer or any number of readers, not reentrant, without owner
)

// String returns "mutex" or "rw".
func (k LockKind) String() string { return [...]string{"mutex", "rw"}[k] }

// Lock is one concrete lock.
type Lock struct {
	Name string
	Kind LockKind
	Pos  Pos
}

// Flag is a one-way switch, initially unset: a closing signal, or the token that
// makes one of many objects the checked one.
type Flag struct{ Name string }

// Channel is one concrete channel, initially open and empty. Only how many values
// it holds is modelled, not which.
//
// Unbuffered (Capacity 0): a Send by one instance and a Receive by another happen
// together, while the channel is open. In a run they are two steps, the Receive
// right after the Send; the Send is enabled only where another instance is at a
// Receive of the channel. Buffered: Send waits while Capacity values are in it, Receive while
// there is none. A closed channel still gives what it holds. ReceiveClosed is what
// a receive does that finds the channel closed and empty; it waits for that.
//
// For questions about blocking, values may be told apart: a Send sends the number Stmt.Value, and a Receive waits until
// that is the first one in the channel. Where all are 0, as the pushdown model has it, it is as above.
type Channel struct {
	Name     string
	Capacity int // at most MaxCapacity
	Pos      Pos
}

// MaxCapacity bounds the capacity of a modelled channel.
const MaxCapacity = 16

// Condition is a condition variable: a queue of the instances that wait for a signal.
type Condition struct {
	Name string
	Pos  Pos
}

// Group is a wait group: a counter, initially zero, that instances wait for to be zero.
type Group struct {
	Name string
	Pos  Pos
}

// Variable is one word of memory with values from 0 to Values - 1, initially 0.
type Variable struct {
	Name   string
	Values int // at most MaxValues
}

// MaxValues bounds the values of a modelled variable.
const MaxValues = 64

// Process is the code of a goroutine. Copies instances of it can run.
//
// Start, with s the number of copies started so far: if s < Copies, copy s+1
// becomes runnable. If Copies > 1 or s == Copies the statement may also pass
// without effect (a goroutine beyond the modelled copies counts as done at once).
//
// Disjoint are locations that stand for the elements of an array, of which each copy
// accesses others than its siblings do. Between two copies of the process, accesses to
// them match nothing and are in no data race; between a copy and another process they
// are accesses like any.
type Process struct {
	Name     string
	Entry    int   // index of the function in which it begins
	Copies   int   // at least 1
	Initial  bool  // runnable from the beginning (Copies == 1)
	Disjoint []int // locations, ascending (Copies > 1)
	Pos      Pos
}

// Function is a list of statements. Control falls through from a statement to the
// next one unless the statement says otherwise. Falling off the end returns.
type Function struct {
	Name string // unique; clones of one Go function have different names
	Body []Stmt
	Pos  Pos
}

// Op is the operation of a statement.
type Op uint8

// The operations. Arg is Stmt.Arg.
const (
	Skip          Op = iota
	Goto             // continue at Targets[0]
	Choice           // continue at any of Targets; none: the process is stuck for ever
	Call             // call function Arg
	Return           // return to the caller; in the entry function, end the process
	Access           // one indivisible access Access to location Arg
	LockOp           // acquire lock Arg exclusively; blocks while it is held in any way
	Unlock           // release lock Arg, held exclusively by anyone; stuck if it is not
	RLock            // acquire RW lock Arg shared; blocks while it is held exclusively
	RUnlock          // release one shared hold of lock Arg; stuck if there is none
	UnitBegin        // begin a unit of work on object Arg; see Stmt.Unit and Stmt.With
	UnitEnd          // end the innermost open unit of this function activation on object Arg
	Start            // start process Arg
	Join             // wait until every started copy of process Arg is done
	Done             // this process counts as done for Join from here on
	Set              // set flag Arg; blocks for ever if it is set
	Await            // wait until flag Arg is set
	AwaitUnset       // pass only while flag Arg is unset; blocks for ever once it is set
	Send             // send to channel Arg; stuck if it is closed
	Receive          // receive a value from channel Arg
	ReceiveClosed    // wait until channel Arg is closed and empty
	CloseChannel     // close channel Arg; stuck if it is closed
	Forget           // the values of this activation's reads with key Key no longer matter; see Stmt.Key

	// The operations that only questions about blocking need: see Blocking.
	Select        // continue with any of Targets that can be executed: see Stmt
	SelectDefault // the same, and with the last one of Targets where no other one can be
	Intend        // announce that RW lock Arg is to be taken exclusively: until it is, RLock blocks
	Enlist        // join the end of the queue of condition Arg
	Awake         // wait until a signal has taken this instance out of the queue of condition Arg
	Signal        // take the first instance out of the queue of condition Arg, if there is one
	Broadcast     // take all instances out of the queue of condition Arg
	Add           // add Count to the counter of group Arg; stuck if that makes it negative
	WaitZero      // wait until the counter of group Arg is zero
	Assign        // variable Arg becomes Value
	Test          // wait until variable Arg is Count
	Swap          // wait until variable Arg is Count, and make it Value in the same step
	Exit          // end the program: nothing is enabled any more
)

// Blocking tells whether the operation is one that only questions about blocking need. The pushdown model
// does not have them.
func (op Op) Blocking() bool { return op >= Select }

// AccessKind is the kind of an access.
type AccessKind uint8

const (
	Read        AccessKind = iota // plain read
	Write                         // plain write
	AtomicRead                    // read by an atomic operation: in no data race with another atomic one
	AtomicWrite                   // write by an atomic operation
	RMW                           // atomic read-modify-write: matches as a read or as a write
	Increment                     // atomic increment whose value feeds nothing
)

// String returns the keyword of the access kind.
func (k AccessKind) String() string {
	return [...]string{"read", "write", "atomic-read", "atomic-write", "rmw", "inc"}[k]
}

// Reads tells whether the access matches a read event.
func (k AccessKind) Reads() bool { return k == Read || k == AtomicRead || k == RMW || k == Increment }

// Writes tells whether the access matches a write event.
func (k AccessKind) Writes() bool { return k != Read && k != AtomicRead }

// Atomic tells whether the access is in no data race with another atomic one.
func (k AccessKind) Atomic() bool { return k >= AtomicRead }

// Stmt is one statement.
//
// Units. UnitBegin opens a unit on an object in this activation; only the
// outermost open unit of a process on an object counts, and its label is Unit.
// Every activation of a function closes the units that it opened, on every path, in reverse
// order (Validate checks it). While a UnitBegin with With is open in a process,
// the locations of the objects in With belong to the atomic set of the process's
// unit on object Arg.
//
// Selects. An instance at a Select is at the statements of all its targets at once: it has no step of its own,
// but those of its targets, after which control is behind the target. A Send and a Receive meet at an
// unbuffered channel where not both are targets of a SelectDefault. The last target of a SelectDefault is
// enabled where no other one is, could meet, or would end the program. A target may not be a Select itself, nor the
// end.
//
// Keys. A Forget drops the partial matches in which an event of an open unit of the
// process is matched by a read with the same Key that the same activation of a
// function has made, in this iteration of a loop or in an earlier one. Reads by
// other activations, of the same function too, callers and callees, keep what they
// have matched; so does a read in a unit that has ended since. A key therefore says
// nothing outside of its function.
type Stmt struct {
	Op      Op
	Arg     int        // object, location, lock, flag, channel, process, function and so on: see Op
	Access  AccessKind // of Access
	Targets []int      // of Goto, Choice and Select: indices into the body, len(Body) meaning its end
	Unit    string     // of UnitBegin: the label, as "(*example.com/p.Vector).Clear"
	With    []int      // of UnitBegin: unitfor objects
	Key     string     // of a reading Access: names it for Forget; of Forget: which reads
	Count   int        // of Add, Test and Swap
	Value   int        // of Assign and Swap, and of Send and Receive where values are told apart
	Pos     Pos        // the Go position it comes from; zero if none
}

// Pos is a Go source position: slash-separated path relative to the module root.
// The zero Pos is no position.
type Pos struct {
	File      string
	Line, Col int
}

// InModule tells whether the position is one in the main module: paths of other
// files are absolute, begin with a variable, as in $GOROOT/src/sync/once.go, or are
// copies of dependencies in the folder vendor.
func (p Pos) InModule() bool {
	return p.File != "" && p.File[0] != '/' && p.File[0] != '$' && !strings.HasPrefix(p.File, "vendor/")
}

// String returns file:line:col, or "-" for no position.
func (p Pos) String() string {
	switch {
	case p.File == "":
		return "-"
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// LocationName returns the qualified name of location l, as "w.count".
func (p *Program) LocationName(l int) string {
	return p.Objects[p.Locations[l].Object].Name + "." + p.Locations[l].Name
}

// Instance is one copy of a process, the unit of scheduling. Copy counts from 1.
type Instance struct{ Process, Copy int }

// Instances returns all instances in order.
func (p *Program) Instances() []Instance {
	var all []Instance
	for i, q := range p.Processes {
		for c := 1; c <= q.Copies; c++ {
			all = append(all, Instance{i, c})
		}
	}
	return all
}

// AreDisjoint tells whether two instances access different parts of location l: see
// Process.Disjoint.
func (p *Program) AreDisjoint(a, b Instance, l int) bool {
	return a.Process == b.Process && slices.Contains(p.Processes[a.Process].Disjoint, l)
}

// Place is a statement of a function.
type Place struct{ Function, Index int }

// Step is one step of a run: Instance executes the statement Function/Index.
// For Start, Choice and the like the step also says which way it went.
type Step struct {
	Instance
	Function, Index int
	Target          int // of Goto and Choice: the index taken; of Start: the copy started, 0 if it passed without effect
}
