package lower

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
)

// opensUnit tells whether a node is a unit on star k because it accesses its fields
// itself, or memory that they lead to and that does not guard itself. What guards itself
// is left to itself as long as nobody else changes it in several steps, and as long as
// who does something to it does nothing to the star besides.
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
		return l.isChangedInSteps(c.Object) || l.isOfModule(n) && l.reachesStar(n, k)
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

// isChangedInSteps tells whether some function of the user's does more to contents than
// one access, and changes them, and is no method of theirs; or does so to two such
// objects.
func (l *lowerer) isChangedInSteps(o *pointsto.Object) bool {
	if l.facts.inSteps == nil {
		l.facts.inSteps = map[*pointsto.Object]bool{}
		for n := range l.Kept.Direct {
			if l.isOfModule(n) {
				l.addChangesInSteps(n)
			}
		}
	}
	return l.facts.inSteps[o]
}

// steps is what a function does to an object: through which pointers, how often, and
// whether it writes.
type steps struct {
	roots  []ssa.Value
	count  int
	writes bool
}

func (l *lowerer) addChangesInSteps(n *pointsto.Node) {
	all := map[*pointsto.Object]*steps{}
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			l.addSteps(n, instr, all)
		}
	}
	own := l.isMethodOfContents(n)
	for o, s := range all {
		if s.writes && (len(s.roots) > 1 || !own && s.count > 1) {
			l.facts.inSteps[o] = true
		}
	}
}

// addSteps adds what an instruction does to contents that others have at hand.
func (l *lowerer) addSteps(n *pointsto.Node, instr ssa.Instruction, all map[*pointsto.Object]*steps) {
	pointers, writes := reduce.Pointers(instr), isWrite(instr)
	if call, ok := instr.(*ssa.Call); ok {
		if effect, ok := atomicEffect(call); ok {
			pointers, writes = call.Call.Args[:1], effect.Writes
		}
	}
	for _, pointer := range pointers {
		if !l.Graph.MayPointInto(n, pointer, l.Stars.Region()) || l.fresh.Is(n, pointer, instr) {
			continue
		}
		root := rootOf(pointer)
		for _, o := range l.Graph.PointsTo(n, pointer).Objects() {
			if len(l.Stars.Regions(o)) == 0 {
				continue
			}
			s := all[o]
			if s == nil {
				s = &steps{}
				all[o] = s
			}
			s.count++
			s.writes = s.writes || writes
			if !slices.Contains(s.roots, root) {
				s.roots = append(s.roots, root)
			}
		}
	}
}

// isWrite tells whether the instruction changes the memory that its pointer is to.
func isWrite(instr ssa.Instruction) bool {
	switch instr.(type) {
	case *ssa.Store, *ssa.MapUpdate:
		return true
	}
	return isBuiltin(instr, "append") || isBuiltin(instr, "copy") || isBuiltin(instr, "delete") || isBuiltin(instr, "clear")
}

// isMethodOfContents tells whether the node is a method of memory that a field leads to,
// or a function in one.
func (l *lowerer) isMethodOfContents(n *pointsto.Node) bool {
	fn := n.Func
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	recv := fn.Signature.Recv()
	if recv == nil || len(fn.Params) == 0 || l.Stars.Subject.IsSelfOrPointer(recv.Type()) {
		return false
	}
	return slices.ContainsFunc(l.Graph.NodesOf(fn), func(m *pointsto.Node) bool {
		return slices.ContainsFunc(l.Graph.PointsTo(m, fn.Params[0]).Objects(), func(o *pointsto.Object) bool { return len(l.Stars.Regions(o)) > 0 })
	})
}

// rootOf returns the pointer that an address is computed from, through fields and variables
// that hold pointers, too.
func rootOf(address ssa.Value) ssa.Value {
	for {
		address = baseOf(address)
		load, ok := address.(*ssa.UnOp)
		if !ok {
			return address
		}
		switch from := load.X.(type) {
		case *ssa.FieldAddr:
			address = from.X
		case *ssa.Alloc, *ssa.FreeVar, *ssa.Global:
			return from
		default:
			return address
		}
	}
}
