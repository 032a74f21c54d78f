package blocking_test

import (
	"flag"
	"go/token"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/ssa"

	search "github.com/empire-go/empire-go/checker/blocking"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/blocking"
	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/load"
)

var dir = flag.String("dir", "", "a program to print the model of")

func TestOne(t *testing.T) {
	if *dir == "" {
		t.Skip()
	}
	path, _ := filepath.Abs(*dir)
	p, err := load.Load(t.Context(), load.Config{Dir: path, Patterns: []string{"."}})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range harness.Mains(p) {
		m, err := blocking.Lower(t.Context(), blocking.Config{Roots: e.Roots(),
			Position:   func(i ssa.Instruction) esl.Pos { return p.Position(i.Pos()) },
			PositionOf: func(i token.Pos) esl.Pos { return p.Position(i) },
			IsFollowed: func(fn *ssa.Function) bool { return fn.Pkg != nil && p.InModule(fn.Pkg.Pkg.Path()) || fn.Pkg == nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		esl.Print(os.Stdout, m.Program)
		t.Log(m.Guesses)
		r, err := search.Search(t.Context(), m.Program, search.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(r.Complete, r.Reason, r.States)
		for _, f := range r.Findings {
			t.Log(f.Class)
			for _, w := range f.Waits {
				t.Log("  ", m.Program.Processes[w.Process].Name, w.At[0].Op, w.At[0].Pos, w.For)
			}
			for _, w := range f.Also {
				t.Log("  also", m.Program.Processes[w.Process].Name, w.At[0].Op, w.At[0].Pos, w.For)
			}
		}
	}
}
