package facttest_test

import (
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/execute/judge"
	"github.com/empire-go/empire-go/frontend/facttest"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// ownerFacts are memory that the fields of one object have for themselves, companions that are kept
// for ever, fields that are written once, and objects that there is one of.
func ownerFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	var facts []judge.Fact
	for _, q := range queries(t, p) {
		nodes := facttest.NewNodes(q.Graph)
		for _, o := range q.Graph.Objects() {
			site, ok := o.Site.(ssa.Instruction)
			if ok && p.IsOwn(site.Parent()) && q.Stars.Owns(o) {
				facts = append(facts, owned(q, nodes, o))
			}
		}
		facts = append(facts, starFacts(p, q, nodes)...)
	}
	return facts
}

func starFacts(p *facttest.Program, q *modref.Facts, nodes *facttest.Nodes) []judge.Fact {
	var facts []judge.Fact
	star := q.Stars.Stars[0]
	for o := range star.Objects {
		site, ok := o.Site.(ssa.Instruction)
		if !ok || !p.IsOwn(site.Parent()) || star.Path != "" {
			continue
		}
		in := makersOf(q.Graph, nodes, o)
		if star.Single {
			facts = append(facts, judge.Once{At: site, In: in})
		}
		once := func(path string) {
			part := func(place execute.Place) bool { return facttest.CellPath(place) == path }
			facts = append(facts, judge.WrittenOnce{Site: site, In: in, Name: path + " of", Part: part})
		}
		for k, field := range q.Stars.Subject.Fields {
			if q.Stars.IsWrittenOnce(k) {
				once(field)
			}
		}
		for _, c := range q.Stars.Companions(0) {
			once(c.Path)
			if made, ok := c.Object.Site.(ssa.Instruction); ok && p.IsOwn(made.Parent()) {
				facts = append(facts, owned(q, nodes, c.Object))
			}
		}
	}
	return facts
}

// owned is that no two objects of the checked type share what the abstract object stands for.
func owned(q *modref.Facts, nodes *facttest.Nodes, o *pointsto.Object) judge.Fact {
	return judge.OwnedBy{Site: o.Site.(ssa.Instruction), In: makersOf(q.Graph, nodes, o), Holder: q.Stars.Subject.Type}
}

// makersOf are the activations in which an instruction makes the abstract object, as far as is known.
func makersOf(graph *pointsto.Result, nodes *facttest.Nodes, o *pointsto.Object) judge.Scope {
	return func(a execute.Activation) bool {
		for _, n := range nodes.Of(a) {
			if graph.ObjectAt(n, o.Site) != o {
				return false
			}
		}
		return true
	}
}
