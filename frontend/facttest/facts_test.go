package facttest_test

import (
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute/judge"
	"github.com/empire-go/empire-go/frontend/facttest"
)

// TestFacts holds all analyses that can be asked from outside to the runs of random programs.
func TestFacts(t *testing.T) {
	facttest.Judge(t, 24,
		facttest.Analysis{Name: "control flow", Facts: flowFacts},
		facttest.Analysis{Name: "points-to sets", Facts: pointsToFacts},
		facttest.Analysis{Name: "private memory", Facts: freshFacts},
		facttest.Analysis{Name: "multiplicity", Facts: multiplicityFacts},
		facttest.Analysis{Name: "same values", Facts: aliasFacts},
		facttest.Analysis{Name: "critical sections", Facts: sectionFacts},
		facttest.Analysis{Name: "owners", Facts: ownerFacts},
		facttest.Analysis{Name: "settled and completed", Facts: settledFacts},
		facttest.Analysis{Name: "joins", Facts: joinFacts},
		facttest.Analysis{Name: "keys that are made once", Facts: keyFacts},
		facttest.Analysis{Name: "reads that do not matter", Irrelevant: irrelevantReads},
	)
}

// path is the path of a value itself.
func path(v ssa.Value) judge.Path { return judge.Path{Root: v} }
