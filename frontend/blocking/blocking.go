// Package blocking lowers a Go program to an ESL model of its synchronisation: of which goroutines start, wait, take
// locks, send, signal and count, in which order. It is for questions about blocking; what they do to the fields of
// an atomic set is the business of package lower, which leaves out what only orders.
//
// Each goroutine is evaluated as far as its values are known (partial evaluation, Jones, Gomard and Sestoft 1993):
// constants, pointers to objects by where and how often they were made, closures. A branch on a known value is none,
// so that counted loops run as often as they do; a branch on another value is a choice, and counts as a guess. An
// operation on an object is modelled where it is known which one that is, else the goroutine goes on, and the model
// is not complete: see Model.Guesses.
//
// Memory that only one goroutine uses, or that is written before the others are started, is evaluated with the
// goroutine. Other memory is a variable of the model, of the values that are stored in it, if they are few and a
// branch or an operation depends on them. Which memory that is becomes known on the way, so the program is evaluated
// again until nothing more is found out.
//
//	value     what is known of a value
//	memory    objects, cells, and the state of an evaluation
//	tree      memory that states share
//	reach     which objects are led to
//	shared    which cells are variables of the model
//	maps      entries of maps
//	tables    maps that several goroutines use
//	sole      what one goroutine alone stores
//	once      entries of maps that are made when they are first needed
//	cells     loads and stores, and which of them matter
//	many      memory of objects that stand for many
//	evaluate  instructions
//	compute   what they compute
//	bounds    what branches tell of numbers
//	sizes     how large channels are
//	call      calls, deferred calls, goroutines
//	apart     goroutines that have nothing to do with others
//	atonce    goroutines that are run at once
//	gather    goroutines that begin in several ways
//	quiet     which calls can be left out
//	callees   what a call may call
//	forgotten what nobody needs of memory
//	overwritten what memory may hold that is written where it is not known which one
//	settled   which locks can be left out
//	footprint which memory functions read and write, by types
//	rewritten what functions write that are not followed
//	handed    what is called back by functions that are not followed
//	locks     operations of package sync
//	channels  sends, receives, selects
//	contexts  contexts, atomic operations
//	timers    timers
//	exposed   what clients can use besides what they call
//	doubt     what may be operated on without the model having it
//	assumed   what is reached only if something was done that is not known
//	live      which registers may still be used
//	graph     the states of a goroutine
//	merge     which states of a place are told apart
//	spin      loops that look whether something has changed
//	rounds    those that no operation stands for
//	lowerer   goroutines and objects
//	emit      the model
package blocking

import (
	"slices"

	"context"
	"errors"
	"fmt"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/polling"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/limit"
)

// Config is what a model is made of.
type Config struct {
	Roots      []*ssa.Function // that run one after the other on the first goroutine
	Position   func(ssa.Instruction) esl.Pos
	PositionOf func(token.Pos) esl.Pos
	// IsFollowed tells whether functions of a package are evaluated. What others do with synchronisation is in the
	// table of this package, or taken to be nothing.
	IsFollowed func(*ssa.Function) bool
	// IsUnknown tells of a package variable whether its value may be anything at any time; nil: of none is that so.
	IsUnknown func(*ssa.Global) bool
	// IsClient tells whether a function is one of a client that a program was written for; nil: there are none.
	IsClient func(*ssa.Function) bool
	// IsRepeated tells whether a call does something that clients do anyway: another one can do it at any time, whoever
	// waits for that. nil: no call does.
	IsRepeated func(ssa.CallInstruction) bool
	States     int // of one goroutine, at most; 0: DefaultStates
	// IsCoarse tells that less of the program is evaluated from the beginning, see quiet, and not only where it is too
	// large.
	IsCoarse bool
	// IsGathered tells that goroutines that are started alike are one from the beginning, see gather, and not only where
	// there are too many.
	IsGathered bool
	// Local is what is known of objects that only the call of the root, and the goroutines that it starts, can have: the
	// root is a function of which neither the arguments nor the caller are known. nil: the program is whole.
	Local Local
	// Dispatch is shared by models of parts of one program; nil: the model has its own.
	Dispatch *ssaflow.Dispatch
	// Settled is what is known of locks for which nobody waits for ever; nil: nothing. See quiet.
	Settled Settled

	polling *polling.Loops // of the program; the same in all rounds
}

// Local tells which objects are local to a call. All that is not understood is asked: whoever waits for one of them may
// go on only by what can lead to it.
type Local interface {
	IsLocal(made ssa.Instruction) bool              // whether what an instruction makes is local
	MayLead(v ssa.Value, made ssa.Instruction) bool // whether a value may lead to what an instruction makes
	Touches(call ssa.CallInstruction) bool          // whether a call is handed something local, or makes it
}

// Settled is locks for which nobody waits for ever, and that nobody releases who does not hold them. A lock is what has
// one name.
type Settled interface {
	// LocksAt names the locks that a call may operate on, if they are such ones and are held in calls of functions only
	// that take and release them; else none.
	LocksAt(ssa.CallInstruction) []string
	Users(lock string) []*ssa.Function // that may operate on it
}

// DefaultStates bounds the states of one goroutine of a model.
const DefaultStates = 4000

