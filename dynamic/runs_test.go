package dynamic_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/watch"
	"github.com/empire-go/empire-go/report"
)

// TestRuns runs programs of testdata: the violation of the first is seen in one of some
// runs, in the other there is none. EMPIRE_RUNS names others: buggy programs, separated by
// commas, whose twins have the suffix _fixed, or such twins alone.
func TestRuns(t *testing.T) {
	names := []string{"vector"}
	if list := os.Getenv("EMPIRE_RUNS"); list != "" {
		names = strings.Split(list, ",")
	} else if testing.Short() {
		t.Skip("builds programs")
	}
	for _, name := range names {
		for _, fixed := range []bool{false, true} {
			if fixed && !strings.HasSuffix(name, "_fixed") {
				name += "_fixed"
			} else if fixed != strings.HasSuffix(name, "_fixed") {
				continue
			}
			if _, err := os.Stat("../testdata/" + name); err != nil {
				continue
			}
			t.Run(name, func(t *testing.T) {
				plan, root := planOf(t, name)
				if os.Getenv("EMPIRE_SHOW") != "" {
					text, _ := plan.Encode()
					t.Logf("%s", text)
				}
				dir := "../testdata/" + name
				p, err := buildPart(dir, root, "", plan)
				if err != nil {
					t.Fatal(err)
				}
				defer p.program.Close()
				seen, runs := 0, 600 // on a busy machine the schedule that is wanted is rare
				if fixed {
					runs = 10
				}
				for seed := range runs {
					r, err := runWithNoise(p.program, p.file, uint64(seed+1))
					if err != nil {
						t.Fatal(err)
					}
					for _, f := range r.Findings {
						if f.Violation.Level == "error" {
							seen++
						}
					}
					if seen > 0 && (fixed || os.Getenv("EMPIRE_SHOW") != "") || testing.Verbose() && seed == 0 {
						var out strings.Builder
						report.RunText(&out, r.Result(), report.TextOptions{})
						t.Logf("%s", out.String())
					}
					if seen > 0 {
						break
					}
				}
				if fixed != (seen == 0) {
					t.Errorf("%d violations seen", seen)
				}
			})
		}
	}
}

// planOf returns what the session would watch of a program, and the directory that its positions are relative to.
func planOf(t *testing.T, name string) (plan *watch.Plan, root string) {
	t.Helper()
	ctx := context.Background()
	session, err := empire.Open(ctx, empire.Request{Dir: "../testdata/" + name})
	if err != nil {
		t.Fatal(err)
	}
	plan, err = session.Watch(ctx, empire.Request{})
	if nothing := new(empire.InputError); errors.As(err, &nothing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, root = session.ModuleRoot()
	return plan, root
}
