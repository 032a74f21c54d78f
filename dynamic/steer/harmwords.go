package steer

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	empire "github.com/empire-go/empire-go"
)

// harmWords says what a harmful run has done.
type harmWords struct {
	trial   *empire.Trial
	finding *finding
}

// maxNamed bounds the differences that are named.
const maxNamed = 3

// harm returns what the finding is in a result.
func (w *harmWords) harm() *empire.Harm {
	f := w.finding
	harm := &empire.Harm{Status: empire.HarmPossible}
	if f.isObserved {
		harm.Status = empire.HarmSeen
	}
	add := func(to *[]string, s empire.TrialStep) {
		*to = append(*to, s.Text)
		harm.Imports = append(harm.Imports, s.Imports...)
	}
	if len(w.trial.Makers) > 0 {
		add(&harm.Start, w.trial.Makers[f.state.maker])
	}
	for _, n := range slices.Concat(f.state.before, f.calls[:]) {
		if n != timePasses && w.trial.Steps[n].Uses != "" && !slices.Contains(harm.Start, w.trial.Steps[n].Uses) {
			harm.Start = append(harm.Start, w.trial.Steps[n].Uses)
		}
	}
	for _, n := range f.state.before {
		if n == timePasses {
			add(&harm.Start, empire.TrialStep{Text: "time.Sleep(48 * time.Hour)", Imports: []string{"time time"}})
			continue
		}
		add(&harm.Start, w.trial.Steps[n])
	}
	for _, n := range f.calls {
		add(&harm.Calls, w.trial.Steps[n])
	}
	slices.Sort(harm.Imports)
	harm.Imports = slices.Compact(harm.Imports)
	for _, n := range f.saw.trace {
		if n >= 0 {
			harm.Schedule = append(harm.Schedule, n)
		}
	}
	is := w.texts(f.saw)
	var orders []map[string]string
	for _, o := range f.orders.first {
		orders = append(orders, w.texts(o))
	}
	paths := telling(differing(is, orders))
	for i, texts := range orders {
		first := w.name(callRoot+strconv.Itoa(i+1)) + " first"
		if f.calls[0] == f.calls[1] {
			first = [...]string{"in one order", "in the other order"}[i]
			if w.words(orders[0], paths) == w.words(orders[1], paths) {
				first, orders = "one after the other", orders[:1]
			}
		}
		harm.Expected = append(harm.Expected, first+": "+w.words(texts, paths))
		if len(orders) == 1 {
			break
		}
	}
	harm.Actual = w.words(is, paths)
	return harm
}

// texts returns what is at each path. Of what varies only what is equal counts.
func (w *harmWords) texts(o *observation) map[string]string {
	all, first := map[string]string{}, map[string]string{}
	for _, l := range o.lines {
		value := l.Value
		if w.finding.orders.varied[l.Path] {
			if first[value] == "" {
				first[value] = l.Path
			}
			if value = "some value"; first[l.Value] != l.Path {
				value = "the value of " + w.name(first[l.Value])
			}
		}
		if _, ok := all[l.Path]; !ok {
			all[l.Path] = value
		}
	}
	return all
}

// differing returns the paths at which a run is not like some order: those first that tell it
// from all of them, of these what calls return, then what is of the object, and short ones.
func differing(is map[string]string, orders []map[string]string) []string {
	all := map[string]int{} // from how many orders it differs
	for _, order := range orders {
		for path, text := range is {
			if other, ok := order[path]; !ok || other != text {
				all[path]++
			}
		}
		for path := range order {
			if _, ok := is[path]; !ok {
				all[path]++
			}
		}
	}
	var paths []string
	for path := range all {
		paths = append(paths, path)
	}
	rank := func(path string) int {
		switch root, _, _ := strings.Cut(path, "."); {
		case isOfCalls(path):
			return 0
		case root == objectRoot:
			return 1
		}
		return 2
	}
	slices.SortFunc(paths, func(a, b string) int {
		return cmp.Or(cmp.Compare(all[b], all[a]), rank(a)-rank(b), strings.Count(a, ".")-strings.Count(b, "."),
			len(a)-len(b), cmp.Compare(a, b))
	})
	return paths
}

