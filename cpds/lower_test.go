package cpds_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/random"
	"github.com/empire-go/empire-go/scenarios"
)

var update = flag.Bool("update", false, "write what is found into testdata")

// TestLower compares the systems of example programs with what is expected. The
// file model lists the notes, and each system with its components; the file system,
// if there is one, is the first system in full.
func TestLower(t *testing.T) {
	files, err := filepath.Glob("testdata/lower/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) { lowerFile(t, name) })
	}
}

func lowerFile(t *testing.T, name string) {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	m := lower(t, a.Files[0].Data)
	systems := systemsOf(m)
	for i := range a.Files {
		f := &a.Files[i]
		var got string
		switch f.Name {
		case "model":
			got = summary(m, systems)
		case "system":
			got = printed(t, systems[0])
		default:
			continue
		}
		if diff := cmp.Diff(string(f.Data), got); diff != "" && !*update {
			t.Errorf("%s: -want +got\n%s", f.Name, diff)
		}
		f.Data = []byte(got)
	}
	if *update {
		if err := os.WriteFile(name, txtar.Format(a), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func lower(t *testing.T, src []byte) *cpds.Model {
	t.Helper()
	p, err := esl.Parse("in.esl", src)
	if err == nil {
		err = esl.Validate(p)
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := cpds.Lower(p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func summary(m *cpds.Model, systems []*cpds.System) string {
	var b strings.Builder
	for _, n := range m.Notes {
		fmt.Fprintln(&b, "note:", n)
	}
	for _, s := range systems {
		var names []string
		for _, c := range s.Components {
			names = append(names, fmt.Sprintf("%s(%d)", c.Name, len(c.Symbols)))
		}
		fmt.Fprintf(&b, "%s: %s\n", s.Name, strings.Join(names, ", "))
	}
	return b.String()
}

// TestLoweredSystems checks of every system of random programs that it is valid,
// that every rule of a thread comes from a statement of that thread, and that every
// visible action concerns two components.
func TestLoweredSystems(t *testing.T) {
	for seed := range uint64(60) {
		m, err := cpds.Lower(random.Program(seed, random.Shape{Recursion: 0.3}))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range systemsOf(m) {
			if err := cpds.Validate(s); err != nil {
				t.Fatalf("seed %d, %s: %v", seed, s.Name, err)
			}
			parts := make([]int, len(s.Actions))
			for _, c := range s.Components {
				for _, a := range c.Alphabet {
					parts[a]++
				}
				checkOrigins(t, m, c)
			}
			if i := slices.IndexFunc(parts, func(n int) bool { return n < 2 }); i >= 0 {
				t.Errorf("seed %d, %s: %s concerns %d components", seed, s.Name, s.Actions[i], parts[i])
			}
		}
	}
}

func checkOrigins(t *testing.T, m *cpds.Model, c *cpds.Component) {
	t.Helper()
	for _, r := range c.Rules {
		if r.Origin < 0 {
			if c.Kind == cpds.Thread && c.Symbols[r.Top] != "wait" {
				t.Errorf("%s: a rule of %s comes from nothing", c.Name, c.Symbols[r.Top])
			}
			continue
		}
		step := m.Steps(r)[0]
		at := fmt.Sprintf(":%d", step.Index)
		if f := m.Program.Functions[step.Function]; !strings.HasPrefix(c.Symbols[r.Top], f.Name) ||
			!strings.Contains(c.Symbols[r.Top], at) {
			t.Errorf("%s: a rule of %s comes from %s%s", c.Name, c.Symbols[r.Top], f.Name, at)
		}
	}
}

// TestFewSystems: the number of systems is that of guesses, not of patterns.
func TestFewSystems(t *testing.T) {
	src, err := os.ReadFile("../testdata/esl/vector-addall.esl")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(lower(t, src).Guesses(scenarios.Table)); n != 4 {
		t.Errorf("%d guesses", n)
	}
}
