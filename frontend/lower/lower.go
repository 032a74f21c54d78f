// Package lower translates the kept part of a Go program to ESL (Empire report,
// section 5.2 and Table 1).
//
// A function becomes one ESL function for each way in which it is used: for each
// call-graph node, and for each combination of stars that its parameters and
// captured variables hold (random isolation turns "may be the checked object" into
// "is it" or "is it not", decided when the pointer is loaded). Within a clone the
// lowering follows the control flow with that knowledge, so that an access through
// a pointer is exactly an access to a star, or exactly none, or, where only the
// points-to sets speak, either.
//
// A read whose value no longer matters is forgotten (relevance.go), an increment whose
// result is dropped is one indivisible access (counters.go), and a read that flows only
// into output is marked as such (output.go). Strict turns the first two off.
//
// A channel, condition variable, semaphore or group is modelled where it is evident
// which one an operation is on, and then everywhere. What the Go program does beyond
// accesses, calls, starts and such synchronisation is left out, which only adds
// interleavings, and is listed as an assumption where it matters. Of goroutines that are
// started again and again the model has a few; what the others could do for them to go on,
// by channels, locks or objects that they hand on, is possible at any time (passedlocks.go,
// ownchannel.go, handover.go). The package does not decide what is watched (isolate) or
// what is kept (reduce).
package lower

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/keys"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/lockset"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/order"
	"github.com/empire-go/empire-go/frontend/ownership"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/relevance"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
	"github.com/empire-go/empire-go/frontend/units"
	"github.com/empire-go/empire-go/limit"
)

// Config is what the earlier stages found out.
type Config struct {
	Program      *load.Program
	Graph        *pointsto.Result
	Multiplicity *multiplicity.Analysis
	Stars        *isolate.Isolation
	Kept         *reduce.Reduction
	Units        modref.UnitPolicy
	UnitFor      isolate.UnitForPolicy
	Strict       bool                    // every read counts
	Races        bool                    // it is asked about data races only: see isolate.Location.Held
	Copies       int                     // of a goroutine whose go statement can run more than once
	Keyed        *rules.Rule             // entries of maps, or elements of arrays, are told apart by it, unless nil
	Coarse       map[*pointsto.Node]bool // of reduce.Reduction.Coarse: those that are not followed
	States       int                     // told apart at an instruction by what values are; 0: as many as is sensible
}

// Result is the model, and what is needed to speak about it in terms of Go.
type Result struct {
	Program     *esl.Program
	GoFunctions []string // by index of ESL function: the Go function that it is a clone of
	// The functions of the model that do what they can do in any order, by GoFunctions: the Go functions that they stand
	// for, where it leads into them.
	Loose map[string][]*ssa.Function
	// Entrances: of those that stand for several, which nodes they stand for where a function comes to them. Busy: those
	// of them that never return without running what is followed.
	Entrances map[Entrance][]*pointsto.Node
	Busy      map[*pointsto.Node]bool
	// PassesLocks: goroutines seem to pass on a lock, which excludes nobody in the model. Where there are loose functions,
	// it may only seem so because of these.
	PassesLocks bool
	// by position of an access: the field of another object that a field of the set leads to, as
	// "Session.hits"
	Memory map[esl.Pos]string
	Keys   map[esl.Pos]string // by position of an access: the key with which an entry of a map is accessed
	// by position of a statement: the Go function that it is in, if that is not the function's
	Inlined     map[esl.Pos]string
	Removals    map[esl.Pos]bool // of accesses by which units take out of maps what they have put in
	Assumptions []Assumption
	Rules       *rules.Record // which rules the model rests on, and which ones a bound has switched off
}

// Assumption is something that the model leaves out or takes for granted.
type Assumption struct {
	Kind string
	Pos  esl.Pos
	Text string
}

// maxStatements bounds the size of a model.
const maxStatements = 2_000_000

// ErrNoKeys means that there are no keys to tell apart.
var ErrNoKeys = errors.New("no two keys of the maps in the set are told apart")

