// Package pointsto is an inclusion-based points-to analysis with an on-the-fly
// call graph (Andersen), field-sensitive and selectively object-sensitive
// (Milanova, Rountev and Ryder, TOSEM 2005; Empire report, section 5.1).
//
// Memory is made of objects, one per allocation site and context. An object is
// flattened into cells, one per field, where the elements of an array, slice,
// map or channel are one. A pointer holds the addresses of cells; the variables
// and the cells that can hold pointers are the nodes of a constraint graph,
// which is solved by propagating differences, with online elimination of
// cycles. Only functions that are reachable from the roots get constraints.
//
// There is no pass before it that prunes the call graph. Rapid type analysis, and
// variable type analysis on top of it, find all functions and calls that this analysis
// finds (TestCallGraphs), so that they cannot save it a constraint: of all cases of the
// checker as one program it reaches 8,900 functions, RTA 14,600; it finds 30,600 calls,
// VTA 52,700 and RTA 236,100.
//
// Package unsafe: a pointer keeps what it points to, whatever it is turned into in
// between; what is loaded and stored is exact for types that are laid out alike, by the
// types of the pointers for others that are converted in one place, and a hole for the
// rest. Reflection is a hole, but for what models.go, reflect.go and nested.go say.
//
// Worst case cubic in the size of the reachable program, as all analyses of its kind.
package pointsto

import (
	"context"
	"errors"
	"go/types"
	"runtime/debug"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// Config says what to analyse.
type Config struct {
	Program *ssa.Program
	// Roots are the functions that run: main, the package initialisers, and
	// whatever else the client starts. Nothing is known of their arguments.
	Roots       []*ssa.Function
	Sensitivity Sensitivity
	Concurrent  *knowledge.Table // the functions that run callbacks on other goroutines
}

// Sensitivity says in which functions calls are told apart. Everything else is
// analysed once (context-insensitively), except wrappers, thunks and bound
// methods, which are cloned always, and function literals, which belong to the
// context of the function around them.
type Sensitivity struct {
	// Receiver: a method for which it is true is analysed once per abstract
	// cell that its receiver points to. A method whose receiver is no pointer
	// is analysed once per call instruction instead.
	Receiver func(*ssa.Function) bool
	// CallSite: a function for which it is true is analysed once per call
	// instruction (heap cloning of constructors by call site).
	CallSite func(*ssa.Function) bool
	// Subject: objects of a type for which it is true, or with a part of one,
	// are told apart first.
	Subject func(types.Type) bool
}

func (s Sensitivity) withDefaults() Sensitivity {
	if s.Receiver == nil {
		s.Receiver = func(*ssa.Function) bool { return false }
	}
	if s.CallSite == nil {
		s.CallSite = func(*ssa.Function) bool { return false }
	}
	return s
}

// Base is the solution of a program without contexts. Queries refine it. It and its
// refinements are for one goroutine at a time.
type Base struct{ s *solver }

// Solve solves the constraints of the program, whatever the sensitivity. It fails
// if the program is missing, a root is not built, or ctx is done.
func Solve(ctx context.Context, c Config) (*Base, error) {
	s, err := solveAll(ctx, c, true)
	if err != nil {
		return nil, err
	}
	return &Base{s}, nil
}

// Refine solves the slice of the program that the sensitivity is about again, with
// contexts. The result is the same in each run. It fails if ctx is done.
func (b *Base) Refine(ctx context.Context, sensitivity Sensitivity) (*Result, error) {
	return b.refine(ctx, sensitivity, budget)
}

// Whole returns the solution as it is: nothing is told apart by context.
func (b *Base) Whole() *Result { return newResult(b.s) }

func (b *Base) refine(ctx context.Context, sensitivity Sensitivity, budget func(int) int) (*Result, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	s := b.s.refine(sensitivity, budget)
	if err := s.solve(ctx); err != nil {
		return nil, err
	}
	s.finish()
	return newResult(s), nil
}

// Analyze is Solve and Refine.
func Analyze(ctx context.Context, c Config) (*Result, error) {
	b, err := Solve(ctx, c)
	if err != nil {
		return nil, err
	}
	return b.Refine(ctx, c.Sensitivity)
}

// analyze solves the whole program at once, with contexts or insensitive to them:
// what tests compare refinements with.
func analyze(ctx context.Context, c Config, insensitive bool) (*Result, error) {
	s, err := solveAll(ctx, c, insensitive)
	if err != nil {
		return nil, err
	}
	return newResult(s), nil
}

func solveAll(ctx context.Context, c Config, insensitive bool) (*solver, error) {
	if c.Program == nil {
		return nil, errors.New("pointsto: no program: set Config.Program")
	}
	// Solving allocates much less than is there already, and frees little.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	s := newSolver(c, insensitive)
	for _, f := range c.Roots {
		if f == nil {
			return nil, errors.New("pointsto: a root is nil: build the SSA form of the program before the analysis")
		}
		s.roots = append(s.roots, s.functionNode(f, nil))
	}
	if err := s.solve(ctx); err != nil {
		return nil, err
	}
	s.finish()
	return s, nil
}
