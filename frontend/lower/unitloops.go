package lower

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// unitLoop is a loop whose iterations are units of their own: because the function
// accesses the object of the unit in it (rule 2 of the units), or because it is a
// service loop (rule 3).
type unitLoop struct {
	blocks map[*ssa.BasicBlock]bool
	header *ssa.BasicBlock

	// service is one plus the index into lowerer.services, 0 if the loop is none.
	service int
	// idle is the bit in state.idle which says that the accesses in the loop are to
	// other objects.
	idle uint
	// bases is what the accesses in the loop go through.
	bases []ssa.Value
}

// maxIdleLoops bounds the loops of one function that state.idle has bits for. A
// further loop ends no unit, which only makes the unit larger.
const maxIdleLoops = 32

// accessLoops returns the natural loops of the function that contain an access of
// its own that may be to the atomic set of the unit.
func (l *lowerer) accessLoops(c *clone, u unitFrame) []unitLoop {
	var loops []unitLoop
	for _, blocks := range ssaflow.NaturalLoops(c.fn.Func) {
		loop := unitLoop{blocks: blocks, header: ssaflow.LoopHeader(blocks)}
		for b := range blocks {
			for _, instr := range b.Instrs {
				if l.mayAccess(c, instr, u) {
					for _, pointer := range reduce.Pointers(instr) {
						loop.bases = append(loop.bases, ssaflow.BaseOf(pointer))
					}
				}
			}
		}
		if len(loop.bases) > 0 && c.idleLoops < maxIdleLoops {
			loop.idle = 1 << c.idleLoops
			c.idleLoops++
			loops = append(loops, loop)
		}
	}
	return loops
}

// mayAccess tells whether the instruction may access the atomic set of the unit, or
// memory that it leads to.
func (l *lowerer) mayAccess(c *clone, instr ssa.Instruction, u unitFrame) bool {
	for _, at := range reduce.AccessedBy(l.Graph, l.Stars, c.node, instr) {
		if u.concerns(at.Star) {
			return true
		}
	}
	return false
}

// concerns tells whether the fields of the star are in the atomic set of the unit.
func (u unitFrame) concerns(star int) bool {
	return u.star == star || slices.Contains(u.with, star)
}

// isEvidently tells whether a value that is used in a loop is evidently an object of
// the unit, or contents of it, when the loop is entered in state s.
func (l *lowerer) isEvidently(c *clone, s state, v ssa.Value, u unitFrame) bool {
	g := l.tagOf(c, s, v)
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		if from := l.tagOf(c, s, load.X); from.kind == cell { // a variable that is assigned once
			g = l.tags.part(from, 0)
		} else if from.kind == object && g.kind == none { // a package variable
			return u.concerns(from.star)
		} else if _, isField := load.X.(*ssa.FieldAddr); isField && g.kind == none {
			return l.isEvidently(c, s, ssaflow.BaseOf(load.X), u)
		}
	}
	return (g.kind == object || g.kind == contents) && u.concerns(g.star)
}

// crossing is a way to take an edge of the control flow: the statements that end
// units and begin new ones, and the state after.
type crossing struct {
	stmts []esl.Stmt
	state state
}

// cross returns the ways to take the edge. A unit that a function is by its own
// accesses never crosses an iteration of a loop with such an access, code outside is
// another one, and it ends where the function is done with the object. Where it is open whether the accesses in a loop are to the
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
func (l *lowerer) crossUnit(c *clone, i int, u unitFrame, from, to *ssa.BasicBlock, before crossing) []crossing {
	s, split, service := before.state, false, ""
	var entered uint // loops of which it is open whether they access the object
	for _, loop := range u.loops {
		enters, leaves := !loop.blocks[from] && to == loop.header, loop.blocks[from] && !loop.blocks[to]
		switch {
		case s.idle&loop.idle != 0:
			if leaves {
				s.idle &^= loop.idle
			}
		case loop.service > 0:
			if to == loop.header {
				service = serviceMark(loop.service)
			}
		case enters:
			split = true
			if !slices.ContainsFunc(loop.bases, func(base ssa.Value) bool { return l.isEvidently(c, s, base, u) }) {
				entered |= loop.idle
			}
		case to == loop.header || leaves:
			split = true
		}
	}
	ways := []crossing{}
	if entered != 0 {
		idle := s
		idle.idle |= entered
		ways = append(ways, crossing{before.stmts, idle})
	}
	over := u.direct && !l.spanOf(c, u).isAhead(to)
	switch {
	case u.direct && s.opened&(1<<i) == 0:
		return append(ways, crossing{before.stmts, s})
	case split || over:
		service = ""
	case service == "":
		return append(ways, crossing{before.stmts, s})
	}
	end := u.finish(u.pos)
	if u.direct && service == "" { // the next one begins where the function goes on to work on the object
		s.opened &^= 1 << i
		return append(ways, crossing{append(slices.Clone(before.stmts), end), s})
	}
	end.Key = service
	return append(ways, crossing{append(slices.Clone(before.stmts), end, u.begin()), s})
}

// isImpossible tells whether an access to the star at an instruction contradicts
// what the state assumes of a loop around it.
func (c *clone) isImpossible(s state, star int, at ssa.Instruction) bool {
	if s.idle == 0 {
		return false
	}
	for _, u := range c.units {
		for _, loop := range u.loops {
			if u.concerns(star) && s.idle&loop.idle != 0 && loop.blocks[at.Block()] {
				return true
			}
		}
	}
	return false
}