// ErrTooLarge means that the model passed the bound on its size.
var ErrTooLarge = errors.New("the model is too large: name fewer fields or a smaller program")

// lowerer is the state of one lowering.
type lowerer struct {
	*modref.Facts
	values        *mustalias.Values
	lockSets      *lockset.Locks
	work          *units.Units
	owners        *ownership.Owners
	reads         *relevance.Reads
	choices       *tag.Choices
	holders       *tag.Holders
	happensBefore *order.Order
	keys          *keys.Keys // nil if entries of maps are not told apart
	UnitFor       isolate.UnitForPolicy
	Strict        bool
	Races         bool
	Copies        int
	Coarse        map[*pointsto.Node]bool

	ctx         context.Context
	tags        *tag.Table
	functions   map[*ssa.Function]*function
	clones      map[cloneKey]*clone
	families    map[cloneKey]*clone // by what family returns: the first one
	order       []*clone
	names       map[string]bool // of clones
	processes   map[processKey]*process
	processList []*process

	passageStarts map[processKey]*process // by entry and what it makes: see startFromPassage

	together []ssa.Value // see stepTogether

	locks       map[lockKey]int
	lockList    []esl.Lock
	weighted    map[int]bool       // locks that stand for semaphores
	parts       []isolate.Location // that guard themselves: locations of their own, see locationIndex
	flags       map[string]int
	flagNames   []string
	channels    map[channelKey]int
	channelList []esl.Channel

	channelNames map[channelKey]string
	signals      map[int]bool // the flags that say that a channel is closed, or a context done
	valueFlags   map[int]bool // the flags that stand for their values

	services   []token.Pos            // of the service loops, as far as found: see serviceLoops
	resets     map[pointsto.Cell]bool // what is assigned anew: see modref.Resets
	ambiguous  map[lockKey]bool       // locks of stars that some operation may or may not be on: not modelled
	leftBehind []leftBehind           // deferred calls of the bodies of loops over functions
	lost       bool                   // there was a new one, or a bad holder

	tokens      map[carrierKey]int  // the tokens of stars in channels and pools, as channels of the model
	badCarriers map[carrierKey]bool // what is put in is not evident

	guessed []tag.FrozenField        // frozen fields whose value is not known
	guess   map[tag.FrozenField]bool // and what it is in what is being lowered

	others      map[phiEdge]bool           // answers of isOtherThan
	forwards    map[forwarding]bool        // likewise of onlyForwards
	memory      map[esl.Pos]string         // see Result.Memory
	keyTexts    map[esl.Pos]string         // see Result.Keys
	loose       map[string][]*ssa.Function // see Result.Loose
	entrances   map[Entrance][]*pointsto.Node
	busy        map[*pointsto.Node]bool
	loops       map[int]bool // by index: the clones that are loop functions of package segments
	assumptions map[Assumption]bool
	states      int // see Config.States
	statements  int
	room        []byte // for keys
	err         error
}

