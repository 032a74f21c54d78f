package dynamic_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic"
	"github.com/empire-go/empire-go/dynamic/hook"
	"github.com/empire-go/empire-go/dynamic/instrument"
	"github.com/empire-go/empire-go/dynamic/watch"
	"github.com/empire-go/empire-go/report"
)

// program is an instrumented program of testdata.
type program struct {
	binary string
	header []byte
}

// build instruments and builds a program of testdata.
func build(t *testing.T, plan *watch.Plan, dir string) program {
	t.Helper()
	work := t.TempDir()
	r, err := instrument.Rewrite(context.Background(), instrument.Request{Dir: dir, Packages: []string{"."}, Plan: plan})
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := r.WriteOverlay(work)
	if err != nil {
		t.Fatal(err)
	}
	p := program{binary: filepath.Join(work, "program")}
	if p.header, err = r.Header.Encode(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-overlay", overlay, "-o", p.binary, ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return p
}

// run runs a program with noise and checks its trace.
func (p program) run(t *testing.T, seed int) *dynamic.Report {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "trace"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Write(p.header); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	cmd := exec.CommandContext(ctx, p.binary)
	cmd.ExtraFiles = []*os.File{file}
	cmd.Env = append(os.Environ(), hook.EnvTrace+"=3", fmt.Sprintf("%s=%d", hook.EnvNoise, seed))
	cmd.Run() // some of the programs panic
	text, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	r, err := dynamic.Check(ctx, bytes.NewReader(text), dynamic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

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
				plan := planOf(t, name)
				if os.Getenv("EMPIRE_SHOW") != "" {
					text, _ := plan.Encode()
					t.Logf("%s", text)
				}
				p := build(t, plan, "../testdata/"+name)
				seen, runs := 0, 600 // on a busy machine the schedule that is wanted is rare
				if fixed {
					runs = 10
				}
				for seed := range runs {
					r := p.run(t, seed+1)
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

// planOf returns what the session would watch of a program.
func planOf(t *testing.T, name string) *watch.Plan {
	t.Helper()
	ctx := context.Background()
	session, err := empire.Open(ctx, empire.Request{Dir: "../testdata/" + name})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := session.Watch(ctx, empire.Request{})
	if nothing := new(empire.InputError); errors.As(err, &nothing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return plan
}
