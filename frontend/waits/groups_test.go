package waits

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/frontend/facttest"
)

// TestGroups holds what is said of groups, of timers and of variables that are set when a package begins to the runs of
// random programs with them, and with mistakes.
func TestGroups(t *testing.T) {
	facttest.JudgeOf(t, 96, withGroups, facttest.Analysis{Name: "groups", Facts: settledFacts})
}

// withGroups is the text of a program whose functions wait for goroutines that they start.
func withGroups(seed int64) string {
	r := rand.New(rand.NewSource(seed))
	one := func(some ...string) string { return some[r.Intn(len(some))] }
	slips := []int{8, 30, 30, 1000}[r.Intn(4)]
	seldom := func(usual string, some ...string) string {
		if r.Intn(slips) > 0 {
			return usual
		}
		return one(some...)
	}
	var b strings.Builder
	b.WriteString("package main\n\nimport \"sync\"\n\ntype box struct {\n\tmu sync.Mutex\n\tn int\n\tof *box\n}\n\n" +
		"var first *box\nvar c = make(chan int, 1)\n\nfunc init() {\n\tfirst = &box{of: &box{}}\n}\n\n")
	if r.Intn(4) == 0 {
		b.WriteString("func init() {\n\tfirst = &box{}\n}\n\n")
	}
	functions := 2 + r.Intn(2)
	for i := range functions {
		work := func() string {
			text := ""
			for range 1 + r.Intn(2) {
				next := "first.n++\n"
				if i+1 < functions {
					next = fmt.Sprintf("f%d(%d)\n", i+1, r.Intn(3))
				}
				text += seldom(one("first.mu.Lock()\nfirst.n++\nfirst.mu.Unlock()\n", next, next), "c <- 1\n", "<-c\n",
					"first.mu.Lock()\n", "first = first.of\n", "wg.Wait()\n")
			}
			return text
		}
		fmt.Fprintf(&b, "func f%d(n int) {\nvar wg sync.WaitGroup\n", i)
		for range 1 + r.Intn(2) {
			if r.Intn(3) == 0 {
				fmt.Fprintf(&b, "wg.Go(func() {\n%s})\n", work())
				continue
			}
			loop := r.Intn(2) == 0
			if loop {
				b.WriteString("for range n {\n")
			}
			add := seldom("wg.Add(1)\n", "wg.Add(2)\n", "", "if n > 1 {\nwg.Add(1)\n}\n")
			done := seldom("defer wg.Done()\n", "", "if n > 0 {\ndefer wg.Done()\n}\n", "defer wg.Done()\ndefer wg.Done()\n",
				"for range n {\ndefer wg.Done()\n}\n")
			starts := seldom("go func() {\n", "for range 2 {\ngo func() {\n", "if n != 1 {\ngo func() {\n")
			ends := "}()\n" + strings.Repeat("}\n", strings.Count(starts, "{")-1)
			fmt.Fprintf(&b, "%s%s%s%s%s", add, starts, done, work(), ends)
			if loop {
				b.WriteString("}\n")
			}
		}
		if r.Intn(4) == 0 {
			b.WriteString("go func() {\nwg.Wait()\n}()\n")
		}
		b.WriteString(seldom("wg.Wait()\n", "", "first.mu.Lock()\nwg.Wait()\nfirst.mu.Unlock()\n") + "}\n\n")
	}
	b.WriteString("func main() {\nf0(2)\ngo f1(1)\nf1(0)\n}\n")
	return b.String()
}
