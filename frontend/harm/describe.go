package harm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/empire-go/empire-go/frontend/execute"
)

// maxPaths bounds the differences that are named.
const maxPaths = 3

// finding describes a run.
func (e *encounter) finding(shown *execute.Shown) *Finding {
	f := e.begun(shown)
	l := e.library
	shownBy := [2][]string{l.shownBy(e.steps[0]), l.shownBy(e.steps[1])}
	f.describe(describer{l.program, namesOf(f.Calls), shownBy}, shown, e.orders)
	return f
}

// begun says how a run begins, and how its goroutines go on.
func (e *encounter) begun(shown *execute.Shown) *Finding {
	l, s := e.library, e.start
	f := &Finding{Schedule: shown.Went, Scenarios: shown.Scenarios, Meets: shown.Meets}
	if s.maker >= 0 {
		f.add(&f.Start, l.trial.Makers[s.maker].Text, l.trial.Makers[s.maker].Imports)
	}
	for _, text := range l.trial.Uses(append(slices.Clone(s.before), e.steps[:]...)) {
		f.add(&f.Start, text, nil)
	}
	for _, step := range s.before {
		text, imports := l.textOf(step)
		f.add(&f.Start, text, imports)
	}
	for _, step := range e.steps {
		text, imports := l.textOf(step)
		f.add(&f.Calls, text, imports)
	}
	slices.Sort(f.Imports)
	f.Imports = slices.Compact(f.Imports)
	return f
}

// IsOf tells whether the outcome differs in one of the fields of an object, or package variables, or
// in what the units return or print, or how they end. The object may be a part of what clients make.
func (f *Finding) IsOf(fields []string) bool {
	return slices.ContainsFunc(f.Paths, func(path string) bool {
		if execute.IsResult(path) || path == programEnds {
			return true
		}
		return slices.ContainsFunc(fields, func(field string) bool {
			if _, name, ok := strings.Cut(field, "."); ok && strings.HasPrefix(path, name) { // of a package
				return true
			}
			return leadsThrough(path, field)
		})
	})
}

// leadsThrough tells whether a field is on a path.
func leadsThrough(path, field string) bool {
	for from := 0; ; {
		i := strings.Index(path[from:], field)
		if i < 0 {
			return false
		}
		begin, end := from+i, from+i+len(field)
		if (begin == 0 || path[begin-1] == '.') && (end == len(path) || path[end] == '.' || path[end] == '[') {
			return true
		}
		from = begin + 1
	}
}

// describe says in words how a run differs from each order.
func (f *Finding) describe(d describer, shown *execute.Shown, orders []*execute.Shown) {
	all := d.completed(shown.Lines, orders[0].Lines, orders[1].Lines)
	is, expected := all[0], all[1:]
	paths := differing(is, expected)
	f.Paths = paths
	f.Observed = slices.ContainsFunc(paths, func(path string) bool {
		return execute.IsResult(path) || path == programEnds
	})
	if i := slices.IndexFunc(paths, func(path string) bool { return isEnd(is[path]) }); i >= 0 {
		paths = paths[i : i+1] // what else it has not done follows
	}
	paths = telling(paths, is, expected)
	for i, texts := range expected {
		f.Expected = append(f.Expected, fmt.Sprintf("%s first: %s", d.names[i], d.inWords(texts, paths)))
	}
	f.Actual = d.inWords(is, paths)
}

// shownBy returns what the results of a step are.
func (l *Library) shownBy(step int) []string {
	if step == timePasses {
		return nil
	}
	return l.trial.Steps[step].Shown
}

// isEnd tells whether a call has not returned as it should.
func isEnd(text string) bool {
	for _, end := range []string{"does not return", "panic", "ends"} {
		if strings.HasPrefix(text, end) {
			return true
		}
	}
	return false
}

// namesOf returns short names of two calls.
func namesOf(calls []string) [2]string {
	short := func(call string) string {
		if call == timePassing {
			return "time"
		}
		name, _, _ := strings.Cut(call, "(")
		return name[strings.LastIndex(name, ".")+1:]
	}
	names := [2]string{short(calls[0]), short(calls[1])}
	switch {
	case names[0] != names[1]:
		return names
	case calls[0] != calls[1]:
		return [2]string{strings.TrimPrefix(calls[0], "o."), strings.TrimPrefix(calls[1], "o.")}
	}
	return [2]string{"the first " + names[0], "the second " + names[1]}
}

// programEnds is the path of how a program ends before its calls have returned.
const programEnds = "the program"

func (f *Finding) add(to *[]string, text string, imports []string) {
	*to = append(*to, text)
	f.Imports = append(f.Imports, imports...)
}

// textsOf returns what is at each path.
func textsOf(lines []execute.Line) map[string]string {
	all := map[string]string{}
	for _, line := range lines {
		if all[line.Path] == "" {
			all[line.Path] = line.Text
		}
	}
	return all
}

