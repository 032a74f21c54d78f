package notes_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/notes"
)

var update = flag.Bool("update", false, "write what becomes of the models into testdata")

// passes are the ways to rewrite a model, by the words with which a case begins: those that need
// no marks which the language has no words for.
var passes = map[string]func(p *esl.Program) *esl.Program{
	"settle channels": func(p *esl.Program) *esl.Program {
		var channels, signals []int
		for i := range p.Channels {
			channels = append(channels, i)
		}
		for i := range p.Flags {
			signals = append(signals, i)
		}
		notes.SettleChannels(p, channels, signals)
		return p
	},
	"settle passed locks": func(p *esl.Program) *esl.Program { notes.SettlePassedLocks(p, nil); return p },
	"settle tokens": func(p *esl.Program) *esl.Program { // each channel has tokens of one object
		var tokens []notes.Token
		for i := range p.Channels {
			tokens = append(tokens, notes.Token{Channel: i})
		}
		notes.SettleTokens(p, tokens)
		return p
	},
	"add setters": func(p *esl.Program) *esl.Program {
		values := map[int]bool{}
		for i := range p.Flags {
			values[i] = true
		}
		notes.AddSetters(p, values)
		return p
	},
	"without output": notes.WithoutOutput,
	"output once":    notes.OutputOnce,
	"with passing":   notes.WithPassing,
	"library steps": func(p *esl.Program) *esl.Program { // what guards itself is called part
		steps, _ := notes.LibrarySteps(p, func(location int) bool { return p.Locations[location].Name == "part" })
		return steps
	},
	"without removals": func(p *esl.Program) *esl.Program { // the accesses in lines of file removed.go
		removals := map[esl.Pos]bool{}
		for _, f := range p.Functions {
			for _, st := range f.Body {
				removals[st.Pos] = st.Pos.File == "removed.go"
			}
		}
		without, _ := notes.WithoutRemovals(p, removals)
		return without
	},
}

// TestPasses shows what becomes of the models in testdata/*.txtar, each of which begins with the
// name of a pass and holds before.esl and after.esl.
func TestPasses(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	tried := map[string]bool{}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil || len(archive.Files) != 2 {
			t.Fatalf("%s: %v; want before.esl and after.esl", path, err)
		}
		name, _, _ := strings.Cut(string(archive.Comment), ":")
		if passes[name] == nil {
			t.Fatalf("%s: there is no pass %q", path, name)
		}
		tried[name] = true
		p, err := esl.Parse(path, archive.Files[0].Data)
		if err != nil {
			t.Fatal(err)
		}
		q := passes[name](p)
		if err := esl.Validate(q); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		var got strings.Builder
		if err := esl.Print(&got, q); err != nil {
			t.Fatal(err)
		}
		if want := string(archive.Files[1].Data); got.String() != want {
			if !*update {
				t.Errorf("%s: -update accepts\n%s", path, cmp.Diff(want, got.String()))
				continue
			}
			archive.Files[1].Data = []byte(got.String())
			if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name := range passes {
		if !tried[name] {
			t.Errorf("there is no case that begins with %q", name)
		}
	}
}
