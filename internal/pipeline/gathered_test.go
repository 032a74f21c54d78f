package pipeline

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/frontend/blocking"
	"github.com/empire-go/empire-go/frontend/execute/judge"
	"github.com/empire-go/empire-go/frontend/execute/random"
	"github.com/empire-go/empire-go/frontend/facttest"
)

// TestGathered holds models in which goroutines that are started alike are one to the runs of random programs, and to
// the models in which they are several: of programs that start goroutines after branches that are not known, and of
// others.
func TestGathered(t *testing.T) {
	t.Run("branches", func(t *testing.T) {
		if decided := judgeGathered(t, 64, startsAfterBranches); decided == 0 {
			t.Error("nothing is decided")
		}
	})
	t.Run("locks", func(t *testing.T) { judgeGathered(t, 8, random.Locking) })
}

// startsAfterBranches is the text of a program whose variables have values that depend on branches which are not known
// when it starts goroutines: numbers, channels, what functions are called.
func startsAfterBranches(seed int64) string {
	r := rand.New(rand.NewSource(seed))
	var b strings.Builder
	b.WriteString("package main\n\nimport \"sync\"\n\ntype box struct {\n\tn int\n\tc chan int\n\tf func()\n}\n\n" +
		"var input = make(chan bool, 8)\nvar mu sync.Mutex\nvar wg sync.WaitGroup\n\n" +
		"func maybe() bool {\n\tselect {\n\tcase b := <-input:\n\t\treturn b\n\tdefault:\n\t\treturn false\n\t}\n}\n\n")
	fmt.Fprintf(&b, "func main() {\na, d := make(chan int, %d), make(chan int, %d)\n", r.Intn(3), 1+r.Intn(2))
	b.WriteString("_, x := d, &box{c: a, f: func() {}}\n")
	for range r.Intn(3) {
		b.WriteString("input <- true\n")
	}
	change := func() string {
		switch r.Intn(7) {
		case 0:
			return "x.c = d\n"
		case 1:
			return "x.f = func() { mu.Lock() }\n"
		case 2:
			return "x.f = func() { a <- 1 }\n"
		case 3:
			return "x = &box{c: d, f: x.f, n: 1}\n"
		default:
			return fmt.Sprintf("x.n = %d\n", r.Intn(3))
		}
	}
	if r.Intn(2) == 0 {
		b.WriteString("go func() { input <- true }()\n")
	}
	for range 1 + r.Intn(3) {
		fmt.Fprintf(&b, "if maybe() {\n%s}\n", change())
	}
	acts := []string{"x.c <- 1\n", "<-x.c\n", "x.f()\n", "mu.Lock()\nmu.Unlock()\n", "if x.n > 0 {\nx.c <- 1\n}\n",
		"for range x.n {\nx.c <- 1\n}\n", "select {\ncase x.c <- 2:\ndefault:\n}\n", "if x.c == d {\n<-a\n}\n"}
	joins := r.Intn(2) == 0
	for range 1 + r.Intn(3) {
		if joins {
			b.WriteString("wg.Add(1)\n")
		}
		b.WriteString("go func() {\n")
		for range 1 + r.Intn(3) {
			b.WriteString(acts[r.Intn(len(acts))])
		}
		if joins {
			b.WriteString("wg.Done()\n")
		}
		b.WriteString("}()\n")
		if r.Intn(3) == 0 {
			fmt.Fprintf(&b, "if maybe() {\n%s}\n", change())
		}
	}
	for range r.Intn(3) {
		b.WriteString([]string{"<-a\n", "x.c <- 1\n", "<-d\n", "x.f()\n"}[r.Intn(4)])
	}
	if joins {
		b.WriteString("wg.Wait()\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// judgeGathered does so with some programs, and returns how many are decided.
func judgeGathered(t *testing.T, few int, generate func(seed int64) string) (decided int) {
	fewer := 0
	facttest.JudgeOf(t, few, generate, facttest.Analysis{Name: "gathered goroutines",
		Facts: func(t *testing.T, p *facttest.Program) (facts []judge.Fact) {
			gathered := blockingOf(t, p, blocking.Config{IsGathered: true})
			apart := blockingOf(t, p, blocking.Config{})
			if gathered == nil {
				return nil
			}
			if gathered.Verdict != VerdictUnknown {
				decided++
			}
			if apart != nil && gathered.Model.Goroutines < apart.Model.Goroutines {
				fewer++
			}
			if gathered.Verdict == VerdictSafe {
				facts = append(facts, judge.NobodyWaits{})
				if apart != nil && apart.Verdict == VerdictViolation {
					t.Errorf("%s is safe if goroutines are one, and else there is %+v\n%s", p.Name, apart.Findings[0].Waits, p.Text)
				}
			}
			return facts
		}})
	t.Logf("%d are decided, %d have fewer goroutines", decided, fewer)
	return decided
}
