package cpds_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/tools/txtar"

	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/esl/random"
	"github.com/empire-go/empire-go/scenarios"
)

func archive(t testing.TB, name string) []txtar.File {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return a.Files
}

func printed(t testing.TB, s *cpds.System) string {
	t.Helper()
	var b bytes.Buffer
	if err := cpds.Print(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRoundTrip(t *testing.T) {
	for _, f := range archive(t, "round.txtar") {
		s, err := cpds.Parse(f.Name, f.Data)
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(string(f.Data), printed(t, s)); diff != "" {
			t.Errorf("%s: -text +printed\n%s", f.Name, diff)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, f := range archive(t, "errors.txtar") {
		first, _, _ := strings.Cut(string(f.Data), "\n")
		want := strings.TrimPrefix(first, "// ")
		if _, err := cpds.Parse(f.Name, f.Data); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// same compares systems but for the origins of rules, which text does not have.
func same(a, b *cpds.System) string {
	return cmp.Diff(a, b, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(cpds.Rule{}, "Origin"))
}

// TestLoweredRoundTrip reads back every system of some random programs.
func TestLoweredRoundTrip(t *testing.T) {
	systems := 0
	for seed := range uint64(12) {
		m, err := cpds.Lower(random.Program(seed, random.Shape{Recursion: 0.3}))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range systemsOf(m) {
			systems++
			back, err := cpds.Parse("printed", []byte(printed(t, s)))
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, printed(t, s))
			}
			if diff := same(s, back); diff != "" {
				t.Fatalf("seed %d: -lowered +parsed\n%s", seed, diff)
			}
		}
	}
	if systems < 100 {
		t.Errorf("only %d systems", systems)
	}
}

// systemsOf returns all systems of a model.
func systemsOf(m *cpds.Model) []*cpds.System {
	var all []*cpds.System
	for _, g := range m.Guesses(scenarios.Table) {
		all = append(all, m.System(g, scenarios.Table))
	}
	for _, g := range m.RaceGuesses() {
		all = append(all, m.RaceSystem(g, m.Whole(g.A, g.B)))
	}
	return all
}

// FuzzParse: what parses is valid, and prints as a text that parses to the same.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"round.txtar", "errors.txtar"} {
		for _, file := range archive(f, name) {
			f.Add(file.Data)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		s, err := cpds.Parse("fuzz", src)
		if err != nil {
			return
		}
		text := printed(t, s)
		back, err := cpds.Parse("printed", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if diff := same(s, back); diff != "" {
			t.Fatalf("%s\n%s", diff, text)
		}
	})
}

func FuzzParseGrammars(f *testing.F) {
	f.Add("; comment\n( S -> [ \"a\" B \"c\", [], \"d\" ]; ; more\n B -> [ S S S ] )\n(S->[\"a\"])")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := cpds.ParseGrammars("fuzz.cfg", []byte(text))
		if err == nil {
			err = cpds.Validate(s)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "fuzz.cfg:") {
			t.Error(err)
		}
	})
}
