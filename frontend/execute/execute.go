// Package execute runs a Go program in SSA form under a scheduler that it controls,
// and finds the data-access scenarios in what happens. It is the oracle of the front
// end: what it observes can happen, so a scenario that it sees may not be called safe.
// Package harm asks it a second question about a violation that was found: what two calls
// leave behind one after the other, and what else they leave behind at once (Search,
// SearchMeeting).
//
// It shares nothing with the stages that it judges but the loaded program, the table of
// the scenarios, and what library functions are called that synchronise (package
// knowledge).
//
// A run is deterministic: the program, and a schedule that says at which scheduling
// points another goroutine goes on than the one that would. Scheduling points are
// operations of synchronisation and accesses to memory that another goroutine can
// reach. Units of work, events and publication are computed literally, as the run
// goes on; where the definition speaks of what a program could do, the package is
// lenient: it leaves out what could be argued away, so it under-approximates.
//
// Package reflect, the runtime, what is in assembly, and the operating system are built in: types and values of
// the program are shown to it as they are here, and of a system there is none. The rest of the standard library
// is run. What the package does not know how to run is an *Unsupported error, which says where that was met.
package execute

import (
	"fmt"
	"go/types"
	"maps"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// Subject is the object that is watched.
type Subject struct {
	Type   *types.Named  // nil for package variables
	Fields []string      // of the atomic set; dotted for nested structs
	Vars   []*ssa.Global // in place of Type: one for each of Fields
	Local  ssa.Value     // in place of these: the memory that the instruction makes, by its one name in Fields

	File   string // where the object is made, or made by a call: the end of a file's path
	Line   int
	Path   string // of the object in what is made there
	Global string // "pkg.Var", in place of File and Line

	All    bool // in place of a place: all objects of the type
	Strict bool // every read counts
}

// Unsupported is an error: the program does what the package cannot run.
type Unsupported struct {
	What string

	isPlaced bool // it says where
}

func (u *Unsupported) Error() string { return "not supported: " + u.What }

// unsupported ends the run.
func unsupported(format string, args ...any) {
	panic(&Unsupported{What: fmt.Sprintf(format, args...)})
}

// Program is a program made ready to be run.
type Program struct {
	ssa        *ssa.Program
	main       *ssa.Package
	functions  map[*ssa.Function]*function
	library    map[string]native // by the names of functions
	times      map[knowledge.TimeOp]native
	operations *operations
	files      Files
	steps      int // of one run of a program, at most

	Executed int // instructions, in all trials

	bodies   map[*ssa.Function]*function           // of those that are built in
	initials map[*ssa.Global]*initial              // how variables get their values
	standard map[*ssa.Package]bool                 // see isStandard
	changed  map[*ssa.Package]map[*ssa.Global]bool // see isConstant
	lazy     map[*ssa.Package]bool                 // see isLazy
	set      map[*ssa.Package]map[*ssa.Global]bool // see setByFunctions
	setters  map[*ssa.Function]map[*ssa.Global]bool

	started   bool       // the initialisation has been tried
	beginning *beginning // what it has left; nil: each run does it, see start
	initially initially  // how that was
	states    states
	whole     bool // each run carries out what comes before it: for tests

	unguarded map[ssa.Instruction]bool // accesses that conflict with another one, and no lock keeps them apart
}

// The instructions of one run, at most. What a library does for two calls may take more than what a program does until
// two units meet: a program may never end.
const (
	programSteps = 60_000
	trialSteps   = 250_000
)

// New returns the program that begins with the main function of the package. With nil for the files, nothing is
// embedded: variables with //go:embed are as if they had none.
func New(main *ssa.Package, files Files) *Program {
	all := library()
	maps.Copy(all, timers())
	maps.Copy(all, bytesInAssembly())
	maps.Copy(all, mirrors())
	maps.Copy(all, inRuntime())
	maps.Copy(all, floats())
	return &Program{ssa: main.Prog, main: main, functions: map[*ssa.Function]*function{}, library: all,
		times: times(), operations: newOperations(), files: files, steps: programSteps, unguarded: map[ssa.Instruction]bool{},
		bodies: map[*ssa.Function]*function{}, initials: map[*ssa.Global]*initial{},
		standard: map[*ssa.Package]bool{}, changed: map[*ssa.Package]map[*ssa.Global]bool{},
		lazy: map[*ssa.Package]bool{}, set: map[*ssa.Package]map[*ssa.Global]bool{},
		setters: map[*ssa.Function]map[*ssa.Global]bool{}}
}
