package pipeline

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/limit"
)

// What to do about a query that has no answer: allow more, or ask less. What is asked less is the
// first of these that the query does not do already: one set of fields, in the package of the type
// alone; two of the fields; one scenario.

// advise adds to the reasons of what is unknown what to do about it.
func (q *asking) advise() {
	a, less := q.analysis, ""
	if smaller := a.smaller(q.answer); smaller != "" {
		less = "ask less: " + smaller
	}
	add := func(reason *string) {
		what, more, isLimit := strings.Cut(*reason, "; "+allowMore)
		switch {
		case !isLimit && *reason != noTurn && !q.tooLarge:
			return
		case !isLimit && *reason != noTurn:
			more = ""
		case a.runner.budget != nil && (*reason == noTurn || more == limit.ErrBudget.Flag):
			more = allowMore + limit.ErrBudget.Flag + " " + inMinutes(2*a.runner.budget.whole.Duration())
		default:
			more = allowMore + more
		}
		todo := slices.DeleteFunc([]string{more, less}, func(s string) bool { return s == "" })
		if len(todo) > 0 {
			*reason = what + "; " + strings.Join(todo, ", or ")
		}
	}
	if q.answer.Verdict == VerdictUnknown {
		add(&q.answer.Reason)
	}
	for i := range q.answer.Scenarios {
		s := &q.answer.Scenarios[i]
		if s.Verdict == VerdictUnknown {
			add(&s.Reason)
		}
		if s.Harm != nil && s.Harm.Status == HarmUnknown {
			add(&s.Harm.Reason)
		}
	}
	for i := range q.answer.Races {
		if h := q.answer.Races[i].Harm; h != nil && h.Status == HarmUnknown {
			add(&h.Reason)
		}
	}
}

// nameClients says of a program in which units do not meet, as a server without a network, that clients of the package
// of the type can be asked about in its place, where they can.
func (q *asking) nameClients() {
	a := q.analysis
	if a.entry.IsLibrary() || a.ownPackage() == "" || !a.subject.Type.Obj().Exported() {
		return
	}
	command := a.smaller(q.answer)
	name := func(h *Harm) {
		if h == nil || command == "" {
			return
		}
		if what, ok := strings.CutSuffix(h.Reason, execute.InItsPlace); ok {
			h.Reason = what + "clients of its package may show it: " + command
		}
	}
	for _, v := range q.answer.Violations() {
		name(v.Harm)
	}
	for _, race := range q.answer.Races {
		name(race.Harm)
	}
}

// smaller returns a command that asks for less than the query; "" if there is none that is evident.
func (a *analysis) smaller(q QueryResult) string {
	r, s := a.request, a.subject
	isNamed, own := len(r.Fields)+len(r.Vars) > 0, a.ownPackage()
	fields, packages, scenario := s.Fields, r.Packages, ""
	if own != "" {
		packages = []string{own}
	}
	switch {
	case len(fields) == 0:
		return ""
	case !isNamed || !slices.Equal(packages, r.Packages):
	case len(fields) > 2:
		fields = fields[:2]
	case len(r.Scenarios) > 1 && scenario == "":
		i := slices.IndexFunc(q.Scenarios, func(s ScenarioResult) bool { return s.Verdict == VerdictUnknown })
		if i < 0 {
			return ""
		}
		scenario = fmt.Sprint(q.Scenarios[i].Scenario)
	default:
		return ""
	}
	words := []string{Name, "check"}
	if s.Type == nil {
		words = append(words, "--vars", strings.Join(fields, ","))
	} else {
		words = append(words, "--type", shortType(a.program, s.Name(), s.Fields), "--fields", strings.Join(fields, ","))
	}
	for _, flag := range [][2]string{{"--scenario", scenario}, {"--tags", r.Tags}} {
		if flag[1] != "" {
			words = append(words, flag[0], flag[1])
		}
	}
	if r.Tests {
		words = append(words, "--tests")
	}
	return strings.Join(append(words, packages...), " ")
}

// ownPackage returns the pattern for the package of the type: its clients are a smaller program than
// what imports it. It is "" if the package is a program, or not of the module.
func (a *analysis) ownPackage() string {
	if a.subject.Type == nil {
		return ""
	}
	pkg := a.subject.Type.Obj().Pkg()
	if pkg.Name() == "main" {
		return ""
	}
	return packagePattern(a.request, a.program, pkg.Path())
}

// packagePattern returns the pattern for a package, from the directory of the request; "" if it is not of
// the module.
func packagePattern(r Request, program *load.Program, path string) string {
	rest, ok := strings.CutPrefix(path, program.Module)
	if !ok || rest != "" && rest[0] != '/' {
		return ""
	}
	from, err := filepath.Abs(r.Dir)
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(from, filepath.Join(program.ModuleDir, filepath.FromSlash(rest)))
	switch {
	case err != nil:
		return ""
	case rel == "." || strings.HasPrefix(rel, ".."):
		return filepath.ToSlash(rel)
	}
	return "./" + filepath.ToSlash(rel)
}

// inMinutes writes a duration as one would: 4m, not 4m0s.
func inMinutes(d time.Duration) string {
	text := d.Round(time.Second).String()
	if rest, ok := strings.CutSuffix(text, "m0s"); ok {
		return rest + "m"
	}
	return text
}
