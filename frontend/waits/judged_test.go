package waits

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/execute/judge"
	"github.com/empire-go/empire-go/frontend/execute/random"
	"github.com/empire-go/empire-go/frontend/facttest"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// TestSettled holds what is settled to the runs of random programs with several locks.
func TestSettled(t *testing.T) {
	facttest.JudgeOf(t, 48, random.Locking, facttest.Analysis{Name: "settled locks", Facts: settledFacts})
}

// TestSettledOfOthers does so with the programs that other analyses are held to.
func TestSettledOfOthers(t *testing.T) {
	facttest.Judge(t, 16, facttest.Analysis{Name: "settled locks", Facts: settledFacts})
}

func settledFacts(t *testing.T, p *facttest.Program) (facts []judge.Fact) {
	graph := p.Analyze(t, pointsto.Sensitivity{CallSite: knowledge.IsWrapperOfCallback})
	settlement, err := Settle(t.Context(), graph, NewCode(func(fn *ssa.Function) Origin {
		path := knowledge.PackagePath(fn)
		if path != "" && knowledge.IsStandardPath(path) && path != p.Main.Pkg.Path() {
			return Standard
		}
		return Own
	}))
	if err != nil {
		t.Fatal(err)
	}
	nodes := facttest.NewNodes(graph)
	for _, l := range settlement.Locks {
		if l.Doubt == "" {
			facts = append(facts, judge.NotKept{Name: l.Name, Is: func(at execute.Place) bool {
				return slices.Contains(namesOf(nodes, at), l.Name)
			}})
		}
	}
	if !settlement.Waits() {
		facts = append(facts, judge.NobodyWaits{})
	}
	return facts
}

// namesOf returns the names that the lock at a place may have; a sync.Once has that of its lock, too.
func namesOf(nodes *facttest.Nodes, at execute.Place) []string {
	names := map[string]bool{}
	for _, o := range nodes.Objects(at.Object()) {
		path := facttest.CellPath(at)
		names[lockName(pointsto.Cell{Object: o, Path: path})] = true
		if outer, ok := strings.CutSuffix(path, ".m"); ok {
			names[lockName(pointsto.Cell{Object: o, Path: outer})] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}
