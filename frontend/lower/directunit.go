package lower

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// opensUnit tells whether a node is a unit on star k because it accesses its fields
// itself, or memory that they lead to and that does not guard itself. What guards itself
// is left to itself as long as no unit uses it in several steps, and as long as who does
// something to it does nothing to the star, or to a second such object, besides.
func (l *lowerer) opensUnit(n *pointsto.Node, k int) bool {
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			if l.opensUnitAt(n, instr, k) {
				return true
			}
		}
	}
	return false
}

func (l *lowerer) opensUnitAt(n *pointsto.Node, instr ssa.Instruction, k int) bool {
	call, isCall := instr.(*ssa.Call)
	indivisible := isCall && isIndivisible(call)
	return slices.ContainsFunc(reduce.CellsAccessedBy(l.Graph, l.Stars, n, instr), func(c pointsto.Cell) bool {
		switch {
		case !slices.ContainsFunc(l.Stars.LocationsAt(c), func(at isolate.Location) bool { return at.Star == k }):
			return false
		case len(l.Stars.StarsAt(c)) > 0 || !l.Stars.IsApart(c.Object) && (l.Stars.IsHeld(c.Object) || !indivisible):
			return true
		}
		return l.isUsedInSteps(c.Object) || l.isOfModule(n) && (l.reachesStar(n, k) || l.usesSeveral(n))
	})
}

// reachesStar tells whether what the node calls may access a field of star k: then what
// it does to memory that guards itself is a step of the same work.
func (l *lowerer) reachesStar(n *pointsto.Node, k int) bool {
	reaches, known := l.facts.reachesStar[k]
	if !known {
		reaches = map[*pointsto.Node]bool{}
		var direct []*pointsto.Node
		for m, stars := range l.Kept.Direct {
			if stars[k] && l.accessesStar(m, k) {
				direct = append(direct, m)
			}
		}
		follow(direct, reaches, l.calledIn)
		l.facts.reachesStar[k] = reaches
	}
	return reaches[n]
}

// calledIn returns the nodes that call a node in their own goroutine.
func (l *lowerer) calledIn(n *pointsto.Node) (callers []*pointsto.Node) {
	for _, e := range l.Graph.Callers(n) {
		if !e.IsStart() && !l.Program.IsGenerated(e.Caller.Func.Pos()) {
			callers = append(callers, e.Caller)
		}
	}
	return callers
}

// accessesStar tells whether the node itself accesses a field of star k.
func (l *lowerer) accessesStar(n *pointsto.Node, k int) bool {
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			if slices.ContainsFunc(reduce.CellsAccessedBy(l.Graph, l.Stars, n, instr), func(c pointsto.Cell) bool {
				return slices.Contains(l.Stars.StarsAt(c), k) && len(l.Stars.LocationsAt(c)) > 0
			}) {
				return true
			}
		}
	}
	return false
}

// isOfModule tells whether the function is the user's own: those of libraries keep what
// guards itself in order.
func (l *lowerer) isOfModule(n *pointsto.Node) bool {
	return l.Program.Position(n.Func.Pos()).InModule()
}

// isWrite tells whether the instruction changes the memory that its pointer is to.
func isWrite(instr ssa.Instruction) bool {
	switch instr.(type) {
	case *ssa.Store, *ssa.MapUpdate:
		return true
	}
	return ssaflow.IsBuiltin(instr, "append") || ssaflow.IsBuiltin(instr, "copy") || ssaflow.IsBuiltin(instr, "delete") || ssaflow.IsBuiltin(instr, "clear")
}
