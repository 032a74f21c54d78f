// Package mend proposes changes of a program that end a violation, and checks each before it is told: the
// changed program is asked the same questions again, and only what leaves no trace of the violation and brings
// no new one is a fix.
//
// There is one shape: a function holds a lock from where it takes it first, or from its beginning, to its end.
// That joins critical sections, takes a lock that is missing, and puts a second look into the section of the
// first one. What the lock is held for anew must not take, wait for or call anything that could take a lock, so
// that no deadlock comes of it: see holds. What has no such fix has none here.
package mend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/rewrite"
)

// Outcome is what came of a cause.
type Outcome struct {
	Cause empire.Cause
	What  string // the change in words; "" if there is none
	Why   string // why there is none
}

// Mend looks for fixes of the causes of a result, one after the other, each in the program with the ones before.
// It returns the changed files, and puts each fix into the violation that it is for.
func Mend(ctx context.Context, request empire.Request, r *empire.Result) ([]rewrite.File, []Outcome, error) {
	root := r.ModuleRootDir
	work, err := os.MkdirTemp("", "empire-go-fix-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(work)
	if work, err = filepath.EvalSymlinks(work); err != nil {
		return nil, nil, err
	}
	if err := copyModule(work, root); err != nil {
		return nil, nil, err
	}
	m := &mender{ctx: ctx, request: request, result: r, root: root, work: work, changed: map[string]rewrite.File{}}
	var outcomes []Outcome
	for _, c := range r.Causes {
		if _, s := find(r, c.Shown); s == nil {
			continue // it is accepted
		}
		o := Outcome{Cause: c}
		if o.What, err = m.cause(c); err != nil {
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			o.Why = err.Error()
		}
		outcomes = append(outcomes, o)
	}
	var files []rewrite.File
	for _, f := range m.changed {
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b rewrite.File) int { return strings.Compare(a.Path, b.Path) })
	return files, outcomes, nil
}

// mender has a copy of the module, with the fixes so far.
type mender struct {
	ctx        context.Context
	request    empire.Request
	result     *empire.Result
	root, work string
	changed    map[string]rewrite.File
}

// cause mends a cause, and says how.
func (m *mender) cause(c empire.Cause) (string, error) {
	q, s := find(m.result, c.Shown)
	units := []string{c.Unit}
	for _, u := range s.Units {
		if u != c.Unit {
			units = append(units, u)
		}
	}
	var why error // of the first try, which is the likeliest
	for _, unit := range units {
		for _, lock := range locksOf(s) {
			change, err := m.hold(unit, lock)
			if err == nil {
				if err = m.try(q, s, change); err == nil {
					return change.what, nil
				}
				err = fmt.Errorf("%s: %w", change.what, err)
			}
			why = cmp.Or(why, err)
		}
	}
	return "", cmp.Or(why, errors.New("no lock is known that would help"))
}

// find returns the violation with an id that has not been accepted, and its query.
func find(r *empire.Result, id string) (*empire.QueryResult, *empire.ScenarioResult) {
	for i := range r.Queries {
		for _, s := range r.Queries[i].Violations() {
			if s.ID == id && s.Accepted == nil {
				return &r.Queries[i], s
			}
		}
	}
	return nil, nil
}

