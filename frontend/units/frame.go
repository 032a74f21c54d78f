package units

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Loop is a loop whose iterations are units of their own: because the function
// accesses the object of the unit in it (rule 2 of the units), or because it is a
// service loop (rule 3).
type Loop struct {
	Blocks map[*ssa.BasicBlock]bool
	Header *ssa.BasicBlock

	// service is one plus the index into lowerer.services, 0 if the loop is none.
	Service int
	// idle is the bit in state.idle which says that the accesses in the loop are to
	// other objects.
	Idle uint
	// input is where a service loop waits.
	Input ssa.Instruction
	// bases is what the accesses in the loop go through.
	Bases []ssa.Value
}

// AccessLoops returns the natural loops of the function that contain an access of
// its own that may be to the atomic set of the unit.
func (l *Units) AccessLoops(n *pointsto.Node, u Frame) []Loop {
	var loops []Loop
	for _, blocks := range ssaflow.NaturalLoops(n.Func) {
		loop := Loop{Blocks: blocks, Header: ssaflow.LoopHeader(blocks)}
		for b := range blocks {
			for _, instr := range b.Instrs {
				if l.mayAccess(n, instr, u) {
					for _, pointer := range reduce.Pointers(instr) {
						loop.Bases = append(loop.Bases, ssaflow.BaseOf(pointer))
					}
				}
			}
		}
		if len(loop.Bases) > 0 {
			loops = append(loops, loop)
		}
	}
	return loops
}

// mayAccess tells whether the instruction may access the atomic set of the unit, or
// memory that it leads to.
func (l *Units) mayAccess(n *pointsto.Node, instr ssa.Instruction, u Frame) bool {
	for _, at := range reduce.AccessedBy(l.Graph, l.Stars, n, instr) {
		if u.Concerns(at.Star) {
			return true
		}
	}
	return false
}

// Concerns tells whether the fields of the star are in the atomic set of the unit.
func (u Frame) Concerns(star int) bool {
	return u.Star == star || slices.Contains(u.With, star)
}

// Frame is a unit of work that a clone opens on entry and closes on return.
type Frame struct {
	Star   int
	Label  string
	With   []int // unitfor stars
	Pos    esl.Pos
	Direct bool   // it is one only because the function accesses the star itself
	Loops  []Loop // whose iterations are units of their own
}

// Begin returns the statement that begins the unit.
func (u Frame) Begin() esl.Stmt {
	return esl.Stmt{Op: esl.UnitBegin, Arg: u.Star, Unit: u.Label, With: u.With, Pos: u.Pos}
}

// Finish returns the statement that ends the unit at a position.
func (u Frame) Finish(pos esl.Pos) esl.Stmt {
	return esl.Stmt{Op: esl.UnitEnd, Arg: u.Star, Pos: pos}
}

// ReachedStars tells for each star whether an activation of the node may access its
// fields, itself or in what it calls.
func (l *Units) ReachedStars(n *pointsto.Node) []bool {
	reached := make([]bool, len(l.Stars.Stars))
	seen := map[*pointsto.Node]bool{n: true}
	for work := []*pointsto.Node{n}; len(work) > 0; {
		n, work = work[len(work)-1], work[:len(work)-1]
		for k := range l.Kept.Direct[n] {
			reached[k] = true
		}
		for _, e := range l.Graph.Calls(n) {
			if _, isGo := e.Site.(*ssa.Go); isGo {
				continue
			}
			for _, callee := range l.KeptIn(e.Callee) {
				if !seen[callee] {
					seen[callee] = true
					work = append(work, callee)
				}
			}
		}
	}
	return reached
}

// CopiesReceiver tells whether the wrapper is of a method of the checked type that
// has a value receiver: the wrapper reads the object, and is where the unit begins.
func (l *Units) CopiesReceiver(fn *ssa.Function) bool {
	method, ok := fn.Object().(*types.Func)
	if !ok {
		return false
	}
	recv := method.Signature().Recv()
	return recv != nil && l.Stars.Subject.Is(recv.Type())
}
