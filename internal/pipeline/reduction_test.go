package pipeline

import (
	"context"
	"errors"
	"go/ast"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/lower"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/internal/sample"
	"github.com/empire-go/empire-go/scenarios"
)

// TestReductionKeepsVerdicts answers the first query of case files with and without
// model reduction (Empire report, theorem 1): the verdicts must be the same. With
// EMPIRE_LONG set it takes every case, else one of forty. A whole program of which the
// model is not decided in wholeLimit says nothing; there may be few of those.
func TestReductionKeepsVerdicts(t *testing.T) {
	compared, left := 0, 0
	forCases(t, 40, func(t *testing.T, a *analysis, site *isolate.Isolation) {
		reduced, _ := verdictsOf(t, a, site, reduce.Options{})
		whole, ok := verdictsOf(t, a, site, reduce.Options{All: true})
		if !ok {
			left++
			t.Skip("the whole program is not decided in time")
		}
		compared++
		if !slices.Equal(reduced, whole) {
			t.Errorf("reduced: %v\nwhole:   %v", reduced, whole)
		}
	})
	t.Logf("%d compared, %d not decided as a whole", compared, left)
	if left > compared/10 {
		t.Errorf("only %d of %d are decided as a whole", compared, compared+left)
	}
}

// wholeLimit is how long a query about a program that is not reduced may take.
const wholeLimit = 20 * time.Second

// firstQuery prepares the first query of a case file.
func firstQuery(t *testing.T, file string) (*analysis, *isolate.Isolation) {
	a, site := firstSite(t, file, false)
	stars, err := isolate.Isolate(t.Context(), a.program, a.graph, a.often, a.subject, site, a.unitFor)
	if err != nil {
		t.Fatal(err)
	}
	return a, stars
}

// firstSite is what the first query of a case file is about, which is asked by way of outlines if it says so.
func firstSite(t *testing.T, file string, outlines bool) (*analysis, query.Site) {
	requests, programs := RequestsOf(t, file)
	r := requests[0]
	r.outlines = outlines
	if err := r.Normalize(); err != nil {
		t.Fatal(err)
	}
	all, err := analyses(t.Context(), r, programs[0], planNamed(r), &runner{})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Skip("nothing is asked")
	}
	sites, err := all[0].sites()
	if err != nil {
		t.Fatal(err)
	}
	return all[0], sites[0]
}

// forCases runs a test about the first query of each case file; without EMPIRE_LONG, of one in so many.
func forCases(t *testing.T, one uint32, test func(t *testing.T, a *analysis, site *isolate.Isolation)) {
	files, err := filepath.Glob(ownCases)
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	for _, file := range files {
		if !sample.Has(t.Name(), file, one) {
			continue
		}
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			a, site := firstQuery(t, file)
			test(t, a, site)
		})
	}
}

// TestLooseModels answers the first query of case files with all functions made passages, or not
// followed, that can be: each violation has to be found all the same. With EMPIRE_LONG set it takes
// every case, else one of twenty.
func TestLooseModels(t *testing.T) {
	forCases(t, 20, func(t *testing.T, a *analysis, site *isolate.Isolation) {
		reduced, _ := verdictsOf(t, a, site, reduce.Options{})
		ordered := a.isOrdered()
		own := func(fn *ssa.Function) bool { return ordered(fn) || hasDirective(fn) }
		all := func(fn *ssa.Function) bool { return true }
		for name, o := range map[string]reduce.Options{
			"with passages": {Own: own, Passages: true}, "not followed": {Own: own}, "both": {Own: own, Passages: true},
			"outline": {Own: all, Passages: true, Outline: ordered}} {
			rough, _ := looseVerdictsOf(t, a, site, o, name == "not followed" || name == "both")
			for i, v := range rough {
				if i < len(reduced) && reduced[i] == VerdictViolation && v == VerdictSafe || len(rough) < len(reduced) {
					t.Errorf("as it is: %v\n%s: %v", reduced, name, rough)
					break
				}
			}
		}
	})
}

