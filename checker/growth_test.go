package checker_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/refine"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/scenarios"
)

var growth = flag.Bool("growth", false, "measure how checking grows: go test -run TestGrowth -v -growth ./checker")

// grown is a program that grows in several ways: processes of some copies, each of which
// calls, depth calls deep, a unit that updates all fields, each in a critical section of
// one of the locks. On the way down each call reads a field. With loop the last function
// may call the first one again, so that all of them are recursive.
type grown struct {
	goroutines, copies, locks, fields, depth int
	loop                                     bool
}

func (g grown) program() *esl.Program {
	p := &esl.Program{Name: fmt.Sprintf("%+v", g), Objects: []esl.Object{{Name: "w", Site: "grown"}}}
	for f := range g.fields {
		p.Locations = append(p.Locations, esl.Location{Name: fmt.Sprint("f", f)})
	}
	for l := range g.locks {
		p.Locks = append(p.Locks, esl.Lock{Name: fmt.Sprint("m", l)})
	}
	main := esl.Function{Name: "main"}
	for i := range g.goroutines {
		for range g.copies {
			main.Body = append(main.Body, esl.Stmt{Op: esl.Start, Arg: i + 1})
		}
	}
	p.Functions = []esl.Function{main}
	p.Processes = []esl.Process{{Name: "main", Copies: 1, Initial: true}}
	for i := range g.goroutines {
		entry := len(p.Functions)
		p.Processes = append(p.Processes, esl.Process{Name: fmt.Sprint("g", i), Entry: entry, Copies: g.copies})
		p.Functions = append(p.Functions, esl.Function{Name: fmt.Sprint("unit", i), Body: []esl.Stmt{
			{Op: esl.UnitBegin, Unit: fmt.Sprint("unit", i)}, {Op: esl.Call, Arg: entry + 1}, {Op: esl.UnitEnd},
		}})
		for d := 1; d <= g.depth; d++ {
			p.Functions = append(p.Functions, esl.Function{Name: fmt.Sprintf("f%d_%d", i, d), Body: g.body(entry, d)})
		}
	}
	return p
}

// body returns that of the function d calls below the unit.
func (g grown) body(entry, d int) []esl.Stmt {
	section := func(f int, access ...esl.AccessKind) []esl.Stmt {
		all := []esl.Stmt{{Op: esl.LockOp, Arg: f % g.locks}}
		for _, a := range access {
			all = append(all, esl.Stmt{Op: esl.Access, Access: a, Arg: f})
		}
		return append(all, esl.Stmt{Op: esl.Unlock, Arg: f % g.locks})
	}
	if d < g.depth {
		body := append([]esl.Stmt{{Op: esl.Choice, Targets: []int{1, 4}}}, section(d%g.fields, esl.Read)...)
		return append(body, esl.Stmt{Op: esl.Call, Arg: entry + d + 1})
	}
	var body []esl.Stmt
	for f := range g.fields {
		body = append(body, section(f, esl.Read, esl.Write)...)
	}
	if g.loop {
		n := len(body) + 1
		body = append(body, esl.Stmt{Op: esl.Choice, Targets: []int{n, n + 1}}, esl.Stmt{Op: esl.Call, Arg: entry + 1})
	}
	return body
}

// families are the ways to grow.
var families = []struct {
	name  string
	sizes []int
	shape func(n int) grown
}{
	{"goroutines", []int{2, 4, 8, 16}, func(n int) grown { return grown{n, 1, 1, 2, 1, false} }},
	{"copies", []int{2, 4, 8, 16}, func(n int) grown { return grown{1, n, 1, 2, 1, false} }},
	{"locks", []int{1, 2, 4, 8, 16}, func(n int) grown { return grown{2, 1, n, 16, 1, false} }},
	{"fields", []int{2, 4, 8, 16, 32}, func(n int) grown { return grown{2, 1, 2, n, 1, false} }},
	{"call depth", []int{12, 25, 50, 100, 200}, func(n int) grown { return grown{2, 1, 1, 2, n, false} }},
	{"recursion", []int{1, 2, 4, 8}, func(n int) grown { return grown{2, 1, 1, 2, n, true} }},
}

