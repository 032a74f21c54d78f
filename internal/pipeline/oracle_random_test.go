package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/execute/random"
	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/internal/cases"
	"github.com/empire-go/empire-go/internal/pipeline"
	"github.com/empire-go/empire-go/scenarios"
)

// TestOracleRandom compares the checker with runs of random programs: EMPIRE_RANDOM is
// how many, EMPIRE_SEED the first one, EMPIRE_SHAPES=1 takes those made
// around one idiom, EMPIRE_ONLY what they have to contain, EMPIRE_KEEP a directory for the programs that
// are called safe and are not. EMPIRE_OUTLINES=1 asks by way of outlines.
func TestOracleRandom(t *testing.T) {
	count, first := 0, int64(1)
	if n, err := strconv.Atoi(os.Getenv("EMPIRE_RANDOM")); err == nil {
		count = n
	}
	if n, err := strconv.ParseInt(os.Getenv("EMPIRE_SEED"), 10, 64); err == nil {
		first = n
	}
	if count == 0 {
		t.Skip("EMPIRE_RANDOM is not set")
	}
	const batch = 200 // programs that are loaded together
	total := randomCount{skipped: map[string]int{}, rests: map[string]int{}}
	for from := first; from < first+int64(count); from += batch {
		total.checkBatch(t, from, min(from+batch, first+int64(count)))
	}
	total.report(t)
}

// TestOracleFolder does the same with the programs in the folders of the module that
// EMPIRE_FOLDER names, whose checked type is T.
func TestOracleFolder(t *testing.T) {
	dir := os.Getenv("EMPIRE_FOLDER")
	if dir == "" {
		t.Skip("EMPIRE_FOLDER is not set")
	}
	r, program := loadFolder(t, dir)
	total := randomCount{skipped: map[string]int{}, rests: map[string]int{}}
	for _, main := range program.Mains() {
		total.check(t, r, main.Pkg.Path(), program.Only(main.Pkg.Path()))
	}
	total.report(t)
}

// loadFolder loads the programs below a folder, to ask about their type T.
func loadFolder(t *testing.T, dir string) (pipeline.Request, *load.Program) {
	t.Helper()
	r := pipeline.Request{Dir: dir, Packages: []string{"./..."}, Type: "T"}
	if fields := os.Getenv("EMPIRE_FIELDS"); fields != "" {
		r.Fields = strings.Split(fields, ",")
	}
	if err := r.Normalize(); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("EMPIRE_OUTLINES") != "" {
		pipeline.UseOutlines(&r)
	}
	program, err := pipeline.Load(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return r, program
}

type randomCount struct {
	queries, safe, violated, unknown, seen, wrong int
	skipped                                       map[string]int
	rests                                         map[string]int // queries by the rules that they rest on
}

// checkBatch checks the programs with the seeds from first up to end.
func (n *randomCount) checkBatch(t *testing.T, first, end int64) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/random\n\ngo 1.26\n")
	generate := random.Program
	if os.Getenv("EMPIRE_SHAPES") != "" {
		generate = random.Shape
	}
	texts := map[int64]string{}
	for seed := first; seed < end; seed++ {
		text := generate(seed)
		if !strings.Contains(text, os.Getenv("EMPIRE_ONLY")) {
			continue
		}
		formatted, err := format.Source([]byte(text))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		texts[seed] = string(formatted)
		write(fmt.Sprintf("p%d/main.go", seed), texts[seed])
	}
	r, program := loadFolder(t, dir)
	for seed := first; seed < end; seed++ {
		if texts[seed] == "" {
			continue
		}
		before := n.wrong
		path := fmt.Sprintf("example.com/random/p%d", seed)
		n.check(t, r, path, program.Only(path))
		if keep := os.Getenv("EMPIRE_KEEP"); keep != "" && n.wrong > before {
			os.WriteFile(filepath.Join(keep, fmt.Sprintf("seed%d.go", seed)), []byte(texts[seed]), 0o644)
		}
	}
}

func (n *randomCount) report(t *testing.T) {
	t.Logf("%d queries; checker: %d safe scenarios, %d violated, %d unknown; of the violated %d seen", n.queries, n.safe,
		n.violated, n.unknown, n.seen)
	t.Logf("skipped: %v", n.skipped)
	t.Logf("safe queries by rule: %v", n.rests)
}

// check compares one program.
func (n *randomCount) check(t *testing.T, r pipeline.Request, name string, program *load.Program) {
	entry := harness.Mains(program)[0]
	subject, err := query.ResolveSubject(program, "T", r.Fields)
	if err != nil {
		t.Fatal(err)
	}
	r.Fields = subject.Fields // one set, for both
	r.Timeout = 20 * time.Second
	result, err := pipeline.AnswerAbout(context.Background(), r, []harness.Entry{entry})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for _, got := range result.Queries {
		s := &execute.Subject{Type: subject.Type, Fields: subject.Fields}
		parts := strings.Split(got.Site, ":")
		if len(parts) < 2 {
			continue
		}
		s.File = parts[0]
		s.Line, _ = strconv.Atoi(parts[1])
		wanted := map[int]bool{}
		explained := false
		for _, sc := range got.Scenarios {
			wanted[sc.Scenario] = sc.Verdict == pipeline.VerdictSafe
			explained = explained || sc.Verdict == pipeline.VerdictViolation
		}
		report, err := execute.Search(execute.New(entry.Main, nil), s,
			execute.Budget{Runs: 250, Random: 200, Time: 2 * time.Second, Seed: 1})
		var unsupported *execute.Unsupported
		if errors.As(err, &unsupported) {
			n.skipped[unsupported.Error()]++
			continue
		}
		n.queries++
		for _, rule := range got.RestsOn {
			n.rests[rule]++
		}
		if os.Getenv("EMPIRE_UNSEEN") != "" {
			t.Logf("%s at %s: %s; %d runs, %d events, seen %v", name, got.Site, got.Verdict, report.Runs, report.Events,
				slices.Sorted(maps.Keys(report.Findings)))
		}
		n.compare(t, name, got, report, explained)
	}
}

func (n *randomCount) compare(t *testing.T, name string, got pipeline.QueryResult, report *execute.Report,
	explained bool) {
	for _, sc := range got.Scenarios {
		f, seen := report.Findings[sc.Scenario]
		switch sc.Verdict {
		case pipeline.VerdictSafe:
			n.safe++
			if seen && (sc.Scenario != scenarios.ConflictCycle || !explained) {
				t.Errorf("%s at %s: scenario %d is called safe and happens with the schedule %v:%s", name, got.Site, sc.Scenario,
					f.Schedule, f.Text)
				n.wrong++
			}
		case pipeline.VerdictViolation:
			n.violated++
			if seen {
				n.seen++
			} else if os.Getenv("EMPIRE_UNSEEN") != "" {
				t.Logf("%s at %s: scenario %d is violated and not seen: %d runs%s", name, got.Site, sc.Scenario, report.Runs,
					cases.Evidence(sc))
			}
		default:
			n.unknown++
			n.skipped[sc.Reason]++
		}
	}
}
