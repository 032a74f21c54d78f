package checker_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/refine"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/internal/testmain"
	"github.com/empire-go/empire-go/scenarios"
)

var growth = flag.Bool("growth", false, "measure how checking grows: go test -run TestGrowth -v -growth ./checker")

// grown is a program that grows in several ways: processes of some copies, each of which
// calls, depth calls deep, a unit that updates all fields, each in a critical section of
// one of the locks. On the way down each call reads a field. With methods the unit is any of
// so many. With loop the last function may call the first one again, so that all of them
// are recursive. With joined main waits for all goroutines, and then reads all fields in a
// unit; with safe each unit is one critical section.
type grown struct {
	goroutines, copies, methods, locks, fields, depth int
	loop, joined, safe                                bool
}

func (g grown) program() *esl.Program {
	p := &esl.Program{Name: fmt.Sprintf("%+v", g), Objects: []esl.Object{{Name: "w", Site: "grown"}}}
	for f := range g.fields {
		p.Locations = append(p.Locations, esl.Location{Name: fmt.Sprint("f", f)})
	}
	for l := range g.locks {
		p.Locks = append(p.Locks, esl.Lock{Name: fmt.Sprint("m", l)})
	}
	p.Functions = []esl.Function{{Name: "main", Body: g.main()}}
	p.Processes = []esl.Process{{Name: "main", Copies: 1, Initial: true}}
	for i := range g.goroutines {
		entry := len(p.Functions)
		p.Processes = append(p.Processes, esl.Process{Name: fmt.Sprint("g", i), Entry: entry, Copies: max(g.copies, 1)})
		p.Functions = append(p.Functions, esl.Function{Name: fmt.Sprint("g", i), Body: g.goroutine(entry + 1)})
		for m := range max(g.methods, 1) {
			unit := len(p.Functions)
			p.Functions = append(p.Functions, esl.Function{Name: fmt.Sprintf("unit%d_%d", i, m), Body: g.unit(i, m, unit+1)})
			for d := 1; d <= g.depth; d++ {
				p.Functions = append(p.Functions, esl.Function{Name: fmt.Sprintf("f%d_%d_%d", i, m, d), Body: g.body(unit, d)})
			}
		}
	}
	return p
}

// main starts the goroutines, and waits for them if they are joined.
func (g grown) main() []esl.Stmt {
	var body []esl.Stmt
	for i := range g.goroutines {
		for range max(g.copies, 1) {
			body = append(body, esl.Stmt{Op: esl.Start, Arg: i + 1})
		}
	}
	if !g.joined {
		return body
	}
	for i := range g.goroutines {
		body = append(body, esl.Stmt{Op: esl.Join, Arg: i + 1})
	}
	body = append(body, esl.Stmt{Op: esl.UnitBegin, Unit: "main"})
	for f := range g.fields {
		body = append(body, esl.Stmt{Op: esl.Access, Access: esl.Read, Arg: f})
	}
	return append(body, esl.Stmt{Op: esl.UnitEnd})
}

// goroutine calls one of the methods, of which the first one is the function given.
func (g grown) goroutine(first int) []esl.Stmt {
	choice := esl.Stmt{Op: esl.Choice}
	body := []esl.Stmt{choice}
	for m := range max(g.methods, 1) {
		choice.Targets = append(choice.Targets, len(body))
		body = append(body, esl.Stmt{Op: esl.Call, Arg: first + m*(g.depth+1)}, esl.Stmt{Op: esl.Done},
			esl.Stmt{Op: esl.Return})
	}
	body[0] = choice
	return body
}

// unit returns the body of a method of a goroutine, which calls the function given.
func (g grown) unit(i, m, calls int) []esl.Stmt {
	body := []esl.Stmt{{Op: esl.UnitBegin, Unit: fmt.Sprintf("unit%d_%d", i, m)}}
	locked := func(op esl.Op) {
		for l := range g.locks {
			if g.safe {
				body = append(body, esl.Stmt{Op: op, Arg: l})
			}
		}
	}
	locked(esl.LockOp)
	body = append(body, esl.Stmt{Op: esl.Call, Arg: calls})
	locked(esl.Unlock)
	return append(body, esl.Stmt{Op: esl.UnitEnd})
}

// body returns that of the function d calls below the unit.
func (g grown) body(unit, d int) []esl.Stmt {
	section := func(f int, access ...esl.AccessKind) []esl.Stmt {
		var all []esl.Stmt
		for _, a := range access {
			all = append(all, esl.Stmt{Op: esl.Access, Access: a, Arg: f})
		}
		if g.safe {
			return all
		}
		lock := f % g.locks
		return slices.Concat([]esl.Stmt{{Op: esl.LockOp, Arg: lock}}, all, []esl.Stmt{{Op: esl.Unlock, Arg: lock}})
	}
	if d < g.depth {
		read := section(d%g.fields, esl.Read)
		body := append([]esl.Stmt{{Op: esl.Choice, Targets: []int{1, 1 + len(read)}}}, read...)
		return append(body, esl.Stmt{Op: esl.Call, Arg: unit + d + 1})
	}
	var body []esl.Stmt
	for f := range g.fields {
		body = append(body, section(f, esl.Read, esl.Write)...)
	}
	if g.loop {
		n := len(body) + 1
		body = append(body, esl.Stmt{Op: esl.Choice, Targets: []int{n, n + 1}}, esl.Stmt{Op: esl.Call, Arg: unit + 1})
	}
	return body
}

