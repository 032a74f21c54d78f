package lower

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/notes"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
	"github.com/empire-go/empire-go/frontend/units"
)

// maxIdleLoops bounds the loops of one function that state.idle has bits for. A
// further loop ends no unit, which only makes the unit larger.
const maxIdleLoops = 32

// isEvidently tells whether a value that is used in a loop is evidently an object of
// the unit, or contents of it, when the loop is entered in state s.
func (l *lowerer) isEvidently(c *clone, s state, v ssa.Value, u units.Frame) bool {
	g := l.tagOf(c, s, v)
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		if from := l.tagOf(c, s, load.X); from.Kind == tag.Cell { // a variable that is assigned once
			g = l.tags.Part(from, 0)
		} else if from.Kind == tag.Object && g.Kind == tag.None { // a package variable
			return u.Concerns(from.Star)
		} else if _, isField := load.X.(*ssa.FieldAddr); isField && g.Kind == tag.None {
			return l.isEvidently(c, s, ssaflow.BaseOf(load.X), u)
		}
	}
	return (g.Kind == tag.Object || g.Kind == tag.Contents) && u.Concerns(g.Star)
}

// crossing is a way to take an edge of the control flow: the statements that end
// units and begin new ones, and the state after.
type crossing struct {
	stmts []esl.Stmt
	state state
}

// cross returns the ways to take the edge. A unit that a function is by its own
// accesses never crosses an iteration of a loop with such an access, code outside is
// another one, and it ends where the function is done with the object. Where it is open whether the
// accesses in a loop are to the
// object of the unit, both are tried: that none is (the unit goes on; an access to
// the object is then no run), and that one is.
func (l *lowerer) cross(c *clone, from, to *ssa.BasicBlock, s state) []crossing {
	ways := []crossing{{nil, s}}
	for i, u := range c.units {
		var next []crossing
		for _, way := range ways {
			next = append(next, l.crossUnit(c, i, u, from, to, way)...)
		}
		ways = next
	}
	return ways
}

// crossUnit is cross so far as one unit is concerned.
func (l *lowerer) crossUnit(c *clone, i int, u units.Frame, from, to *ssa.BasicBlock, before crossing) []crossing {
	s, split, service := before.state, false, ""
	var entered uint // loops of which it is open whether they access the object
	for _, loop := range u.Loops {
		enters, leaves := !loop.Blocks[from] && to == loop.Header, loop.Blocks[from] && !loop.Blocks[to]
		switch {
		case s.idle&loop.Idle != 0:
			if leaves {
				s.idle &^= loop.Idle
			}
		case loop.Service > 0:
			if to == loop.Header {
				service = notes.ServiceMark(loop.Service)
			}
		case enters:
			split = true
			if !slices.ContainsFunc(loop.Bases, func(base ssa.Value) bool { return l.isEvidently(c, s, base, u) }) {
				entered |= loop.Idle
			}
		case to == loop.Header || leaves:
			split = true
		}
	}
	ways := []crossing{}
	if entered != 0 {
		idle := s
		idle.idle |= entered
		ways = append(ways, crossing{before.stmts, idle})
	}
	over := u.Direct && !l.work.SpanOf(c.node, u).IsAhead(to)
	switch {
	case u.Direct && s.opened&(1<<i) == 0:
		return append(ways, crossing{before.stmts, s})
	case split || over:
		service = ""
	case service == "":
		return append(ways, crossing{before.stmts, s})
	}
	end := u.Finish(u.Pos)
	if u.Direct && service == "" { // the next one begins where the function goes on to work on the object
		s.opened &^= 1 << i
		return append(ways, crossing{append(slices.Clone(before.stmts), end), s})
	}
	end.Key = service
	return append(ways, crossing{append(slices.Clone(before.stmts), end, u.Begin()), s})
}

// isImpossible tells whether an access to the star at an instruction contradicts
// what the state assumes of a loop around it.
func (c *clone) isImpossible(s state, star int, at ssa.Instruction) bool {
	if s.idle == 0 {
		return false
	}
	for _, u := range c.units {
		for _, loop := range u.Loops {
			if u.Concerns(star) && s.idle&loop.Idle != 0 && loop.Blocks[at.Block()] {
				return true
			}
		}
	}
	return false
}