// Lower builds the model of the program whose entry nodes are the roots of the
// graph. It returns an error if the model is too large or the context is done.
func Lower(ctx context.Context, c Config) (r *Result, err error) {
	defer limit.Catch(&err)
	c.Graph = c.Graph.During(ctx)
	ambiguous := map[lockKey]bool{}
	tags := tag.NewTable()
	var left []leftBehind
	var guessed []tag.FrozenField
	badCarriers := map[carrierKey]bool{}
	unpublished := fresh.New(ctx, c.Graph)
	unpublished.Watch(c.Stars.Watched()...)
	resets := modref.Resets(c.Graph, c.Stars, c.Kept, unpublished)
	c.Kept = modref.WithoutResets(c.Kept, resets)
	facts := modref.New(modref.Input{
		Program: c.Program, Graph: c.Graph, Multiplicity: c.Multiplicity, Stars: c.Stars, Kept: c.Kept, Units: c.Units,
		Unpublished: unpublished, Rules: &rules.Record{},
	})
	values, lockSets := mustalias.New(facts), lockset.New(facts)
	work := units.New(values, lockSets)
	owners := ownership.New(values)
	choices := tag.NewChoices(values, tags)
	holders := tag.NewHolders(ctx, choices)
	reads := relevance.New(values, lockSets, c.Strict)
	happensBefore := order.New(values)
	others, forwards := map[phiEdge]bool{}, map[forwarding]bool{}
	told := keys.FindBy(ctx, c.Keyed, facts, lockSets)
	if told == nil && c.Keyed != nil {
		return nil, ErrNoKeys
	}
	for {
		l := &lowerer{
			Facts: facts, values: values, lockSets: lockSets, work: work, owners: owners, reads: reads, choices: choices,
			holders: holders, happensBefore: happensBefore, keys: told,
			UnitFor: c.UnitFor, Strict: c.Strict, Races: c.Races, Copies: c.Copies, Coarse: c.Coarse,
			states: cmp.Or(c.States, maxStates), ctx: ctx, tags: tags,
			leftBehind: left, guessed: guessed, together: c.Stars.Together(),
			functions: map[*ssa.Function]*function{}, clones: map[cloneKey]*clone{}, names: map[string]bool{"program": true},
			processes: map[processKey]*process{}, passageStarts: map[processKey]*process{}, locks: map[lockKey]int{},
			weighted: map[int]bool{}, flags: map[string]int{}, channels: map[channelKey]int{},
			channelNames: map[channelKey]string{}, signals: map[int]bool{}, valueFlags: map[int]bool{},
			tokens: map[carrierKey]int{}, badCarriers: badCarriers, others: others, forwards: forwards, resets: resets,
			ambiguous: map[lockKey]bool{}, assumptions: map[Assumption]bool{}, memory: map[esl.Pos]string{},
			keyTexts: map[esl.Pos]string{}, loose: map[string][]*ssa.Function{},
			entrances: map[Entrance][]*pointsto.Node{}, busy: map[*pointsto.Node]bool{}, loops: map[int]bool{},
		}
		owners.Maker, choices.Mixed = l.makerOf, l.setAmbiguous
		l.leaveOut()
		maps.Copy(ambiguous, l.ambiguous)
		maps.Copy(l.ambiguous, ambiguous)
		holders.Begin()
		entry := l.lowerRoots()
		if l.err != nil {
			return nil, l.err
		}
		if len(l.ambiguous) > len(ambiguous) || l.lost {
			// A lock that cannot be modelled everywhere is modelled
			// nowhere: begin again without it. Or a loop body has left a
			// deferred call behind that was not known of.
			ambiguous, left, badCarriers, guessed = l.ambiguous, l.leftBehind, l.badCarriers, l.guessed
			continue
		}
		return l.finish(entry)
	}
}

// function returns the precomputed facts about fn.
func (l *lowerer) function(fn *ssa.Function) *function {
	f, ok := l.functions[fn]
	if !ok {
		f = newFunction(l.values.Function(fn))
		l.functions[fn] = f
	}
	return f
}

// assume records an assumption about user code; positions in other modules and the
// standard library say nothing to the user.
func (l *lowerer) assume(kind string, pos token.Pos, format string, args ...any) {
	at := l.Program.Position(pos)
	if !at.InModule() {
		return
	}
	l.assumptions[Assumption{kind, at, fmt.Sprintf(format, args...)}] = true
}

// sortedAssumptions returns the assumptions in order of kind and position.
func (l *lowerer) sortedAssumptions() []Assumption {
	return slices.SortedFunc(maps.Keys(l.assumptions), func(a, b Assumption) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Pos.File, b.Pos.File), a.Pos.Line-b.Pos.Line,
			a.Pos.Col-b.Pos.Col, strings.Compare(a.Text, b.Text))
	})
}

// position returns where an instruction is, by itself or by the pointer that it
// goes through.
func (l *lowerer) position(instr ssa.Instruction) esl.Pos {
	return l.Program.Position(ssaflow.TokenPos(instr))
}
