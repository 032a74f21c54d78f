package runs

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/empire-go/empire-go/cmd/empire-go/command"
	"github.com/empire-go/empire-go/internal/sample"
)

// TestCooperable runs the programs of testdata/cooperable until each function that is not atomic, or has accesses that
// race, was found, some times at most, and those without one some times. Nothing else may be found. Without
// EMPIRE_LONG it takes some of the programs.
func TestCooperable(t *testing.T) {
	const root, most, fixed = "../../../testdata/cooperable", 8, 3
	cases, err := filepath.Glob(root + "/*/case.yaml")
	if err != nil || len(cases) == 0 {
		t.Fatal(cases, err)
	}
	for _, file := range cases {
		dir := filepath.Dir(file)
		if !sample.Has(t.Name(), filepath.Base(dir), 5) {
			continue
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var want struct {
				NotAtomic []string `yaml:"notAtomic"`
				Races     []string // functions in which accesses race
				Args      []string // of a run that is recorded, for a size that takes seconds
			}
			text, err := os.ReadFile(file)
			if err == nil {
				err = yaml.Unmarshal(text, &want)
			}
			if err != nil {
				t.Fatal(err)
			}
			runs, missing, racing := fixed, slices.Clone(want.NotAtomic), slices.Clone(want.Races)
			if len(missing)+len(racing) > 0 {
				runs = most
			}
			for seed := 1; seed <= runs; seed++ {
				found, races := notAtomic(t, dir, seed, want.Args)
				for _, functions := range found {
					isWanted := func(f string) bool { return slices.Contains(want.NotAtomic, f) }
					if !slices.ContainsFunc(functions, isWanted) {
						t.Errorf("seed %d: %q are not atomic", seed, functions)
					}
					missing = slices.DeleteFunc(missing, func(f string) bool { return slices.Contains(functions, f) })
				}
				for _, f := range races {
					if !slices.Contains(want.Races, f) {
						t.Errorf("seed %d: accesses in %s race", seed, f)
					}
				}
				racing = slices.DeleteFunc(racing, func(f string) bool { return slices.Contains(races, f) })
				if len(missing)+len(racing) == 0 && len(want.NotAtomic)+len(want.Races) > 0 {
					return
				}
			}
			if len(missing)+len(racing) > 0 {
				t.Errorf("not found: %q are not atomic, accesses in %q race", missing, racing)
			}
		})
	}
}

// TestValues runs the programs of testdata/cooperable as they are, at their real size: the kernels of the Java Grande
// suite end with status 1 if they do not compute what the suite publishes.
func TestValues(t *testing.T) {
	programs, err := filepath.Glob("../../../testdata/cooperable/*/main.go")
	if err != nil || len(programs) == 0 {
		t.Fatal(programs, err)
	}
	for _, file := range programs {
		dir, binary := filepath.Dir(file), filepath.Join(t.TempDir(), "program")
		out, err := exec.Command("go", "build", "-o", binary, "./"+dir).CombinedOutput()
		if err == nil {
			out, err = exec.Command(binary).CombinedOutput()
		}
		if err != nil {
			t.Errorf("%s: %v: %s", dir, err, out)
		}
	}
}

// notAtomic runs a program, and returns the functions that are not atomic because of each yield that is missing, and
// those in which accesses race.
func notAtomic(t *testing.T, dir string, seed int, args []string) (all [][]string, racing []string) {
	t.Helper()
	report := filepath.Join(t.TempDir(), "report.json")
	var out, errs strings.Builder
	command.Run(append([]string{"run", "--cooperable", "--seed", strconv.Itoa(seed), "--format", "json", "--report",
		report, dir}, args...), &out, &errs)
	var result struct {
		Traces []struct {
			Places []struct {
				Pos       string
				NotAtomic []string
			}
			Races []struct{ First, Second struct{ Function string } }
		}
	}
	text, err := os.ReadFile(report)
	if err == nil {
		err = json.Unmarshal(text, &result)
	}
	if err != nil || len(result.Traces) != 1 {
		t.Fatalf("%v: %s", err, errs.String())
	}
	for _, p := range result.Traces[0].Places {
		all = append(all, append(p.NotAtomic, p.Pos))
	}
	for _, r := range result.Traces[0].Races {
		racing = append(racing, r.First.Function, r.Second.Function)
	}
	return all, racing
}
