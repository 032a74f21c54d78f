package lower

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/segments"
	"github.com/empire-go/empire-go/frontend/tag"
)

// isCoarse tells whether the function of a node does, in the model, what it can do in any order (see
// reduce.Reduction.Coarse): not where that takes what is known of its parameters.
func (l *lowerer) isCoarse(n *pointsto.Node) bool {
	return l.Coarse[n] && !l.Units.Names(n.Func) && !slices.ContainsFunc(n.Func.Params, func(p *ssa.Parameter) bool {
		return l.UnitFor(n.Func, p)
	})
}

// Where some functions are not followed, the others of their kind are so with bounds. A function that
// has passed one is none of which a violation can be told.
const (
	maxUses   = 6 // of one function that are told apart
	maxStates = 6 // before one instruction in which values are known
)

// place is where a state is of a function: before an instruction.
type place struct {
	block *ssa.BasicBlock
	instr int
}

// coarse returns the key of the clone for a use: one for all uses of a function that is not followed, and
// for those beyond the bound.
func (l *lowerer) coarse(key cloneKey) cloneKey {
	if l.clones[key] != nil || l.Coarse == nil || !l.Kept.Coarse[key.node] {
		return key
	}
	if l.uses[key.node]++; l.uses[key.node] > maxUses {
		l.loose[key.node.Func.String()] = true
	} else if !l.isCoarse(key.node) {
		return key
	}
	return cloneKey{node: key.node, makes: -1, exit: key.exit, deferred: key.deferred}
}

// widened returns the state at a place, of which no value is known where there have been many.
func (l *lowerer) widened(c *clone, at place, s state) state {
	if l.Coarse == nil || !l.Kept.Coarse[c.node] {
		return s
	}
	if c.states == nil {
		c.states = map[place]int{}
	}
	if c.states[at]++; c.states[at] <= maxStates {
		return s
	}
	l.loose[c.goName] = true
	s.tags, s.private, s.visited, s.replaced = nil, 0, 0, 0
	s.defers = slices.Clone(s.defers)
	for i, d := range s.defers {
		s.defers[i].args = make([]tag.Tag, len(d.args))
	}
	return s
}

// buildCoarse lowers the body of a coarse function: it is a loop around its instructions, of which
// each has its outcomes for values of which nothing is known.
func (l *lowerer) buildCoarse(c *clone) {
	l.loose[c.goName], l.loops[c.index] = true, true
	c.recovers = l.Recovers(c.node)
	c.units = l.unitsOf(c, state{})
	var begin, end []esl.Stmt
	for i, u := range c.units {
		begin = append(begin, u.Begin())
		end = append(end, c.units[len(c.units)-1-i].Finish(l.Program.Position(c.fn.Func.Pos())))
	}
	var all []*segments.Segment
	for _, b := range c.fn.Func.Blocks {
		for _, instr := range b.Instrs {
			for _, o := range l.anyOutcome(c, instr) {
				switch {
				case len(o.stmts) == 0:
				case o.state.ended:
					all = append(all, &segments.Segment{Stmts: o.stmts, End: segments.Stuck})
				default:
					all = append(all, &segments.Segment{Stmts: o.stmts, Next: []int{1}})
				}
				l.count(len(o.stmts))
			}
			if l.err != nil {
				return
			}
		}
	}
	for _, s := range segments.Loop(begin, end, all) {
		c.segments = append(c.segments, &segment{Segment: *s})
	}
	c.privateOut, c.replaced, c.built = 0, 0, true
	c.dropIdleUnits()
}

// anyOutcome returns the ways in which an instruction can go when nothing is known.
func (l *lowerer) anyOutcome(c *clone, instr ssa.Instruction) []outcome {
	switch v := instr.(type) {
	case *ssa.Phi, *ssa.DebugRef, *ssa.Jump, *ssa.If, *ssa.Return, *ssa.Panic, *ssa.RunDefers:
		return nil
	case *ssa.Defer:
		all := l.call(c, state{}, v, nil)
		if c.followsPanics() {
			all = append(all, l.call(c, state{panicking: true}, v, nil)...)
		}
		return all
	}
	return l.step(c, state{}, instr)
}