// cost is what checking a program took.
type cost struct {
	checker.Work
	cpu       time.Duration
	allocated float64 // MiB
	open      int     // verdicts
}

// measureCost checks all scenarios.
func measureCost(t testing.TB, p *esl.Program) cost {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	begin := processorTime()
	r, err := checker.Check(context.Background(), p,
		checker.Options{Scenarios: scenarios.Table, Engine: refine.New(), Limits: checker.Limits{Rounds: 20}})
	if err != nil {
		t.Fatal(err)
	}
	c := cost{Work: r.Work, cpu: processorTime() - begin}
	runtime.ReadMemStats(&after)
	c.allocated = float64(after.TotalAlloc-before.TotalAlloc) / (1 << 20)
	for _, f := range r.Findings {
		if _, unknown := f.Verdict.(checker.Unknown); unknown {
			c.open++
		}
	}
	return c
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestGrowth prints how states, transitions, processor time and allocated memory grow
// with each family, and the exponent of a power of n that fits them best.
func TestGrowth(t *testing.T) {
	if !*growth {
		t.Skip("a measurement: see the flag -growth")
	}
	t.Log("| family | n | states | transitions | CPU ms | MiB allocated | open |")
	for _, f := range families {
		var n, states, transitions, cpu, allocated []float64
		for _, size := range f.sizes {
			c := measureCost(t, f.shape(size).program())
			t.Logf("| %s | %d | %d | %d | %.1f | %.1f | %d |", f.name, size, c.States, c.Transitions, 1000*c.cpu.Seconds(),
				c.allocated, c.open)
			n, states, transitions = append(n, float64(size)), append(states, float64(c.States)),
				append(transitions, float64(c.Transitions))
			cpu, allocated = append(cpu, c.cpu.Seconds()), append(allocated, c.allocated)
		}
		t.Logf("| %s | exponent | %.2f | %.2f | %.2f | %.2f | |", f.name, exponent(n, states), exponent(n, transitions),
			exponent(n, cpu), exponent(n, allocated))
	}
}

// exponent returns the e for which n^e fits best, by least squares of the logarithms.
func exponent(n, y []float64) float64 {
	var sx, sy, sxx, sxy float64
	for i := range n {
		x, y := math.Log(n[i]), math.Log(max(y[i], 1e-9))
		sx, sy, sxx, sxy = sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	k := float64(len(n))
	return (k*sxy - sx*sy) / (k*sxx - sx*sx)
}

// TestGrowthTarget compares checking all pairs of 8 goroutines that use 8 fields and 4
// locks with loading a program that prints a line.
func TestGrowthTarget(t *testing.T) {
	if !*growth {
		t.Skip("a measurement: see the flag -growth")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module hello\n\ngo 1.26\n",
		"main.go": "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello\") }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := measureCost(t, grown{8, 1, 4, 8, 1, false}.program())
	t.Logf("check: %+v, peak %d MiB of the process", c, peakMiB())
	begin, before := time.Now(), processorTime()
	if _, err := load.Load(context.Background(), load.Config{Dir: dir, Patterns: []string{"."}}); err != nil {
		t.Fatal(err)
	}
	t.Logf("loading hello world: %.3f CPU s, %.3f s", (processorTime() - before).Seconds(), time.Since(begin).Seconds())
}

func peakMiB() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return u.Maxrss >> 10
}

// TestDepthIsLinear: eight times as many calls deep, at most eight times as many
// transitions.
func TestDepthIsLinear(t *testing.T) {
	work := func(depth int) int { return measureCost(t, grown{2, 1, 1, 2, depth, false}.program()).Transitions }
	if shallow, deep := work(25), work(200); deep > 8*shallow {
		t.Errorf("%d transitions at depth 25, %d at depth 200", shallow, deep)
	}
}
