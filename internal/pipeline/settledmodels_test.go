package pipeline

import (
	"errors"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/blocking"
	"github.com/empire-go/empire-go/frontend/execute/judge"
	"github.com/empire-go/empire-go/frontend/execute/random"
	"github.com/empire-go/empire-go/frontend/facttest"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/waits"
	"github.com/empire-go/empire-go/scenarios"
)

// TestSettledModels holds models without the locks that are settled to the runs of random programs with several locks,
// and to the models with them.
func TestSettledModels(t *testing.T) {
	fewer := 0
	facttest.JudgeOf(t, 32, random.Locking, facttest.Analysis{Name: "models without settled locks",
		Facts: func(t *testing.T, p *facttest.Program) (facts []judge.Fact) {
			graph := p.Analyze(t, pointsto.Sensitivity{CallSite: knowledge.IsWrapperOfCallback})
			s, err := waits.Settle(t.Context(), graph, originIn(p.Loaded))
			if err != nil {
				t.Fatal(err)
			}
			for _, isCoarse := range []bool{false, true} {
				with, without := blockingOf(t, p, isCoarse, s), blockingOf(t, p, isCoarse, nil)
				switch {
				case with == nil || without == nil: // too large
				case with.Verdict == VerdictSafe && without.Verdict == VerdictViolation:
					t.Errorf("%s is safe without the locks that are settled (coarse: %t), and else there is %+v\n%s", p.Name,
						isCoarse, without.Findings[0].Waits, p.Text)
				case with.Model.Locks < without.Model.Locks:
					fewer++
				}
				if with != nil && with.Verdict == VerdictSafe {
					facts = append(facts, judge.NobodyWaits{})
				}
			}
			return facts
		}})
	if t.Logf("%d models have fewer locks", fewer); fewer == 0 {
		t.Error("no model has fewer locks")
	}
}

// blockingOf is the answer about a program by its model; nil if that is too large.
func blockingOf(t *testing.T, p *facttest.Program, isCoarse bool, s *waits.Settlement) *BlockingResult {
	c := blocking.Config{Roots: []*ssa.Function{p.Main.Func("init"), p.Main.Func("main")},
		Position:   func(at ssa.Instruction) esl.Pos { return p.Loaded.Position(ssaflow.TokenPos(at)) },
		PositionOf: p.Loaded.Position, IsFollowed: isFollowed(p.Loaded), IsCoarse: isCoarse, States: 400}
	if s != nil {
		c.Settled = s
	}
	m, err := blocking.Lower(t.Context(), c)
	if errors.Is(err, blocking.ErrTooLarge) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	found, err := searchBlocking(t.Context(), scenarios.ClassNames(), p.Name, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
