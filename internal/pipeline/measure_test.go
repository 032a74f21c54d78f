package pipeline

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/limit"
)

var (
	measured = flag.String("measure", "", "the `engines` that TestMeasure compares on all programs under testdata: "+
		"refine, or refine,prefix")
	among    = flag.String("among", "", "only the programs whose folders contain this `text`, as contest")
	apart    = flag.Bool("apart", false, "have TestMeasure load each program by itself as well, as the command does")
	patience = flag.Duration("patience", 5*time.Second,
		"the processor `time` that TestMeasure gives an engine for one query")
)

// TestMeasure measures, in one run, what loading all programs under testdata costs, and
// what answering all their queries does after lowering, with each engine:
//
//	go test -run TestMeasure -v -timeout 30m -measure refine ./internal/pipeline
//	go test -run TestMeasure -v -timeout 30m -measure refine,prefix -among contest ./internal/pipeline
//
// All programs are loaded together, so that what they have in common is loaded once; with
// -apart each is loaded by itself besides, as a user's command does it (some ten minutes).
// No engine may contradict another one, the first may leave nothing open.
func TestMeasure(t *testing.T) {
	if *measured == "" {
		t.Skip("a measurement: see the comment on the test")
	}
	defer collectSeldom()()
	var queries []measuredQuery
	var programs []map[string][]harness.Entry
	loading, lowering := spend(func() { programs = loadAll(t) }), spend(func() { queries = lowerAll(t, programs) })
	programs = nil // to mark hundreds of programs again and again is no part of checking one
	runtime.GC()
	t.Logf("%d queries. loading: %v; the analyses up to lowering: %v", len(queries), loading, lowering)
	var loadingApart spent
	if *apart {
		loadingApart = spend(func() {
			for _, file := range measuredFiles(t) {
				if _, err := LoadCases(file); err != nil {
					t.Fatal(err)
				}
			}
		})
		t.Logf("loading each of %d programs by itself: %v", len(measuredFiles(t)), loadingApart)
	}
	for i, name := range strings.Split(*measured, ",") {
		report := measureEngine(t, name, queries)
		t.Logf("%s: %v, %.1f %% of loading's CPU time\n%s", name, report.spent,
			100*report.spent.cpu.Seconds()/loading.cpu.Seconds(), report)
		if *apart {
			t.Logf("%s: %.1f %% of the CPU time for loading each by itself", name,
				100*report.spent.cpu.Seconds()/loadingApart.cpu.Seconds())
		}
		if i == 0 && report.verdicts[VerdictUnknown] > 0 {
			t.Errorf("%s leaves %d verdicts open", name, report.verdicts[VerdictUnknown])
		}
	}
}

// measuredQuery is a query with its model, ready to be checked.
type measuredQuery struct {
	name     string
	analysis *analysis
	site     query.Site
	model    model
	verdicts []string // by scenario, of the engines so far; empty where all leave it open
}

var measuredGlobs = []string{ownCases, contestCases}

// measuredFiles returns the case files whose programs are measured.
func measuredFiles(t *testing.T) []string {
	var all []string
	for _, glob := range measuredGlobs {
		files, err := filepath.Glob(glob)
		if err != nil || len(files) == 0 {
			t.Fatalf("no case files: %v", err)
		}
		all = append(all, files...)
	}
	return slices.DeleteFunc(all, func(file string) bool { return !strings.Contains(file, *among) })
}

// loadAll returns the programs beside the measured files, by folder: those of the cases,
// and those of the benchmark.
func loadAll(t *testing.T) []map[string][]harness.Entry {
	var all []map[string][]harness.Entry
	for _, glob := range measuredGlobs {
		if !slices.ContainsFunc(measuredFiles(t), func(file string) bool { ok, _ := filepath.Match(glob, file); return ok }) {
			continue
		}
		programs, err := LoadCases(glob)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, programs)
	}
	return all
}

// lowerAll returns the queries of all case files with their models.
func lowerAll(t *testing.T, programs []map[string][]harness.Entry) []measuredQuery {
	var all []measuredQuery
	stages := &runner{} // one, as in a run with many queries
	for _, file := range measuredFiles(t) {
		var entries []harness.Entry
		for _, loaded := range programs {
			entries = append(entries, loaded["./"+filepath.ToSlash(filepath.Dir(file))]...)
		}
		requests, _ := RequestsOf(t, file)
		for _, r := range requests {
			all = append(all, lowered(t, file, r, entries, stages)...)
		}
	}
	return all
}