// TestForgetfulModels answers the first query of case files with models in which it is not known what values are, but
// for the first state at each instruction: where there was a violation there still is one. With EMPIRE_LONG set it
// takes every case, else one of twenty.
func TestForgetfulModels(t *testing.T) {
	forCases(t, 20, func(t *testing.T, a *analysis, site *isolate.Isolation) {
		exact, _ := verdictsOf(t, a, site, reduce.Options{})
		rough, ok := modelVerdictsOf(t, a, site, reduce.Options{}, lower.Config{States: 1})
		if ok && slices.Contains(exact[:len(exact)-1], VerdictViolation) && !slices.Contains(rough, VerdictViolation) {
			t.Errorf("as it is: %v\nforgetful: %v", exact, rough)
		}
	})
}

// hasDirective tells whether a comment says that the function is a unit of work, or none.
func hasDirective(fn *ssa.Function) bool {
	decl, ok := fn.Syntax().(*ast.FuncDecl)
	return ok && decl.Doc != nil && slices.ContainsFunc(decl.Doc.List, func(line *ast.Comment) bool {
		return strings.HasPrefix(line.Text, "//empire:")
	})
}

// verdictsOf returns the verdict on each scenario and, at the end, whether there is
// a data race. ok is false if a whole program is not decided in wholeLimit.
func verdictsOf(t *testing.T, a *analysis, stars *isolate.Isolation, o reduce.Options) (verdicts []string, ok bool) {
	return looseVerdictsOf(t, a, stars, o, false)
}

// looseVerdictsOf is verdictsOf, where nothing is followed that need not be if it says so.
func looseVerdictsOf(t *testing.T, a *analysis, stars *isolate.Isolation, o reduce.Options, coarse bool) (
	verdicts []string, ok bool) {
	config := lower.Config{}
	if coarse {
		config.Coarse = map[*pointsto.Node]bool{}
	}
	return modelVerdictsOf(t, a, stars, o, config)
}

// modelVerdictsOf is verdictsOf with what the configuration says of the model. If Coarse is not nil nothing is followed
// that need not be.
func modelVerdictsOf(t *testing.T, a *analysis, stars *isolate.Isolation, o reduce.Options, config lower.Config) (
	verdicts []string, ok bool) {
	coarse := config.Coarse != nil
	ctx, whole := t.Context(), o.All || o.Passages || coarse || config.States != 0
	if whole {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, wholeLimit)
		defer cancel()
	}
	kept, err := reduce.Reduce(ctx, a.graph, a.often, stars, o)
	if err != nil {
		t.Fatal(err)
	}
	config.Program, config.Graph, config.Multiplicity, config.Stars = a.program, a.graph, a.often, stars
	config.Kept, config.UnitFor, config.Copies = kept, a.unitFor, a.request.Copies
	if coarse {
		config.Coarse = kept.Coarse
	}
	lowered, err := lower.Lower(ctx, config)
	if err == nil {
		lowered, err = simplified(ctx, lowered)
	}
	if err == nil && o.Outline != nil {
		lowered, err = simplified(ctx, withOneProcess(lowered))
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, lower.ErrTooLarge) && whole {
		return nil, false
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := esl.Validate(lowered.Program); err != nil {
		t.Fatal(err)
	}
	found, err := checker.Check(ctx, lowered.Program,
		checker.Options{Scenarios: scenarios.Table, Engine: NewEngine("refine")})
	if err != nil {
		t.Fatal(err)
	}
	q := Describe(lowered.Program, lowered, found)
	for _, s := range q.Scenarios {
		verdicts = append(verdicts, s.Verdict)
	}
	if q.DataRace {
		verdicts = append(verdicts, "data race")
	}
	return verdicts, !whole || !slices.Contains(verdicts, VerdictUnknown)
}
