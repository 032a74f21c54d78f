// Package analyzer is empire-go as an analysis of golang.org/x/tools/go/analysis, for what runs such: it tells, for
// each package, what clients of it can break, one finding for each cause that can do harm, with the interleaving as
// related information. What a program does with several packages is seen by empire-go check alone.
//
// EMPIRE_BUDGET is the budget of work for each package, 20s if it is not set.
package analyzer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/go/analysis"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/report"
)

// Analyzer is the analysis.
var Analyzer = &analysis.Analyzer{
	Name: "empire",
	Doc:  "find interleavings of goroutines that break fields that belong together",
	URL:  "https://github.com/empire-go/empire-go",
	Run:  run,
}

func run(pass *analysis.Pass) (any, error) {
	path := pass.Pkg.Path()
	if len(pass.Files) == 0 || pass.Pkg.Name() == "main" || strings.HasSuffix(path, "_test") ||
		strings.HasSuffix(path, ".test") || strings.Contains(path, " [") {
		return nil, nil // programs are for empire-go check, and with its tests a package comes a second time
	}
	budget, err := time.ParseDuration(cmp.Or(os.Getenv("EMPIRE_BUDGET"), "20s"))
	if err != nil {
		return nil, fmt.Errorf("EMPIRE_BUDGET: %w", err)
	}
	dir := filepath.Dir(pass.Fset.Position(pass.Files[0].FileStart).Filename)
	r, err := empire.Run(context.Background(), empire.Request{Dir: dir, Packages: []string{"."}, Harm: true,
		Budget: budget})
	if input := new(empire.InputError); errors.As(err, &input) {
		return nil, nil // there is nothing to check, or what is wrong the compiler says
	}
	if err != nil {
		return nil, err
	}
	report.SetCauses(r)
	for _, c := range r.Causes {
		if c.Level == "note" || c.Harm != empire.HarmSeen && c.Harm != empire.HarmPossible {
			continue
		}
		for i := range r.Queries {
			for _, v := range r.Queries[i].Violations() {
				if v.ID == c.Shown {
					tell(pass, r, v)
				}
			}
		}
	}
	return nil, nil
}

// tell reports a violation at its first event that is in the package.
func tell(pass *analysis.Pass, r *empire.Result, v *empire.ScenarioResult) {
	d := analysis.Diagnostic{Category: v.Name, Message: fmt.Sprintf("%s: %s, on %s: %s (id %s; empire-go check tells how)",
		v.Name, strings.Join(v.Units, " and "), strings.Join(v.Locations, " and "), v.Harm.Actual, v.ID)}
	for _, s := range v.Counterexample {
		at := positionIn(pass, r.ModuleRootDir, s.Pos)
		if !at.IsValid() {
			continue
		}
		text := s.Goroutine + ": " + s.Action + " " + cmp.Or(s.Location, s.Lock, s.Channel, s.Unit, s.Target)
		if s.Event > 0 {
			text = fmt.Sprintf("(%d) %s", s.Event, text)
			d.Pos = cmp.Or(d.Pos, at)
		}
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: at, Message: text})
	}
	d.Pos = cmp.Or(d.Pos, pass.Files[0].Package)
	pass.Report(d)
}

// positionIn finds a position of a result, as file:line:column, in the files of the package.
func positionIn(pass *analysis.Pass, root, pos string) token.Pos {
	words := strings.Split(pos, ":")
	if len(words) < 2 {
		return token.NoPos
	}
	line, err := strconv.Atoi(words[1])
	name := filepath.Join(root, filepath.FromSlash(words[0]))
	i := slices.IndexFunc(pass.Files, func(f *ast.File) bool {
		return pass.Fset.Position(f.FileStart).Filename == name
	})
	if err != nil || i < 0 {
		return token.NoPos
	}
	file := pass.Fset.File(pass.Files[i].FileStart)
	if line < 1 || line > file.LineCount() {
		return token.NoPos
	}
	at := file.LineStart(line)
	if column := 0; len(words) > 2 {
		if column, err = strconv.Atoi(words[2]); err == nil && column > 0 {
			at += token.Pos(column - 1)
		}
	}
	return at
}
