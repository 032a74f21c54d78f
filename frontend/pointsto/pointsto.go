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
// Worst case cubic in the size of the reachable program, as all analyses of its kind.
package pointsto

import (
	"context"
	"errors"
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
}

// Analyze solves the constraints of the program. The result is the same in each
// run. It fails if the program is missing, a root is not built, or ctx is done.
func Analyze(ctx context.Context, c Config) (*Result, error) {
	return analyze(ctx, c, false)
}

// analyze is Analyze; insensitive switches every cloning off, for tests.
func analyze(ctx context.Context, c Config, insensitive bool) (*Result, error) {
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
	return newResult(s), nil
}
