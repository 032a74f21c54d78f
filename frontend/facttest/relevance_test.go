package facttest_test

import (
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/execute/judge"
	"github.com/empire-go/empire-go/frontend/facttest"
	"github.com/empire-go/empire-go/frontend/lockset"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/relevance"
)

// irrelevantReads are the reads that are said not to matter any more, and from where on.
func irrelevantReads(t *testing.T, p *facttest.Program) []judge.Irrelevant {
	var facts []judge.Irrelevant
	for _, q := range queries(t, p) {
		reads := relevance.New(mustalias.New(q), lockset.New(q), false)
		nodes := facttest.NewNodes(q.Graph)
		for _, n := range q.Graph.Nodes() {
			if !p.IsOwn(n.Func) || len(n.Func.Blocks) == 0 {
				continue
			}
			r := reads.RelevanceOf(n)
			if r == nil {
				continue
			}
			for _, b := range n.Func.Blocks {
				for _, at := range b.Instrs {
					for _, f := range r.Forgets[at] {
						if _, isPhi := at.(*ssa.Phi); f.Exact && !isPhi {
							unit := isMethodOf(q.Stars.Subject.IsSelfOrPointer)
							facts = append(facts, judge.Irrelevant{Read: f.Read, From: at, In: nodes.In(n), Unit: unit})
						}
					}
				}
			}
		}
	}
	return facts
}

// isMethodOf are the activations of methods of the checked type.
func isMethodOf(is func(types.Type) bool) judge.Scope {
	return func(a execute.Activation) bool {
		recv := a.Function().Signature.Recv()
		return recv != nil && is(recv.Type())
	}
}
