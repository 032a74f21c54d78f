package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/tag"
)

// A loop over a slice or map visits each element once. Where no two elements are
// the star, one iteration has it at most: the objects that such a loop hands out
// are different ones.

// visits returns the outcomes of a load of an element in a loop over the elements:
// the star is visited once.
func (l *lowerer) visits(c *clone, instr ssa.Instruction, outcomes []outcome) []outcome {
	v, ok := instr.(ssa.Value)
	if !ok || len(outcomes) < 2 {
		return outcomes
	}
	var all []outcome
	for _, o := range outcomes {
		g := o.state.tags.Of(v)
		if header := l.visitedOnce(instr, g); header != nil {
			bit := c.fn.visitBit(visit{header, instr, g.Star})
			if l.Rules.Use(rules.ElementsOnce, o.state.visited&bit != 0) {
				continue
			}
			o.state.visited |= bit
		}
		all = append(all, o)
	}
	return all
}

// visitedOnce returns the header of the loop in which the load has the star once at most.
func (l *lowerer) visitedOnce(load ssa.Instruction, g tag.Tag) *ssa.BasicBlock {
	if g.Kind != tag.Object {
		return nil
	}
	return l.owners.VisitedOnce(load, g.Star)
}

// visit is what a bit of state.visited says: that the load in the loop with the
// header has met the star.
type visit struct {
	header *ssa.BasicBlock
	load   ssa.Instruction
	star   int
}

// visitBit returns the bit of a visit, 0 if there are too many.
func (f *function) visitBit(v visit) uint64 {
	i, ok := f.visits[v]
	if !ok {
		i = len(f.visits)
		f.visits[v] = i
	}
	return 1 << i // nothing if it is past the last bit
}

// forgetVisits returns the state on an edge of the control flow, without what it
// says about loops that the edge enters or leaves.
func (f *function) forgetVisits(s state, from, to *ssa.BasicBlock) state {
	if s.visited == 0 {
		return s
	}
	for v, i := range f.visits {
		if stays := f.InLoop(v.header, from) && f.InLoop(v.header, to); !stays {
			s.visited &^= 1 << i
		}
	}
	return s
}
