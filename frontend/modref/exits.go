package modref

import (
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// MayExit tells whether a call of the node may end the goroutine.
func (l *Facts) MayExit(n *pointsto.Node) bool {
	if l.exits == nil {
		l.exits = map[*pointsto.Node]bool{}
		var ends []*pointsto.Node
		for _, n := range l.Graph.NodesOfClass(knowledge.GoroutineEnds) {
			l.exits[n] = true
			ends = append(ends, n)
		}
		Follow(ends, l.exits, func(n *pointsto.Node) (callers []*pointsto.Node) {
			for _, e := range l.Graph.Callers(n) {
				if !e.IsStart() && !l.RunsTests(e.Caller) {
					callers = append(callers, e.Caller)
				}
			}
			return callers
		})
	}
	return l.exits[n]
}

// RunsTests tells whether the node is part of what runs tests, which begins a goroutine
// for each of them: it goes on when one has ended.
func (l *Facts) RunsTests(n *pointsto.Node) bool {
	return n == nil || knowledge.IsTesting(n.Func) || l.Program.IsGenerated(n.Func.Pos())
}