// telling returns the paths to be named: a few, and not the parts of what is named. How calls end
// says it all, and variables are named where nothing else differs.
func telling(paths []string) []string {
	if slices.Contains(paths, crashRoot) {
		return []string{crashRoot}
	}
	if len(paths) > 0 && isEnd(paths[0]) {
		paths = slices.DeleteFunc(paths, func(path string) bool { return !isEnd(path) })
	}
	isVariable := func(path string) bool {
		root, _, _ := strings.Cut(path, ".")
		return !isOfCalls(path) && root != objectRoot
	}
	if slices.ContainsFunc(paths, func(path string) bool { return !isVariable(path) }) {
		paths = slices.DeleteFunc(paths, isVariable)
	}
	var named []string
	for _, path := range paths {
		if len(named) < maxNamed && !slices.ContainsFunc(named, func(of string) bool {
			return strings.HasPrefix(path, of+".") || strings.HasPrefix(path, of+"[")
		}) {
			named = append(named, path)
		}
	}
	return named
}

// isEnd tells whether a path is of how a call or the program ends.
func isEnd(path string) bool { return isOfCalls(path) && !strings.Contains(path, ".") }

// words says what is at the paths.
func (w *harmWords) words(texts map[string]string, paths []string) string {
	var all []string
	for _, path := range paths {
		name := w.name(path)
		switch text, ok := texts[path]; {
		case !ok && path == crashRoot:
			all = append(all, "the program goes on")
		case !ok:
			all = append(all, "no "+name)
		case path == crashRoot:
			all = append(all, "the program "+text)
		case isEnd(path):
			all = append(all, name+" "+text)
		case isOfCalls(path) && w.isResult(path):
			all = append(all, name+" returns "+w.value(text))
		default:
			all = append(all, name+" is "+w.value(text))
		}
	}
	return strings.Join(all, ", ")
}

// sameAs begins the values of what is named by another path; see package snapshot.
const sameAs = "the same as "

// value names the paths in a value.
func (w *harmWords) value(text string) string {
	if path, ok := strings.CutPrefix(text, sameAs); ok {
		return sameAs + w.name(path)
	}
	if text == "not nil" {
		return "one of its own"
	}
	return text
}

// isResult tells whether a path is of what a call has returned, and not of what it was handed.
func (w *harmWords) isResult(path string) bool {
	step, rest := w.stepOf(path)
	number := rest
	if end := strings.IndexAny(rest, ".["); end >= 0 {
		number = rest[:end]
	}
	i, err := strconv.Atoi(number)
	return err == nil && (i >= len(step.Shown) || step.Shown[i] == "")
}

// stepOf returns the step that a path of a call is of, and the rest of the path.
func (w *harmWords) stepOf(path string) (empire.TrialStep, string) {
	root, rest, _ := strings.Cut(path, ".")
	if after, ok := strings.CutPrefix(root, afterRoot); ok {
		n, _ := strconv.Atoi(after)
		step := w.trial.Steps[w.finding.after[n-1]]
		step.Text = "then " + step.Text
		return step, rest
	}
	n, _ := strconv.Atoi(strings.TrimPrefix(root, callRoot))
	calls := w.finding.calls
	step := w.trial.Steps[calls[n-1]]
	if calls[0] == calls[1] {
		step.Text = [...]string{"the first ", "the second "}[n-1] + step.Text
	}
	return step, rest
}

// name returns what a path is in the words of the library.
func (w *harmWords) name(path string) string {
	root, rest, hasRest := strings.Cut(path, ".")
	switch {
	case path == objectRoot || strings.HasPrefix(path, objectRoot+"["):
		return path
	case root == objectRoot:
		return rest
	case !isOfCalls(path) || root == crashRoot:
		return path
	}
	step, _ := w.stepOf(path)
	if !hasRest {
		return step.Text
	}
	number, part := rest, ""
	if end := strings.IndexAny(rest, ".["); end >= 0 {
		number, part = rest[:end], strings.TrimPrefix(rest[end:], ".")
	}
	i, _ := strconv.Atoi(number)
	if i < len(step.Shown) && step.Shown[i] != "" { // something else than a result
		return strings.TrimSpace(step.Text + ": " + step.Shown[i] + " " + part)
	}
	results := 0
	for _, shown := range step.Shown {
		if shown == "" {
			results++
		}
	}
	switch {
	case results > 1:
		return strings.TrimSuffix(fmt.Sprintf("%s (result %d.%s", step.Text, i+1, part), ".") + ")"
	case part != "":
		return fmt.Sprintf("%s (%s of the result)", step.Text, part)
	}
	return step.Text
}
