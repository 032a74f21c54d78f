package empire

import (
	"context"
	"errors"
	"fmt"
	"go/format"
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
	"github.com/empire-go/empire-go/scenarios"
)

// TestOracleRandom compares the checker with runs of random programs: EMPIRE_RANDOM is
// how many, EMPIRE_SEED the first one, EMPIRE_KEEP a directory for the programs that
// are called safe and are not.
func TestOracleRandom(t *testing.T) {
	count, first := 24, int64(1)
	if n, err := strconv.Atoi(os.Getenv("EMPIRE_RANDOM")); err == nil {
		count = n
	}
	if n, err := strconv.ParseInt(os.Getenv("EMPIRE_SEED"), 10, 64); err == nil {
		first = n
	}
	const batch = 200 // programs that are loaded together
	total := randomCount{skipped: map[string]int{}}
	for from := first; from < first+int64(count); from += batch {
		total.checkBatch(t, from, min(from+batch, first+int64(count)))
	}
	t.Logf("%d queries; checker: %d safe scenarios, %d violated, %d unknown; of the violated %d seen", total.queries, total.safe, total.violated, total.unknown, total.seen)
	t.Logf("skipped: %v", total.skipped)
}

type randomCount struct {
	queries, safe, violated, unknown, seen int
	skipped                                map[string]int
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
	texts := map[int64]string{}
	for seed := first; seed < end; seed++ {
		text := random.Program(seed)
		formatted, err := format.Source([]byte(text))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		texts[seed] = string(formatted)
		write(fmt.Sprintf("p%d/main.go", seed), texts[seed])
	}
	r := Request{Dir: dir, Packages: []string{"./..."}, Type: "T"}
	if err := r.Normalize(); err != nil {
		t.Fatal(err)
	}
	program, err := loadProgram(context.Background(), r, &runner{})
	if err != nil {
		t.Fatal(err)
	}
	for seed := first; seed < end; seed++ {
		n.check(t, r, seed, program.Only(fmt.Sprintf("example.com/random/p%d", seed)), texts[seed])
	}
}

// check compares one program.
func (n *randomCount) check(t *testing.T, r Request, seed int64, program *load.Program, text string) {
	entry := harness.Mains(program)[0]
	result := &Result{}
	r.Timeout = 20 * time.Second
	if err := runEntries(context.Background(), r, []harness.Entry{entry}, result, &runner{}); err != nil {
		t.Errorf("seed %d: %v", seed, err)
		return
	}
	subject, err := query.ResolveSubject(program, "T", nil)
	if err != nil {
		t.Fatal(err)
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
			wanted[sc.Scenario] = sc.Verdict == VerdictSafe
			explained = explained || sc.Verdict == VerdictViolation
		}
		report, err := execute.Search(execute.New(entry.Main), s, execute.Budget{Runs: 400, Random: 300, Time: 250 * time.Millisecond, Seed: seed})
		var unsupported *execute.Unsupported
		if errors.As(err, &unsupported) {
			n.skipped[unsupported.Error()]++
			continue
		}
		n.queries++
		n.compare(t, seed, got, report, explained, text)
	}
}

func (n *randomCount) compare(t *testing.T, seed int64, got QueryResult, report *execute.Report, explained bool, text string) {
	for _, sc := range got.Scenarios {
		f, seen := report.Findings[sc.Scenario]
		switch sc.Verdict {
		case VerdictSafe:
			n.safe++
			if seen && (sc.Scenario != scenarios.ConflictCycle || !explained) {
				t.Errorf("seed %d: %s: scenario %d is called safe and happens with the schedule %v:%s", seed, got.Site, sc.Scenario, f.Schedule, f.Text)
				if keep := os.Getenv("EMPIRE_KEEP"); keep != "" {
					os.WriteFile(filepath.Join(keep, fmt.Sprintf("seed%d.go", seed)), []byte(text), 0o644)
				}
			}
		case VerdictViolation:
			n.violated++
			if seen {
				n.seen++
			}
		default:
			n.unknown++
			n.skipped[sc.Reason]++
		}
	}
	_ = slices.Contains[[]int]
}
