package lower

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/segments"
)

// isCoarse tells whether the function of a node does, in the model, what it can do in any order (see
// reduce.Reduction.Coarse): not where that takes what is known of its parameters.
func (l *lowerer) isCoarse(n *pointsto.Node) bool {
	return l.Coarse[n] && !l.Units.Names(n.Func) && !slices.ContainsFunc(n.Func.Params, func(p *ssa.Parameter) bool {
		return l.UnitFor(n.Func, p)
	})
}

// coarse returns the key of the clone for all uses which are left in the same way.
func (key cloneKey) coarse() cloneKey { return cloneKey{node: key.node, makes: -1, exit: key.exit} }

// buildCoarse lowers the body of a coarse function: it is a loop around its instructions, of which
// each has its outcomes for values of which nothing is known.
func (l *lowerer) buildCoarse(c *clone) {
	l.standsFor(c, c.node)
	l.loops[c.index] = true
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

// Entrance is where a function of the model, From, comes to one, Into, that stands for what is not followed; both are
// those of Result.GoFunctions.
type Entrance struct{ From, Into string }

// enters notes that a clone stands for a node where another one comes to it.
func (l *lowerer) enters(c *clone, n *pointsto.Node, from *clone) {
	l.standsFor(c, n)
	at := Entrance{from.goName, c.goName}
	if all := l.entrances[at]; !slices.Contains(all, n) {
		l.entrances[at] = append(all, n)
		if !l.MayDoNothing(n) {
			l.busy[n] = true
		}
	}
}

// standsFor notes that a clone stands for what is not followed, from a node on.
func (l *lowerer) standsFor(c *clone, n *pointsto.Node) {
	if all := l.loose[c.goName]; !slices.Contains(all, n.Func) {
		l.loose[c.goName] = append(all, n.Func)
	}
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
