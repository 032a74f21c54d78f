package pipeline

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
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

// TestSettledModels holds models without the locks that are settled to the runs of random programs, and to the models
// with them: of programs with several locks, and of programs in which most locks have nothing to do with who waits.
func TestSettledModels(t *testing.T) {
	t.Run("locks", func(t *testing.T) { judgeSettled(t, 16, random.Locking) })
	t.Run("helpers", func(t *testing.T) {
		if fewer := judgeSettled(t, 48, helpersWithLocks); fewer == 0 {
			t.Error("no model has fewer locks")
		}
	})
}

// helpersWithLocks is the text of a program with functions that take locks, whose results decide what goroutines send
// and receive. Some send or receive themselves, and some take locks in another order.
func helpersWithLocks(seed int64) string {
	r := rand.New(rand.NewSource(seed))
	var b strings.Builder
	b.WriteString("package main\n\nimport \"sync\"\n\ntype box struct {\n\tmu sync.Mutex\n\tn int\n}\n" +
		"var numbers = []int{1, 2}\nvar x0, x1, x2 box\n")
	fmt.Fprintf(&b, "var c = make(chan int, %d)\n", r.Intn(3))
	helpers := 2 + r.Intn(3)
	for i := range helpers {
		of := r.Intn(3)
		fmt.Fprintf(&b, "func f%d(by int) int {\nx%d.mu.Lock()\nfor _, v := range numbers {\nx%d.n += v * by\n}\n", i, of, of)
		if in := r.Intn(3); in > of || in < of && r.Intn(6) == 0 {
			fmt.Fprintf(&b, "x%d.mu.Lock()\nx%d.n++\nx%d.mu.Unlock()\n", in, in, in)
		}
		switch r.Intn(12) {
		case 0:
			b.WriteString("select {\ncase c <- by:\ndefault:\n}\n")
		case 1:
			b.WriteString("if by == 1 {\nc <- by\n}\n")
		}
		fmt.Fprintf(&b, "n := x%d.n\nx%d.mu.Unlock()\nreturn n\n}\n", of, of)
	}
	sent := 0
	step := func(act string) {
		call := fmt.Sprintf("f%d(%d)", r.Intn(helpers), r.Intn(3))
		switch r.Intn(8) {
		case 0:
			fmt.Fprintf(&b, "if %s > %d {\n%s\n}\n", call, r.Intn(4), act)
		case 1, 2, 3:
			fmt.Fprintln(&b, act)
			sent++
		default:
			fmt.Fprintln(&b, call)
		}
	}
	b.WriteString("func main() {\n")
	for range 1 + r.Intn(3) {
		b.WriteString("go func() {\n")
		for range 1 + r.Intn(4) {
			step("c <- 1")
		}
		b.WriteString("}()\n")
	}
	for range max(0, sent-r.Intn(2)+r.Intn(2)) {
		fmt.Fprintf(&b, "f%d(1)\n<-c\n", r.Intn(helpers))
	}
	b.WriteString("}\n")
	return b.String()
}

// judgeSettled does so with some programs, and returns how many models have fewer locks.
func judgeSettled(t *testing.T, few int, generate func(seed int64) string) (fewer int) {
	facttest.JudgeOf(t, few, generate, facttest.Analysis{Name: "models without settled locks",
		Facts: func(t *testing.T, p *facttest.Program) (facts []judge.Fact) {
			graph := p.Analyze(t, pointsto.Sensitivity{CallSite: knowledge.IsWrapperOfCallback})
			s, err := waits.Settle(t.Context(), graph, waits.NewCode(originIn(p.Loaded)))
			if err != nil {
				t.Fatal(err)
			}
			for _, isCoarse := range []bool{false, true} {
				with := blockingOf(t, p, blocking.Config{IsCoarse: isCoarse, Settled: s})
				without := blockingOf(t, p, blocking.Config{IsCoarse: isCoarse})
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
	t.Logf("%d models have fewer locks", fewer)
	return fewer
}

// blockingOf is the answer about a program by its model; nil if that is too large.
func blockingOf(t *testing.T, p *facttest.Program, c blocking.Config) *BlockingResult {
	c.Roots = []*ssa.Function{p.Main.Func("init"), p.Main.Func("main")}
	c.Position = func(at ssa.Instruction) esl.Pos { return p.Loaded.Position(ssaflow.TokenPos(at)) }
	c.PositionOf, c.IsFollowed, c.States = p.Loaded.Position, isFollowed(p.Loaded), 400
	m, err := blocking.Lower(t.Context(), c)
	if errors.Is(err, blocking.ErrTooLarge) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	found, err := searchBlocking(t.Context(), blockingQuestion{name: p.Name, classes: scenarios.ClassNames()}, m)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
