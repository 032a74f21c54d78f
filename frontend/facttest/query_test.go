package facttest_test

import (
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/facttest"
	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/frontend/reduce"
)

// queries returns what the stages before the lowering find out for each place where the program
// makes an object of its type T.
func queries(t *testing.T, p *facttest.Program) []*modref.Facts {
	t.Helper()
	if known, ok := answered[p]; ok {
		return known
	}
	clear(answered) // one program after the other
	subject, err := query.ResolveSubject(p.Loaded, "T", nil)
	if err != nil {
		t.Fatal(err)
	}
	roots := []*ssa.Function{p.Main.Func("init"), p.Main.Func("main")}
	base, err := pointsto.Solve(t.Context(), pointsto.Config{Program: p.Loaded.SSA, Roots: roots})
	if err != nil {
		t.Fatal(err)
	}
	graph, err := base.Refine(t.Context(), pointsto.Sensitivity{
		Receiver: func(fn *ssa.Function) bool {
			recv := fn.Signature.Recv()
			return recv != nil && (subject.IsSelfOrPointer(recv.Type()) || subject.IsFieldType(recv.Type()))
		},
		CallSite: func(fn *ssa.Function) bool {
			return subject.IsConstructor(fn) || subject.IsPartMaker(fn) || knowledge.IsWrapperOfCallback(fn)
		},
		Subject: subject.Is,
	})
	if err != nil {
		t.Fatal(err)
	}
	var all []*modref.Facts
	often := multiplicity.New(graph)
	unitFor := func(fn *ssa.Function, param *ssa.Parameter) bool {
		return subject.IsUnitForType(p.Loaded, param.Type())
	}
	never := func(*ssa.Function) bool { return false }
	for _, site := range query.Sites(p.Loaded, subject, graph.Functions(), false, never) {
		stars, err := isolate.Isolate(t.Context(), p.Loaded, graph, often, subject, site, unitFor)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		kept, err := reduce.Reduce(t.Context(), graph, often, stars, reduce.Options{Own: p.IsOwn})
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		unpublished := fresh.New(t.Context(), graph)
		unpublished.Watch(stars.Watched()...)
		all = append(all, modref.New(modref.Input{
			Program: p.Loaded, Graph: graph, Multiplicity: often, Stars: stars, Kept: kept, Unpublished: unpublished,
		}))
	}
	answered[p] = all
	return all
}

var answered = map[*facttest.Program][]*modref.Facts{}