// differing returns the paths at which a run is not like some order, those first that tell it
// from all of them, and of these what calls return, and short ones.
func differing(is map[string]string, orders []map[string]string) []string {
	all := map[string]int{} // from how many orders it differs
	for _, order := range orders {
		for path, text := range is {
			if order[path] != text {
				all[path]++
			}
		}
		for path := range order {
			if is[path] == "" {
				all[path]++
			}
		}
	}
	var paths []string
	for path := range all {
		paths = append(paths, path)
	}
	slices.SortFunc(paths, func(a, b string) int {
		return cmp.Or(cmp.Compare(all[b], all[a]), -compareBools(execute.IsResult(a), execute.IsResult(b)),
			cmp.Compare(strings.Count(a, "."), strings.Count(b, ".")), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	return paths
}

// telling returns the first of the paths, and of each order that they do not tell from the run the first one that does.
func telling(paths []string, is map[string]string, orders []map[string]string) []string {
	all := slices.Clone(paths[:min(len(paths), maxPaths)])
	for _, order := range orders {
		differs := func(path string) bool { return is[path] != order[path] }
		if i := slices.IndexFunc(paths, differs); i >= 0 && !slices.ContainsFunc(all, differs) {
			all = append(all, paths[i])
		}
	}
	return all
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// describer puts outcomes of two calls into words.
type describer struct {
	program *execute.Program
	names   [2]string
	shown   [2][]string // see harness.TrialStep
}

// completed returns what is at each path in each of some outcomes, with what one leaves out of package variables that
// another one tells of: they are as at the start there.
func (d describer) completed(outcomes ...[]execute.Line) (all []map[string]string) {
	told := map[string]bool{} // package variables
	for _, lines := range outcomes {
		for name := range variablesOf(lines) {
			told[name] = true
		}
	}
	for _, lines := range outcomes {
		texts, own := textsOf(lines), variablesOf(lines)
		for name := range told {
			if own[name] {
				continue
			}
			for path, text := range textsOf(d.program.AtStart(name)) {
				if texts[path] == "" {
					texts[path] = text
				}
			}
		}
		all = append(all, texts)
	}
	return all
}

// variablesOf returns the names of the package variables that an outcome tells of.
func variablesOf(lines []execute.Line) map[string]bool {
	all := map[string]bool{}
	for _, line := range lines {
		if line.IsVariable {
			all[rootOf(line.Path)] = true
		}
	}
	return all
}

// rootOf returns the name that a path begins with.
func rootOf(path string) string {
	isOther := func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if i := strings.IndexFunc(path, isOther); i > 0 {
		return path[:i]
	}
	return path
}

// inWords says what is at the paths: what a call returns in one clause.
func (d describer) inWords(texts map[string]string, paths []string) string {
	var all []string
	clauses := map[string]int{} // of what a call returns, by its name
	for _, path := range paths {
		text := texts[path]
		name, part, isResult := d.name(path)
		if callee, rest, ok := d.called(path); ok {
			if text := timesCalled(callee, rest, text); text != "" {
				all = append(all, text)
			}
			continue
		}
		switch {
		case isEnd(text):
			all = append(all, name+" "+strings.Replace(text, "panic:", "panics:", 1))
		case isResult:
			if text == "" {
				part, text = "no "+part, ""
			}
			if part = strings.TrimSpace(part + " " + text); clauses[name] == 0 {
				all = append(all, name+" returns "+part)
				clauses[name] = len(all)
			} else {
				all[clauses[name]-1] += ", " + part
			}
		case text == "" && path == programEnds:
			all = append(all, name+" goes on")
		case text == "":
			all = append(all, name+" is not there")
		default:
			all = append(all, name+" is "+text)
		}
	}
	return strings.Join(all, ", ")
}

// name returns what a path is called; for what a call returns the name of the call, and of which part
// of it.
func (d describer) name(path string) (name, part string, isResult bool) {
	call, result, rest, ok := execute.SplitResult(path)
	if !ok {
		return path, "", false
	}
	if variable, ok := execute.VariableOf(rest); ok {
		return variable, "", false
	}
	name = d.names[call]
	if output, ok := strings.CutPrefix(rest, ", "); ok && result < 0 {
		return strings.Replace(output, "its", name+"'s", 1), "", false
	}
	if result < 0 { // all of it
		return name, "", true
	}
	if result < len(d.shown[call]) && d.shown[call][result] != "" {
		return name + "'s " + d.shown[call][result] + rest, "", false
	}
	plain := 0
	for _, s := range d.shown[call] {
		if s == "" {
			plain++
		}
	}
	if plain == 1 {
		return name, strings.TrimPrefix(rest, "."), true
	}
	return name, fmt.Sprintf("result %d%s", result+1, rest), true
}
