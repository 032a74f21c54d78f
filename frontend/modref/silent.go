package modref

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// MayDoNothing tells whether a function that is not kept, and may run what is, can also return without: whether there
// is a way through it on which each call, but those that start goroutines, may return so. It is a least fixed point,
// and linear in the calls of such functions, times the sizes of their callers, at the first question.
func (l *Facts) MayDoNothing(n *pointsto.Node) bool {
	if l.silent == nil {
		l.findSilent()
	}
	return !l.Kept.Kept[n] && (l.silent[n] || !l.MayCallBack(n))
}

func (l *Facts) findSilent() {
	l.silent = map[*pointsto.Node]bool{}
	isOpen := func(n *pointsto.Node) bool { return !l.Kept.Kept[n] && !l.MayDoNothing(n) }
	var work []*pointsto.Node
	for _, n := range l.Graph.Nodes() {
		if isOpen(n) {
			work = append(work, n)
		}
	}
	for ; len(work) > 0; work = work[1:] {
		n := work[0]
		if !isOpen(n) || !l.returnsSilently(n) {
			continue
		}
		l.silent[n] = true
		for _, e := range l.Graph.Callers(n) {
			if isOpen(e.Caller) {
				work = append(work, e.Caller)
			}
		}
	}
}

// returnsSilently tells whether a way through the function of a node leads to a return by what is known to be silent.
func (l *Facts) returnsSilently(n *pointsto.Node) bool {
	if len(n.Func.Blocks) == 0 {
		return true
	}
	seen := map[*ssa.BasicBlock]bool{}
	work := []*ssa.BasicBlock{n.Func.Blocks[0]}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] || !l.isPassedSilently(n, b) {
			continue
		}
		seen[b] = true
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			return true
		}
		work = append(work, b.Succs...)
	}
	return false
}

// isPassedSilently tells whether all calls of a block may return without anything that is kept.
func (l *Facts) isPassedSilently(n *pointsto.Node, b *ssa.BasicBlock) bool {
	for _, instr := range b.Instrs {
		call, ok := instr.(ssa.CallInstruction)
		if _, isStart := instr.(*ssa.Go); !ok || isStart {
			continue
		}
		callees := l.Graph.Callees(n, call)
		passes := len(callees) == 0
		for _, callee := range callees {
			passes = passes || l.MayDoNothing(callee) || !l.prints(pointsto.Edge{Caller: n, Site: call, Callee: callee})
		}
		if !passes {
			return false
		}
	}
	return true
}
