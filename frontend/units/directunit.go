package units

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/rules"
)

// OpensUnit tells whether a node is a unit on star k because it accesses its fields
// itself, or memory that they lead to and that does not guard itself. What guards itself
// is left to itself as long as no unit uses it in several steps, and as long as who does
// something to it does nothing to the star, or to a second such object, besides.
func (l *Units) OpensUnit(n *pointsto.Node, k int) bool {
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			if l.opensUnitAt(n, instr, k) {
				return true
			}
		}
	}
	return false
}

func (l *Units) opensUnitAt(n *pointsto.Node, instr ssa.Instruction, k int) bool {
	call, isCall := instr.(*ssa.Call)
	indivisible := isCall && modref.IsIndivisible(call)
	return slices.ContainsFunc(reduce.CellsAccessedBy(l.Graph, l.Stars, n, instr), func(c pointsto.Cell) bool {
		switch {
		case !slices.ContainsFunc(l.Stars.LocationsAt(c), func(at isolate.Location) bool { return at.Star == k }):
			return false
		case len(l.Stars.StarsAt(c)) > 0 || !l.Stars.IsApart(c.Object) && (l.Stars.IsHeld(c.Object) || !indivisible):
			return true
		}
		opens := l.isUsedInSteps(c.Object) || l.IsOfModule(n) && (l.reachesStar(n, k) || l.usesSeveral(n))
		return !l.Rules.Use(rules.Steps, !opens)
	})
}

// reachesStar tells whether what the node calls may access a field of star k: then what
// it does to memory that guards itself is a step of the same work.
func (l *Units) reachesStar(n *pointsto.Node, k int) bool {
	reaches, known := l.reachingStars[k]
	if !known {
		reaches = map[*pointsto.Node]bool{}
		var direct []*pointsto.Node
		for m, stars := range l.Kept.Direct {
			if stars[k] && l.AccessesStar(m, k) {
				direct = append(direct, m)
			}
		}
		modref.Follow(direct, reaches, l.CalledIn)
		l.reachingStars[k] = reaches
	}
	return reaches[n]
}
