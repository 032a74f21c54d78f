package judge

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
)

// Dominates claims that an activation comes to a block only after it has come to another one, or
// that they are the same.
type Dominates struct{ A, B *ssa.BasicBlock }

func (f Dominates) String() string {
	return fmt.Sprintf("block %d of %s is executed before block %d", f.A.Index, f.A.Parent().Name(), f.B.Index)
}

func (f Dominates) watch(r *run, c *claim) {
	seen := map[execute.Activation]bool{}
	r.onBefore(first(f.A), nil, func(a execute.Activation) { seen[a] = true })
	r.onBefore(first(f.B), nil, func(a execute.Activation) {
		why := ""
		if !seen[a] {
			why = "it is not, in " + a.String()
		}
		c.holds(why)
	})
}

// CannotReach claims that an activation that has come to an instruction does not come to another
// one afterwards, but for passing one of those between.
type CannotReach struct {
	From, To ssa.Instruction
	Between  []ssa.Instruction
}

func (f CannotReach) String() string {
	return fmt.Sprintf("after %s control does not come to %s", where(f.From), where(f.To))
}

func (f CannotReach) watch(r *run, c *claim) {
	seen := map[execute.Activation]bool{}
	r.onBefore(f.To, nil, func(a execute.Activation) {
		why := ""
		if seen[a] {
			why = "it does, in " + a.String()
		}
		c.holds(why)
	})
	for _, i := range f.Between {
		r.onBefore(i, nil, func(a execute.Activation) { delete(seen, a) })
	}
	r.onBefore(f.From, nil, func(a execute.Activation) { seen[a] = true })
}

// Dead claims that once control has come to an instruction, a register is not read by that or a
// later one, before it is set again.
type Dead struct {
	Value ssa.Value
	At    ssa.Instruction
}

func (f Dead) String() string {
	return fmt.Sprintf("at %s the value %s is dead", where(f.At), f.Value.Name())
}

func (f Dead) watch(r *run, c *claim) {
	dead := map[execute.Activation]bool{}
	read := func(by ssa.Instruction) func(execute.Activation) {
		return func(a execute.Activation) {
			if dead[a] {
				c.holds(fmt.Sprintf("%s reads it, in %v", where(by), a))
			}
		}
	}
	r.onBefore(f.At, nil, func(a execute.Activation) {
		dead[a] = true
		c.holds("")
	})
	if i, ok := f.Value.(ssa.Instruction); ok {
		r.onAfter(i, nil, func(a execute.Activation) { delete(dead, a) })
	}
	for _, i := range *f.Value.Referrers() {
		phi, ok := i.(*ssa.Phi)
		if !ok {
			r.onBefore(i, nil, read(i))
			continue
		}
		r.onAfter(phi, nil, func(a execute.Activation) {
			for k, from := range phi.Block().Preds {
				if from == a.From() && phi.Edges[k] == f.Value {
					read(phi)(a)
				}
			}
		})
	}
}

// OnceEach claims that an activation executes an instruction at most once.
type OnceEach struct{ At ssa.Instruction }

func (f OnceEach) String() string {
	return fmt.Sprintf("%s is executed at most once in an activation", where(f.At))
}

func (f OnceEach) watch(r *run, c *claim) {
	seen := map[execute.Activation]bool{}
	r.onBefore(f.At, nil, func(a execute.Activation) {
		why := ""
		if seen[a] {
			why = "it is executed again, in " + a.String()
		}
		seen[a] = true
		c.holds(why)
	})
}

// Once claims that an instruction is executed at most once in a run.
type Once struct {
	At ssa.Instruction
	In Scope
}

func (f Once) String() string { return where(f.At) + " is executed at most once in a run" }

func (f Once) watch(r *run, c *claim) {
	seen := false
	r.onBefore(f.At, f.In, func(a execute.Activation) {
		why := ""
		if seen {
			why = "it is executed again, in " + a.String()
		}
		seen = true
		c.holds(why)
	})
}

// EnteredOnce claims that a function is entered at most once in a run.
type EnteredOnce struct {
	Function *ssa.Function
	In       Scope
}

func (f EnteredOnce) String() string {
	return f.Function.String() + " is entered at most once in a run"
}

func (f EnteredOnce) watch(r *run, c *claim) {
	seen := false
	r.onEnter(f.Function, f.In, func(a execute.Activation) {
		why := ""
		if seen {
			why = "it is entered again: " + a.String()
		}
		seen = true
		c.holds(why)
	})
}

// OneGoroutine claims that all activations of a function are of one goroutine.
type OneGoroutine struct {
	Function *ssa.Function
	In       Scope
}

func (f OneGoroutine) String() string { return f.Function.String() + " is run by one goroutine" }

func (f OneGoroutine) watch(r *run, c *claim) {
	var by []execute.Goroutine
	r.onEnter(f.Function, f.In, func(a execute.Activation) {
		if !slices.Contains(by, a.Goroutine()) {
			by = append(by, a.Goroutine())
		}
		why := ""
		if len(by) > 1 {
			why = fmt.Sprintf("goroutines %d and %d do", by[0].Number(), by[1].Number())
		}
		c.holds(why)
	})
}

// StartedOnce claims that of the goroutines that run a function no two are of one kind.
type StartedOnce struct {
	Function *ssa.Function
	In       Scope
	Kind     func(execute.Goroutine) any
}

func (f StartedOnce) String() string {
	return "each goroutine that runs " + f.Function.String() + " is started at most once"
}

func (f StartedOnce) watch(r *run, c *claim) {
	by := map[any]execute.Goroutine{}
	r.onEnter(f.Function, f.In, func(a execute.Activation) {
		g := a.Goroutine()
		kind := f.Kind(g)
		other, known := by[kind]
		by[kind] = g
		if known && other != g {
			c.holds(fmt.Sprintf("goroutines %d and %d are started in the same way", other.Number(), g.Number()))
			return
		}
		c.holds("")
	})
}