// lowered returns the queries of one request with their models.
func lowered(t *testing.T, file string, r Request, entries []harness.Entry, stages *runner) []measuredQuery {
	if err := r.Normalize(); err != nil {
		t.Fatal(err)
	}
	var all []measuredQuery
	for _, e := range entries {
		analysed, err := analyses(t.Context(), r, e, planNamed(r), stages)
		if err != nil {
			continue // of several programs, only one has the site
		}
		for _, a := range analysed {
			sites, err := a.sites()
			if err != nil {
				continue
			}
			for _, site := range sites {
				if m, err := a.model(t.Context(), site, shallow, nil); err == nil {
					name := fmt.Sprintf("%s at %s", filepath.ToSlash(filepath.Dir(file)), site)
					// Neither what else the analysis has nor the program is needed any more.
					all = append(all, measuredQuery{
						name: strings.TrimPrefix(name, "testdata/"), site: query.Site{Global: siteFunction(site)},
						analysis: &analysis{request: a.request, subject: a.subject, runner: stages}, model: model{lowered: m.lowered},
					})
				}
			}
		}
	}
	if len(all) == 0 {
		t.Errorf("%s: no model of %s", file, r.Type)
	}
	return all
}

// engineReport is what an engine did with all queries.
type engineReport struct {
	spent    spent
	verdicts map[string]int // of scenarios
	timeouts int            // of queries
	slowest  []namedSpent
}

type namedSpent struct {
	name string
	spent
}

func (r engineReport) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "scenarios: %d violations, %d safe, %d unknown; queries out of time: %d; slowest:",
		r.verdicts[VerdictViolation], r.verdicts[VerdictSafe], r.verdicts[VerdictUnknown], r.timeouts)
	for _, s := range r.slowest {
		fmt.Fprintf(&b, "\n\t%v %s", s.spent, s.name)
	}
	return b.String()
}

// measureEngine answers all queries with an engine. Its verdicts must agree with those of
// the engines before.
func measureEngine(t *testing.T, engine string, queries []measuredQuery) engineReport {
	report := engineReport{verdicts: map[string]int{}}
	for i := range queries {
		q := &queries[i]
		q.analysis.request.Engine = engine
		var result QueryResult
		var late bool
		spent := spend(func() {
			ctx, stop := withProcessorTime(t.Context(), *patience)
			defer stop()
			ctx, release := limit.ForQuery(ctx, time.Hour, DefaultMemory)
			defer release()
			var err error
			result, err = q.analysis.search(ctx, q.model, q.site)
			late = ctx.Err() != nil
			if err != nil && !late {
				t.Errorf("%s: %s: %v", q.name, engine, err)
			}
		})
		report.add(spent, q.name, late)
		for j, s := range result.Scenarios {
			report.verdicts[s.Verdict]++
			if q.verdicts == nil {
				q.verdicts = make([]string, len(result.Scenarios))
			}
			switch before := q.verdicts[j]; {
			case s.Verdict == VerdictUnknown:
			case before == "":
				q.verdicts[j] = s.Verdict
			case before != s.Verdict:
				t.Errorf("%s: scenario %d: %s says %s, another engine says %s", q.name, s.Scenario, engine, s.Verdict, before)
			}
		}
	}
	slices.SortFunc(report.slowest, func(a, b namedSpent) int { return cmp.Compare(b.cpu, a.cpu) })
	report.slowest = report.slowest[:min(len(report.slowest), 8)]
	return report
}

// withProcessorTime returns a context that is done after the process has used so much
// processor time: on a busy machine every engine gets as much as on a quiet one.
func withProcessorTime(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	end := cpuTime() + limit
	go func() {
		for ctx.Err() == nil && cpuTime() < end {
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	return ctx, cancel
}

func (r *engineReport) add(s spent, name string, late bool) {
	r.spent.cpu += s.cpu
	r.spent.wall += s.wall
	r.slowest = append(r.slowest, namedSpent{name, s})
	if late {
		r.timeouts++
	}
}

// spent is what something took, of the processors with all child processes.
type spent struct{ cpu, wall time.Duration }

func (s spent) String() string {
	return fmt.Sprintf("%.3f CPU s, %.3f s", s.cpu.Seconds(), s.wall.Seconds())
}

func spend(f func()) spent {
	begin, before := time.Now(), cpuTime()
	f()
	return spent{cpuTime() - before, time.Since(begin)}
}

// cpuTime returns the processor time of this process and of the children that have ended.
func cpuTime() time.Duration {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return sum
}
