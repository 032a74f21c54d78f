package candidates

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// What main does before it starts a goroutine is part of the making of objects, as what it does to
// one that nobody knows yet.

// lateness is what main may run when there are other goroutines.
type lateness struct {
	starts  map[*pointsto.Node]bool                    // that start goroutines, or what they call does
	entered map[*pointsto.Node]bool                    // when there are others already
	from    map[*pointsto.Node]map[*ssa.BasicBlock]int // the first instructions of blocks at which there may be
}

// isLate tells whether there may be goroutines besides main where a node executes an instruction.
func (f *finder) isLate(n *pointsto.Node, at ssa.Instruction) bool {
	if f.late == nil {
		f.findLate()
	}
	runs := f.runs[n]
	return runs == nil || !runs.isOnly(0) || f.late.entered[n] || f.late.isBehindStart(n, at)
}

func (s goroutineSet) isOnly(i int) bool {
	for j, w := range s {
		if j == i/64 {
			w &^= 1 << (i % 64)
		}
		if w != 0 {
			return false
		}
	}
	return s.has(i)
}

// isBehindStart tells whether control can have come from a start of a goroutine to an instruction.
func (l *lateness) isBehindStart(n *pointsto.Node, at ssa.Instruction) bool {
	first, ok := l.from[n][at.Block()]
	if !ok {
		return false
	}
	if _, isDeferred := at.(*ssa.Defer); isDeferred {
		return true
	}
	return slices.Index(at.Block().Instrs, at) >= first
}

// findLate is linear in the call graph, and in the code of what starts goroutines.
func (f *finder) findLate() {
	f.late = &lateness{map[*pointsto.Node]bool{}, map[*pointsto.Node]bool{}, map[*pointsto.Node]map[*ssa.BasicBlock]int{}}
	var work []*pointsto.Node
	note := func(n *pointsto.Node) {
		if !f.late.starts[n] {
			f.late.starts[n] = true
			work = append(work, n)
		}
	}
	var own goroutineSet // those that run code of the module
	for n, by := range f.runs {
		if f.isOwn(n.Func) {
			own.add(*by)
		}
	}
	for i, g := range f.goroutines {
		if g.node == nil || !own.has(i) {
			continue
		}
		for _, e := range f.graph.Callers(g.node) {
			if e.IsStart() {
				note(e.Caller)
			}
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range f.graph.Callers(n) {
			if !e.IsStart() {
				note(e.Caller)
			}
		}
	}
	enter := func(n *pointsto.Node) {
		if !f.late.entered[n] {
			f.late.entered[n] = true
			work = append(work, n)
		}
	}
	for n, by := range f.runs {
		if !by.has(0) {
			continue
		}
		if !f.late.starts[n] {
			continue
		}
		f.poll.Check()
		f.late.from[n] = f.lateIn(n)
		for _, e := range f.graph.Calls(n) {
			if _, isDeferred := e.Site.(*ssa.Defer); !e.IsStart() && (isDeferred || f.late.isBehindStart(n, e.Site)) {
				enter(e.Callee)
			}
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range f.graph.Calls(n) {
			if !e.IsStart() {
				enter(e.Callee)
			}
		}
	}
}

// lateIn returns from where on there may be goroutines that a node has started itself.
func (f *finder) lateIn(n *pointsto.Node) map[*ssa.BasicBlock]int {
	from := map[*ssa.BasicBlock]int{}
	var work []*ssa.BasicBlock
	behind := func(b *ssa.BasicBlock, i int) {
		if known, ok := from[b]; !ok || i < known {
			from[b] = i
			work = append(work, b.Succs...)
		}
	}
	for _, e := range f.graph.Calls(n) {
		if e.Site.Parent() == n.Func && (e.IsStart() || f.late.starts[e.Callee]) {
			behind(e.Site.Block(), slices.Index(e.Site.Block().Instrs, ssa.Instruction(e.Site))+1)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if known, ok := from[b]; !ok || known > 0 {
			behind(b, 0)
		}
	}
	return from
}
