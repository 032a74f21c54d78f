// Package mend proposes changes of a program that end a violation, and checks each before it is told: only what
// leaves no trace of the violation, brings no new one, no new data race and no new deadlock is a fix.
//
// Changes have few shapes, see shapes: a lock is held for longer, from the beginning, or by a writer in the place
// of readers, or what was looked at is looked at again. What could be wrong with the text of a change is found in
// the syntax (shapes refuse what they do not understand); whether it is right is asked of the changed program:
//
//   - About the two units alone nothing may be violated any more, nor unknown.
//   - What it may wait for while it holds locks must be no worse, see package waits: no new cycle of locks, no
//     lock newly held where something other than a lock is waited for.
//   - Of the type, and of everything that would be checked in the packages asked about, no scenario may be violated
//     that was not, nor be unknown that was known. Of each scenario one pair of units is told: one that was not
//     told before is asked about in the program before the change.
//
// Units that are not in the packages asked about are not seen, nor are programs there that were not loaded.
package mend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/answers"
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
	module := filepath.Join(work, "module")
	if err := copyModule(module, root); err != nil {
		return nil, nil, err
	}
	store, err := answers.Open(filepath.Join(work, "answers"))
	if err != nil {
		return nil, nil, err
	}
	m := &mender{ctx: ctx, request: movedTo(module, root, request), result: r, work: module,
		changed: map[string]rewrite.File{}}
	m.request.Answers = store
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

// movedTo returns a request about a copy of the module.
func movedTo(work, root string, r empire.Request) empire.Request {
	dir := r.Dir
	if dir == "" {
		dir = "."
	}
	r.Dir, r.Observe, r.Harm, r.Blocking, r.Site = work, nil, false, false, ""
	if absolute, err := filepath.Abs(dir); err == nil {
		if rel, err := filepath.Rel(root, absolute); err == nil && filepath.IsLocal(rel) {
			r.Dir = filepath.Join(work, rel)
		}
	}
	return r
}

// mender has a copy of the module, with the fixes so far.
type mender struct {
	ctx     context.Context
	request empire.Request
	result  *empire.Result
	work    string
	changed map[string]rewrite.File
	now     *version  // the copy as it is; nil: it has not been asked about
	sources []*source // the packages of the copy that were read
}

// maxTries is how many changes are tried for a cause: each is a program that is loaded and checked.
const maxTries = 16

// cause mends a cause, and says how.
func (m *mender) cause(c empire.Cause) (string, error) {
	q, s := find(m.result, c.Shown)
	if len(m.changed) > 0 {
		before, err := m.before()
		if err != nil {
			return "", err
		}
		if (check{m, before, before, q, s}).isMended() == nil {
			return "what is changed above mends it, too", nil
		}
	}
	var why reason
	tried := map[string]bool{}
	for _, p := range m.proposals(c, q, s) {
		if p.err == nil {
			text := p.change.text()
			if tried[text] || len(tried) == maxTries {
				continue
			}
			tried[text] = true
			if p.err = m.try(q, s, p.change); p.err == nil {
				return p.what, nil
			}
			p.err = fmt.Errorf("%s: %w", p.what, p.err)
		}
		if m.ctx.Err() != nil {
			return "", m.ctx.Err()
		}
		why.add(p)
	}
	return "", why.err()
}

// reason is why there is no fix: that of the first proposal that is a main one, as they are the likeliest, or else of
// one that was tried.
type reason struct{ main, tried, other error }

func (r *reason) add(p proposal) {
	if errors.Is(p.err, errAsItIs) {
		return
	}
	switch {
	case p.main:
		r.main = cmp.Or(r.main, p.err)
	case p.what != "":
		r.tried = cmp.Or(r.tried, p.err)
	default:
		r.other = cmp.Or(r.other, p.err)
	}
}

func (r reason) err() error {
	return cmp.Or(r.main, r.tried, r.other, errors.New("no lock is known that would help"))
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

// change is new texts of files.
type change struct {
	files []rewrite.File
	parts []part // the functions that are changed
	what  string
}

// part is a declaration that a change is in.
type part struct {
	file, typeName, name string
	inner                string // the name of the new declaration after it, "" if there is none
}

// text tells changes apart.
func (c change) text() string {
	text := ""
	for _, f := range c.files {
		text += f.Path + "\n" + string(f.New)
	}
	return text
}

// keep keeps a change that is a fix, and notes it in the violation: what is to be changed in the file as it was.
func (m *mender) keep(s *empire.ScenarioResult, c change) {
	for _, f := range c.files {
		if before, isAgain := m.changed[f.Path]; isAgain {
			f.Old = before.Old
		}
		m.changed[f.Path] = f
	}
	if len(c.files) != 1 {
		return // a fix is of one file
	}
	f := m.changed[c.files[0].Path]
	alone, err := onlyParts(f, c.parts)
	if err != nil {
		return
	}
	s.Fix = &empire.Fix{What: c.what, File: f.Path}
	s.Fix.FirstLine, s.Fix.LastLine, s.Fix.Text = difference(string(f.Old), alone)
}