// families are the ways to grow.
var families = []struct {
	name  string
	sizes []int
	shape func(n int) grown
}{
	{"goroutines", []int{2, 3, 4, 6, 8, 16}, func(n int) grown {
		return grown{goroutines: n, locks: 1, fields: 2, depth: 1}
	}},
	{"joined", []int{2, 3, 4, 6, 8, 10, 16}, func(n int) grown {
		return grown{goroutines: n, locks: 1, fields: 2, depth: 1, joined: true}
	}},
	{"joined, safe", []int{2, 3, 4, 6, 8, 10, 16}, func(n int) grown {
		return grown{goroutines: n, locks: 1, fields: 2, depth: 1, joined: true, safe: true}
	}},
	{"copies", []int{2, 3, 4, 6, 8, 16}, func(n int) grown {
		return grown{goroutines: 1, copies: n, locks: 1, fields: 2, depth: 1}
	}},
	{"methods", []int{2, 3, 4, 6, 8, 16}, func(n int) grown {
		return grown{goroutines: 2, methods: n, locks: 1, fields: 2, depth: 1}
	}},
	{"locks", []int{2, 3, 4, 6, 8, 16}, func(n int) grown { return grown{goroutines: 2, locks: n, fields: 16, depth: 1} }},
	{"fields", []int{2, 3, 4, 6, 8, 16, 32}, func(n int) grown {
		return grown{goroutines: 2, locks: 2, fields: n, depth: 1}
	}},
	{"call depth", []int{12, 25, 50, 100, 200}, func(n int) grown {
		return grown{goroutines: 2, locks: 1, fields: 2, depth: n}
	}},
	{"recursion", []int{1, 2, 4, 8}, func(n int) grown {
		return grown{goroutines: 2, locks: 1, fields: 2, depth: n, loop: true}
	}},
	{"all at once", []int{2, 3, 4, 6, 8}, func(n int) grown { return everything(n, false) }},
	{"all at once, safe", []int{2, 3, 4, 6, 8}, func(n int) grown { return everything(n, true) }},
}

// everything grows at once, but copies and recursion.
func everything(n int, safe bool) grown {
	return grown{goroutines: n, methods: n, locks: n, fields: n, depth: n, joined: true, safe: safe}
}

// cost is what checking a program took.
type cost struct {
	checker.Work
	cpu       time.Duration
	allocated float64 // MiB
	open      int     // verdicts
}

// measureCost checks all scenarios, for a minute at most.
func measureCost(t testing.TB, p *esl.Program) cost {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	begin := testmain.CPU()
	r, err := checker.Check(ctx, p,
		checker.Options{Scenarios: scenarios.Table, Engine: refine.New(), Limits: checker.Limits{Rounds: 20}})
	if err != nil {
		t.Fatal(err)
	}
	c := cost{Work: r.Work, cpu: testmain.CPU() - begin}
	runtime.ReadMemStats(&after)
	c.allocated = float64(after.TotalAlloc-before.TotalAlloc) / (1 << 20)
	for _, f := range r.Findings {
		if _, unknown := f.Verdict.(checker.Unknown); unknown {
			c.open++
		}
	}
	return c
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
	c := measureCost(t, grown{goroutines: 8, locks: 4, fields: 8, depth: 1}.program())
	t.Logf("check: %+v, peak %d MiB of the process", c, peakMiB())
	begin, before := time.Now(), testmain.CPU()
	if _, err := load.Load(context.Background(), load.Config{Dir: dir, Patterns: []string{"."}}); err != nil {
		t.Fatal(err)
	}
	t.Logf("loading hello world: %.3f CPU s, %.3f s", (testmain.CPU() - before).Seconds(), time.Since(begin).Seconds())
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
	work := func(depth int) int {
		return measureCost(t, grown{goroutines: 2, locks: 1, fields: 2, depth: depth}.program()).Transitions
	}
	if shallow, deep := work(25), work(200); deep > 8*shallow {
		t.Errorf("%d transitions at depth 25, %d at depth 200", shallow, deep)
	}
}

// TestJoinsDoNotMultiply: twice as many goroutines that are waited for make four times as many
// questions, and a few more for the one that waits; each takes as long as before.
func TestJoinsDoNotMultiply(t *testing.T) {
	for _, safe := range []bool{false, true} {
		measure := func(goroutines int) cost {
			g := grown{goroutines: goroutines, locks: 1, fields: 2, depth: 1, joined: true, safe: safe}
			return measureCost(t, g.program())
		}
		few, many := measure(4), measure(8)
		if many.Transitions > 5*few.Transitions || few.open+many.open > 0 {
			t.Errorf("safe %v: %d transitions with four goroutines, %d with eight; %d and %d scenarios open", safe,
				few.Transitions, many.Transitions, few.open, many.open)
		}
	}
}