// maxRounds bounds how often the program is evaluated, maxProcesses the goroutines of a model. Where there are too
// many, how many of each are told apart is still at least fewest.
const (
	maxRounds    = 60
	maxProcesses = 48
	fewest       = 3
)

// ErrTooLarge means that a bound on the size of the model was passed.
var ErrTooLarge = errors.New("the model of its goroutines is too large")

// Model is the model, and where it is not the program.
type Model struct {
	Program *esl.Program
	Clients []int // the processes that are clients of a library: there may be more of them
	// Guesses is what is not known: a run of the model may be none of the program. Without any, it is one.
	Guesses []Guess
	// Code is the Go functions that statements are in.
	Code map[esl.Pos]*ssa.Function

	// Skips tells that operations which may wait are left out, see Config.Local; SkipsJoins that they wait until others
	// have done something.
	Skips, SkipsJoins bool
	// IsIdle tells of a choice, by its function and where it is there, that it decides nothing; of the model of a call.
	IsIdle func(function, at int) bool
	// Branches is the branches of guesses, by where.
	Branches map[esl.Pos][]*ssa.If
	// Lists is the lists of which the length is guessed, by where.
	Lists map[esl.Pos]ssa.Value
	// Looks is the operations that stand for loops which look again and again, by where: the lines of these.
	Looks map[esl.Pos]Lines
	// Rounds is loops that look again and again for which no operation stands, see rounds: of a process, where its
	// operations in them are. By number, from 1 on, in Loops.
	Rounds []map[esl.Pos]int
	Loops  []Loop
	// NilUses is where the program ends as what is used is nil.
	NilUses map[esl.Pos]bool
	// LateReports is where it ends as something is reported to a test that has ended.
	LateReports map[esl.Pos]bool
	// ClosedUses is where it ends as that is nil which was received from a channel, as the channel was closed.
	ClosedUses map[esl.Pos]bool

	doubtful [kinds][]bool
	assumed  map[statement]bool
	isOfCall bool // see Config.Local
}

// Loop is a loop, and where it can be left.
type Loop struct {
	Lines
	Exit esl.Pos
}

// LoopAt returns the loop of Rounds in which an operation of a process is, by number; 0: it is in none.
func (m *Model) LoopAt(process int, at esl.Pos) int {
	if process >= len(m.Rounds) {
		return 0
	}
	return m.Rounds[process][at]
}

// Lines is lines of a file.
type Lines struct {
	File        string
	First, Last int
}

// String is file.go:12-14.
func (l Lines) String() string { return fmt.Sprintf("%s:%d-%d", l.File, l.First, l.Last) }

// IsLoop tells whether an operation stands for a loop that looks again and again.
func (m *Model) IsLoop(at esl.Pos) bool { return m.Looks[at].First > 0 }

// IsGuessed tells whether the condition of the branch at a position is not known.
func (m *Model) IsGuessed(branch esl.Pos) bool {
	return slices.ContainsFunc(m.Guesses, func(g Guess) bool { return g.IsBranch && g.Pos == branch })
}

// FunctionAt names the Go function that a statement is in; "" if that is not known.
func (m *Model) FunctionAt(pos esl.Pos) string {
	if fn := m.Code[pos]; fn != nil {
		return fn.String()
	}
	return ""
}

// Guess is something that the model does not know.
type Guess struct {
	Pos  esl.Pos
	What string
	// IsBranch tells that the model has both ways of a branch, as a Choice: what is so whatever is chosen is so in
	// the program.
	IsBranch bool
}

// Lower makes the model of a program. The error is that of the context, or ErrTooLarge.
func Lower(ctx context.Context, c Config) (m *Model, err error) {
	defer limit.Catch(&err)
	if c.States == 0 {
		c.States = DefaultStates
	}
	if c.Dispatch == nil {
		c.Dispatch = ssaflow.NewDispatch(c.Roots[0].Prog)
	}
	c.polling = polling.New(c.IsFollowed)
	known := newLearned()
	known.isGathered = c.IsGathered
	quiet := newLowerer(ctx, c, known).findQuiet()
	if c.IsCoarse {
		quiet.decide(true)
	}
	for range maxRounds {
		known.beginRound()
		l := newLowerer(ctx, c, known)
		l.quiet = quiet
		if err := l.run(); err != nil {
			return nil, err
		}
		switch {
		case l.hasMany && !quiet.isCoarse: // less of the program
			quiet.decide(true)
			known = newLearned()
			known.isGathered = c.IsGathered
		case l.hasMany && known.visits > fewestVisits: // fewer at each place
			known.visits /= 4
		case l.hasMany: // what is joined is known from the beginning; where that is all, there are as many again
			if known.again++; !known.isJoining && !known.changed {
				known.again = maxAgain
			}
			if known.again == maxAgain && known.isSplit {
				known.beginJoining()
			}
		case l.isCrowded && l.canGather():
			known.isGathered = true
		case l.isCrowded && known.most > fewest: // fewer of each, so that there is room for those that they start
			known.most /= 2
			known.many = map[*object]map[string]*variable{}
		case !l.learn():
			return l.emit()
		}
	}
	return nil, fmt.Errorf("%w: what goroutines share was not found out in %d rounds", ErrTooLarge, maxRounds)
}
