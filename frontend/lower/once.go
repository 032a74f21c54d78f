package lower

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/order"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// flag returns the index of the flag with a name.
func (l *lowerer) flag(name string) int {
	f, ok := l.flags[name]
	if !ok {
		f = len(l.flagNames)
		l.flags[name] = f
		l.flagNames = append(l.flagNames, name)
	}
	return f
}

// onceCall lowers a call of sync.Once.Do: the first caller runs the function, and
// everybody returns after it has run. ok is false if it is not evident which Once
// it is, or if a call of Do on it is left out of the model, or if it is assigned anew;
// then the body of Do is lowered like any other.
func (l *lowerer) onceCall(c *clone, s state, callee *pointsto.Node, at ssa.CallInstruction) (
	outcomes []outcome, ok bool) {
	args := ssaflow.Arguments(at.Common())
	if !knowledge.IsOnce(callee.Func) || len(args) != 2 || !l.Kept.Kept[callee] {
		return nil, false
	}
	name, ok := l.onceName(c, s, args[0])
	if !ok {
		return nil, false
	}
	pos := l.position(at)
	l.Rules.Use(rules.Once, true)
	started, done := l.flag("started_"+name), l.flag("done_"+name)
	begin := []esl.Stmt{{Op: esl.Set, Arg: started, Pos: pos}}
	end := esl.Stmt{Op: esl.Set, Arg: done, Pos: pos}
	after := s
	after.private &^= l.tags.Stars(l.tagOf(c, s, args[1]))
	outcomes = append(outcomes, outcome{[]esl.Stmt{{Op: esl.Await, Arg: done, Pos: pos}}, after})
	for _, target := range l.NodesOfValue(c.node, args[1]) {
		if known := l.tagOf(c, s, args[1]); known.Kind == tag.Closure && known.Fn != target.Func {
			continue
		}
		if !l.Kept.Kept[target] {
			outcomes = append(outcomes, outcome{append(begin[:1:1], end), after})
			continue
		}
		key := cloneKey{node: target, args: l.calleeArguments(c, s, &ssa.CallCommon{Value: args[1]}, target), makes: -1,
			private: s.private}
		for _, o := range l.callClones(c, after, key, at, nil, true) {
			outcomes = append(outcomes, outcome{append(append(begin[:1:1], o.stmts...), end), o.state})
		}
	}
	if len(outcomes) == 1 { // nothing is known of the function
		outcomes = append(outcomes, outcome{append(begin[:1:1], end), after})
	}
	return outcomes, true
}

// onceName returns a name for the Once that a pointer points to, if it is evident
// which one it is and the model has every call of Do on it.
func (l *lowerer) onceName(c *clone, s state, pointer ssa.Value) (string, bool) {
	cells := l.Graph.PointsTo(c.node, pointer).Cells()
	for _, cell := range cells {
		if strings.Contains(cell.Path, "[") || !l.happensBefore.EveryDoIsKept(cell) || l.isReset(cell) {
			return "", false
		}
	}
	switch g := l.tagOf(c, s, pointer); {
	case g.Kind == tag.Object:
		return l.Stars.Stars[g.Star].Name + "." + g.Path, true
	case g.Kind == tag.None && len(cells) == 1 && len(l.Stars.StarsAt(cells[0])) == 0 &&
		isolate.SingleObject(l.Multiplicity, l.Graph, cells[0].Object):
		return fmt.Sprintf("%s_%d", order.VariableName(cells[0].Object), cells[0].Object.ID) + "." + cells[0].Path, true
	}
	return "", false
}
