// Package analyzer is empire-go as an analysis of golang.org/x/tools/go/analysis, for what runs such: it tells, for
// each package, what clients of it can break, one finding for each cause that can do harm, with the interleaving as
// related information. What comments and the baseline of the module accept it does not tell. What a program does with
// several packages is seen by empire-go check alone.
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
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/go/analysis"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/integrations/internal/finding"
)

// Analyzer is the analysis.
var Analyzer = newAnalyzer(true)

// Plain is the analysis without the interleavings, for what makes a finding of each related information.
var Plain = newAnalyzer(false)

func newAnalyzer(withRelated bool) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "empire",
		Doc:  "find interleavings of goroutines that break fields that belong together",
		URL:  "https://github.com/empire-go/empire-go",
		Run:  func(pass *analysis.Pass) (any, error) { return nil, run(pass, withRelated) },
	}
}

func run(pass *analysis.Pass, withRelated bool) error {
	pkg := pass.Pkg.Path()
	if len(pass.Files) == 0 || pass.Pkg.Name() == "main" || strings.HasSuffix(pkg, "_test") ||
		strings.HasSuffix(pkg, ".test") || strings.Contains(pkg, " [") {
		return nil // programs are for empire-go check, and with its tests a package comes a second time
	}
	budget, err := time.ParseDuration(cmp.Or(os.Getenv("EMPIRE_BUDGET"), "20s"))
	if err != nil {
		return fmt.Errorf("EMPIRE_BUDGET: %w", err)
	}
	dir := filepath.Dir(pass.Fset.Position(pass.Files[0].FileStart).Filename)
	r, err := empire.Run(context.Background(), empire.Request{Dir: dir, Packages: []string{"."}, Harm: true,
		Budget: budget})
	if input := new(empire.InputError); errors.As(err, &input) {
		return nil // there is nothing to check, or what is wrong the compiler says
	}
	if err != nil {
		return err
	}
	all, err := finding.Of(r)
	for _, f := range all {
		if f.Severity == finding.Harm {
			tell(pass, r, f, withRelated)
		}
	}
	return err
}

// tell reports a finding at its first event that is in the package.
func tell(pass *analysis.Pass, r *empire.Result, f finding.Finding, withRelated bool) {
	d := analysis.Diagnostic{Category: f.Name}
	var events []string
	for _, s := range f.Steps {
		if s.Event > 0 {
			file, line, _ := strings.Cut(path.Base(s.Pos), ":")
			line, _, _ = strings.Cut(line, ":")
			events = append(events, fmt.Sprintf("(%d) %s:%s", s.Event, file, line))
		}
		at := positionIn(pass, r.ModuleRootDir, s.Pos)
		if !at.IsValid() {
			continue
		}
		if s.Event > 0 {
			d.Pos = cmp.Or(d.Pos, at)
		}
		if withRelated {
			d.Related = append(d.Related, analysis.RelatedInformation{Pos: at, Message: s.Text})
		}
	}
	d.Pos = cmp.Or(d.Pos, pass.Files[0].Package)
	d.Message = fmt.Sprintf("%s; %s (id %s; empire-go check tells how)", f.Text, strings.Join(events, ", "), f.ID)
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
