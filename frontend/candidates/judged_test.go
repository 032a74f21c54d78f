package candidates

import (
	"go/constant"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/execute/judge"
	"github.com/empire-go/empire-go/frontend/facttest"
)

// TestLocksHeld holds the lock sets to the runs of random programs. They are evidence, not proof:
// a path through pointers that change names another lock than it did, so such locks are left out.
func TestLocksHeld(t *testing.T) {
	facttest.Judge(t, 12, facttest.Analysis{Name: "lock sets", Facts: heldFacts})
}

func heldFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	graph := p.Insensitive(t)
	nodes := facttest.NewNodes(graph)
	f := newFinder(t.Context(), Config{Graph: graph, Programs: []Program{{
		Program: p.Loaded, Roots: []*ssa.Function{p.Main.Func("init"), p.Main.Func("main")},
	}}})
	f.declare()
	f.findGoroutines()
	var facts []judge.Fact
	for _, w := range f.worlds() {
		f.findEntries(w)
		for _, a := range f.reached {
			if !p.IsOwn(a.node.Func) || !f.isOwn(a.node.Func) {
				continue
			}
			in := activationsOf(a.activation, nodes.In(a.node))
			fl := &flow{finder: f, activation: a.activation}
			fl.visit = func(i ssa.Instruction, held lockset) {
				for l, m := range held {
					if path, ok := pathOf(l.at); ok && isFirst(i) && !l.isChannel {
						facts = append(facts, judge.MustHold{At: i, In: in, Lock: path, Mode: modes[m]})
					}
				}
			}
			fl.run(a.held)
		}
	}
	return facts
}

var modes = map[mode]execute.Mode{reading: execute.Reading, writing: execute.Writing}

// isFirst leaves out phis, which no run comes to by themselves.
func isFirst(i ssa.Instruction) bool {
	switch i.(type) {
	case *ssa.Phi, *ssa.DebugRef:
		return false
	}
	return true
}

// activationsOf are those with the values of the boolean parameters.
func activationsOf(a activation, in judge.Scope) judge.Scope {
	if a.bools == 0 {
		return in
	}
	return func(at execute.Activation) bool {
		for i, p := range a.node.Func.Params {
			if i >= maxBools || a.bools>>(2*i)&3 == 0 {
				continue
			}
			v, ok := at.Value(p)
			want, _ := at.Value(ssa.NewConst(constant.MakeBool(a.bools>>(2*i)&3 == 2), types.Typ[types.Bool]))
			if !ok || !v.Equal(want) {
				return false
			}
		}
		return in == nil || in(at)
	}
}

// pathOf returns the path of a place; not ok if it is none, or leads through what may change.
func pathOf(p place) (path judge.Path, ok bool) {
	if p.root == nil || strings.ContainsAny(p.path, "[") {
		return path, false
	}
	path.Root = p.root
	t := p.root.Type()
	rest := p.path
	for rest != "" {
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			if rest[0] == '*' {
				path.Steps = append(path.Steps, judge.Step{Kind: judge.Load})
				rest, t = rest[1:], u.Elem()
				continue
			}
			s, isStruct := u.Elem().Underlying().(*types.Struct)
			if !isStruct {
				return path, false
			}
			name := rest[1:]
			if end := strings.IndexAny(name, ".*["); end >= 0 {
				name = name[:end]
			}
			for i := range s.NumFields() {
				if s.Field(i).Name() == name {
					path.Steps = append(path.Steps, judge.Step{Kind: judge.Field, Index: i})
					t = types.NewPointer(s.Field(i).Type())
				}
			}
			rest = rest[1+len(name):]
		default:
			return path, false
		}
	}
	return path, true
}
