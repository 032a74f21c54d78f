package fresh

import "golang.org/x/tools/go/ssa"

// way is how a pointer comes from what made its memory to the use of it, in steps; nil if
// nothing is known of it. The last step is to the use. Each value of the SSA form is from the
// latest execution of the instruction that made it; between the steps this may be executed
// again, and the pointer still be to what it made before.
type way []step

// step is a part of a way.
type step struct {
	to    ssa.Instruction
	since ssa.Instruction   // where the step begins: it makes, or loads, what is used at its end; nil in the first step
	over  []ssa.Instruction // which give the pointer another value
}

// chosen returns the way of a pointer that a phi takes from the edge: to the end of the block
// from which control comes, then to the use. Of a way with more steps nothing is known.
func (w way) chosen(phi *ssa.Phi, edge int) way {
	if len(w) != 1 || w[0].to == nil {
		return nil
	}
	from := phi.Block().Preds[edge]
	return way{{to: from.Instrs[len(from.Instrs)-1]}, {to: w[0].to, since: phi, over: []ssa.Instruction{phi}}}
}

// stored returns the way of a pointer that one of the stores has put into a variable, from
// which it is loaded: to the store, to the load, to the use.
func (w way) stored(store *ssa.Store, load, variable ssa.Instruction, stores []*ssa.Store) way {
	if len(w) != 1 || w[0].to == nil {
		return nil
	}
	over := []ssa.Instruction{variable}
	for _, other := range stores {
		if other != store && other.Addr == store.Addr {
			over = append(over, other)
		}
	}
	return way{{to: store}, {to: load, since: store, over: over},
		{to: w[0].to, since: load, over: []ssa.Instruction{load}}}
}

// isFromLatest tells whether the pointer that is used leads to what the latest execution of
// the instruction has made: after a step has begun it is not executed again before its end,
// unless the step begins anew.
func (w way) isFromLatest(made ssa.Instruction) bool {
	for _, s := range w {
		if s.since != nil && reaches(made, s.to, s.since) {
			return false
		}
	}
	return w != nil
}

// passes tells whether an instruction may be executed on the way, at any time since what was
// made, if the latest was: between two steps, or on one of them. What gives the pointer
// another value leads to a pointer that came another way.
func (w way) passes(made, x ssa.Instruction) bool {
	for _, s := range w {
		if reaches(x, s.to, append([]ssa.Instruction{made}, s.over...)...) {
			return true
		}
	}
	return false
}