// locksOf returns the names of the fields, or variables, that are the locks of a counterexample: those of the
// checked object, which are called vector2.mu, say.
func locksOf(s *empire.ScenarioResult) (names []string) {
	for _, step := range s.Counterexample {
		if step.Action != "lock" && step.Action != "rlock" {
			continue
		}
		name := step.Lock[strings.LastIndex(step.Lock, ".")+1:]
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// change is a new text of a file.
type change struct {
	rewrite.File
	what string
}

// try checks the program with a change, and keeps the change if it is a fix.
func (m *mender) try(q *empire.QueryResult, s *empire.ScenarioResult, c change) error {
	path := filepath.Join(m.work, filepath.FromSlash(c.Path))
	if err := os.WriteFile(path, c.New, 0o644); err != nil {
		return err
	}
	if err := m.isMended(q, s); err != nil {
		if undo := os.WriteFile(path, c.Old, 0o644); undo != nil {
			return undo
		}
		return err
	}
	kept := c.File
	before, isAgain := m.changed[c.Path]
	if isAgain {
		kept.Old = before.Old
	}
	m.changed[c.Path] = kept
	if isAgain {
		return nil // its lines are not those of the file as it is
	}
	s.Fix = &empire.Fix{What: c.what, File: c.Path}
	s.Fix.FirstLine, s.Fix.LastLine, s.Fix.Text = difference(string(c.Old), string(c.New))
	return nil
}

// isMended asks again. About the two units alone, nothing may be violated any more, nor unknown; about all of the
// type, no scenario that was not before, nor be unknown that was known, and no data race be new. (Of each scenario
// one pair of units is told: which one says nothing of the others.)
func (m *mender) isMended(q *empire.QueryResult, s *empire.ScenarioResult) error {
	pair, err := m.ask(q, s.Units)
	if err != nil {
		return err
	}
	for i := range pair.Queries {
		for _, v := range pair.Queries[i].Scenarios {
			if v.Verdict != empire.VerdictSafe && v.Level != "note" {
				return fmt.Errorf("it is no help: %s is %s", v.Name, strings.Replace(v.Verdict, "violation", "still violated", 1))
			}
		}
	}
	all, err := m.ask(q, nil)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	verdict := func(q *empire.QueryResult, v *empire.ScenarioResult) string {
		return fmt.Sprint(q.Type, q.Fields, v.Scenario, v.Verdict)
	}
	for i := range m.result.Queries {
		before := &m.result.Queries[i]
		for j := range before.Scenarios {
			known[verdict(before, &before.Scenarios[j])] = true
		}
		for _, race := range before.Races {
			known[race.ID] = true
		}
	}
	for i := range all.Queries {
		now := &all.Queries[i]
		for j := range now.Scenarios {
			v := &now.Scenarios[j]
			if v.Verdict != empire.VerdictSafe && v.Level != "note" && !known[verdict(now, v)] {
				return fmt.Errorf("with it, %s is %s", v.Name, strings.Replace(v.Verdict, "violation", "violated", 1))
			}
		}
		for _, race := range now.Races {
			if !known[race.ID] {
				return fmt.Errorf("it brings a data race")
			}
		}
	}
	return nil
}

// ask asks the changed program about the type, or the variables, of a query: with only some functions as units of
// work, if there are any. An answer is not an error if it is an answer.
func (m *mender) ask(q *empire.QueryResult, units []string) (*empire.Result, error) {
	again := m.request
	again.Dir, again.Answers, again.Observe, again.Harm, again.Site = m.work, nil, nil, false, ""
	if rel, err := filepath.Rel(m.root, m.request.Dir); err == nil && m.request.Dir != "" && filepath.IsLocal(rel) {
		again.Dir = filepath.Join(m.work, rel)
	} else if here, err := os.Getwd(); err == nil && m.request.Dir == "" {
		if rel, err := filepath.Rel(m.root, here); err == nil && filepath.IsLocal(rel) {
			again.Dir = filepath.Join(m.work, rel)
		}
	}
	if again.Vars == nil && q.Type != "" {
		again.Type = q.Type
	}
	if units != nil {
		again.UnitFuncs = slices.Compact(slices.Sorted(slices.Values(units)))
		if q.Type != "" {
			again.Fields = q.Fields
		} else {
			again.Vars = q.Fields
		}
	}
	r, err := empire.Run(m.ctx, again)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the changed program cannot be checked: %w", err)
	case len(r.Errors) > 0:
		return nil, fmt.Errorf("the changed program cannot be checked: %s", r.Errors[0])
	case len(r.Queries) == 0:
		return nil, fmt.Errorf("of the changed program there is nothing to check")
	}
	for _, now := range r.Queries {
		if len(now.Scenarios) == 0 && now.Verdict == empire.VerdictUnknown {
			return nil, fmt.Errorf("whether it helps is unknown: %s", now.Reason)
		}
	}
	return r, nil
}

// difference returns the lines of a text, from 1, that the other one has changed, and what is there instead. The
// last line is less than the first one if lines are only put before it.
func difference(before, after string) (first, last int, text string) {
	a, b := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b, first = a[1:], b[1:], first+1
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return first + 1, first + len(a), strings.Join(b, "")
}

// The most that is copied of a module.
const (
	maxFiles = 20_000
	maxBytes = 256 << 20
)

// copyModule copies a module, without what begins with a dot.
func copyModule(to, from string) error {
	files, bytes := 0, int64(0)
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && rel != ".":
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if files, bytes = files+1, bytes+int64(len(text)); files > maxFiles || bytes > maxBytes {
			return fmt.Errorf("the module has too many files to be copied")
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o644)
	})
}
