package interp_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
)

// load reads and validates a program.
func load(t *testing.T, name string, src []byte) *esl.Program {
	t.Helper()
	p, err := esl.Parse(name, src)
	if err == nil {
		err = esl.Validate(p)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// accepted checks every occurrence found against Accepts, and every race by
// replaying it.
func accepted(t *testing.T, p *esl.Program, x interp.Exploration) {
	t.Helper()
	for _, f := range x.Occurrences {
		if err := interp.Accepts(context.Background(), p, f.Steps, f.Pattern, f.U.Instance, f.V.Instance, f.V.Object,
			f.Locations, f.Matched); err != nil {
			t.Errorf("scenario %d, pattern %v: %v\nsteps %v\nmatched %v", f.Scenario, f.Pattern, err, f.Steps, f.Matched)
		}
	}
	for _, r := range x.Races {
		if _, err := interp.Replay(context.Background(), p, r.Steps); err != nil {
			t.Errorf("race on %s: %v", p.LocationName(r.Location), err)
		}
	}
}

// TestExamples explores the example programs. Their headers say what is expected:
// "# expect: violation 1 3" (exactly these scenarios) or "# expect: safe", and, if
// they say so, "# race: yes" or "# race: no". Recursive ones are explored to a
// bounded depth.
func TestExamples(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../../testdata/esl/*.esl", "testdata/*.esl"} {
		more, err := filepath.Glob(pattern)
		if err != nil || len(more) == 0 {
			t.Fatalf("no files match %s: %v", pattern, err)
		}
		files = append(files, more...)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p := load(t, file, src)
			x := interp.Explore(context.Background(), p, interp.Bounds{Depth: 5, States: 500_000})
			accepted(t, p, x)
			got := "safe"
			if numbers := x.Scenarios(); len(numbers) > 0 {
				got = "violation " + strings.Trim(fmt.Sprint(numbers), "[]")
			}
			if want := header(src, "expect"); got != want {
				t.Errorf("expect: %s, got: %s", want, got)
			}
			if want := header(src, "race"); want != "" && want != map[bool]string{true: "yes", false: "no"}[len(x.Races) > 0] {
				t.Errorf("race: %s, and %d found", want, len(x.Races))
			}
			if recursive := strings.Contains(file, "recurs"); x.Complete == recursive {
				t.Errorf("complete: %v (%s)", x.Complete, x.Reason)
			}
		})
	}
}

// header returns what follows "# key: " on a line of its own.
func header(src []byte, key string) string {
	for _, line := range strings.Split(string(src), "\n") {
		if rest, ok := strings.CutPrefix(line, "# "+key+": "); ok {
			return rest
		}
	}
	return ""
}
