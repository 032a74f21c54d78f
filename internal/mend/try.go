package mend

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/frontend/waits"
)

// version is the program at one time, and what was asked about it.
type version struct {
	session *empire.Session
	waits   *waits.Order
	answers map[string]*empire.Result // to requests, by what is asked
}

// open loads the copy as it is.
func (m *mender) open() (*version, error) {
	session, err := empire.Open(m.ctx, m.request)
	if err != nil {
		return nil, err
	}
	return &version{session: session, answers: map[string]*empire.Result{}}, nil
}

// before returns the program before the change that is tried, with the fixes so far.
func (m *mender) before() (*version, error) {
	if m.now == nil {
		now, err := m.open()
		if err != nil {
			return nil, fmt.Errorf("the program cannot be checked again: %w", err)
		}
		m.now = now
	}
	return m.now, nil
}

// try checks the program with a change, and keeps the change if it is a fix.
func (m *mender) try(q *empire.QueryResult, s *empire.ScenarioResult, c change) error {
	before, err := m.before()
	if err != nil {
		return err
	}
	write := func(isNew bool) error {
		for _, f := range c.files {
			text := f.Old
			if isNew {
				text = f.New
			}
			if err := os.WriteFile(filepath.Join(m.work, filepath.FromSlash(f.Path)), text, 0o644); err != nil {
				return err
			}
		}
		return nil
	}
	if err := write(true); err != nil {
		return err
	}
	after, err := m.open()
	if err != nil {
		err = fmt.Errorf("the changed program cannot be checked: %w", err)
	} else {
		err = check{m, before, after, q, s}.isFix()
	}
	if err != nil {
		if undo := write(false); undo != nil {
			return undo
		}
		return err
	}
	m.now, m.sources = after, nil
	m.keep(s, c)
	return nil
}

// check is one question: is a change a fix of a violation?
type check struct {
	*mender
	before, after *version
	query         *empire.QueryResult
	violation     *empire.ScenarioResult
}

// isFix says why the change is no fix; nil if it is one.
func (c check) isFix() error {
	if err := c.isMended(); err != nil {
		return err
	}
	if err := c.bringsNoDeadlock(); err != nil {
		return err
	}
	if err := c.bringsNothing(c.aboutType()); err != nil {
		return err
	}
	return c.bringsNothing(c.aboutAll())
}

// isMended asks about the two units alone.
func (c check) isMended() error {
	pair, err := c.ask(c.after, c.aboutUnits(c.query, c.violation.Units))
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
	return nil
}

// bringsNoDeadlock compares what is waited for.
func (c check) bringsNoDeadlock() (err error) {
	for _, v := range []*version{c.before, c.after} {
		if v.waits == nil {
			if v.waits, err = v.session.Waits(c.ctx, c.request); err != nil {
				return fmt.Errorf("what the program waits for is not known: %w", err)
			}
		}
	}
	for _, unit := range c.violation.Units {
		if !c.before.waits.IsBalanced(unit) {
			return fmt.Errorf("%s takes or releases locks for its callers", unit[strings.LastIndex(unit, ".")+1:])
		}
	}
	if why := c.after.waits.Worse(c.before.waits, c.violation.Units); why != "" {
		return fmt.Errorf("it may bring a deadlock: %s", why)
	}
	return nil
}

// aboutUnits is a request with only some functions as units of work.
func (m *mender) aboutUnits(q *empire.QueryResult, units []string) empire.Request {
	r := m.request
	r.UnitFuncs = nil
	for _, unit := range units {
		// Instances of generic functions are known by what they are made of, whose type parameters have other names.
		if match := unitName.FindStringSubmatch(unit); match != nil && strings.Contains(unit, "[") {
			unit = match[4]
		}
		r.UnitFuncs = append(r.UnitFuncs, unit)
	}
	slices.Sort(r.UnitFuncs)
	r.UnitFuncs = slices.Compact(r.UnitFuncs)
	r.Scenarios = nil
	if q.Type != "" {
		r.Type, r.Fields = q.Type, q.Fields
	} else {
		r.Vars = q.Fields
	}
	return r
}

// aboutType is a request about the type, or the variables, of the query.
func (c check) aboutType() empire.Request {
	r := c.request
	r.Scenarios = nil
	if r.Vars == nil && c.query.Type != "" {
		r.Type = c.query.Type
	}
	return r
}

// aboutAll is a request about all that would be checked if nothing was named.
func (c check) aboutAll() empire.Request {
	r := c.request
	r.Scenarios, r.Type, r.Fields, r.Vars = nil, "", nil, nil
	return r
}

// bringsNothing asks for anything that is violated, or unknown, and was not before the change; and for data races.
func (c check) bringsNothing(r empire.Request) error {
	after, err := c.ask(c.after, r)
	if nothing := new(empire.InputError); errors.As(err, &nothing) && r.Type == "" && r.Vars == nil {
		if _, before := c.ask(c.before, r); before != nil {
			return nil // there are no candidates, and there were none
		}
	}
	if err != nil {
		return err
	}
	known := newFindings(c.result)
	if known.firstNew(after) == nil {
		return c.bringsNoPair(after, known)
	}
	before, err := c.ask(c.before, r)
	if err != nil {
		return err
	}
	known.add(before)
	if found := known.firstNew(after); found != nil {
		return fmt.Errorf("with it, %s", *found)
	}
	return c.bringsNoPair(after, known)
}

// bringsNoPair asks, of each pair of units that was not told before as violating a scenario, whether it did.
func (c check) bringsNoPair(after *empire.Result, known *findings) error {
	for i := range after.Queries {
		q := &after.Queries[i]
		for _, v := range q.Violations() {
			if known.ids[v.ID] || v.Level == "note" {
				continue
			}
			before, err := c.ask(c.before, c.aboutUnits(q, v.Units))
			if err != nil {
				return err
			}
			if newFindings(before).isNew(q, v) {
				return fmt.Errorf("with it, %s of %s is violated by %s", v.Name, strings.Join(q.Fields, ", "),
					strings.Join(v.Units, " and "))
			}
		}
	}
	return nil
}

// findings is what is violated or unknown.
type findings struct {
	verdicts, ids map[string]bool
	races         map[string]bool // the sets with one
}

func newFindings(r *empire.Result) *findings {
	f := &findings{verdicts: map[string]bool{}, ids: map[string]bool{}, races: map[string]bool{}}
	f.add(r)
	return f
}

func setKey(q *empire.QueryResult) string { return fmt.Sprint(q.Type, q.Fields) }

func verdictKey(q *empire.QueryResult, s *empire.ScenarioResult) string {
	return fmt.Sprint(setKey(q), s.Scenario, s.Verdict)
}

// add adds those of a result.
func (f *findings) add(r *empire.Result) {
	for i := range r.Queries {
		q := &r.Queries[i]
		for j := range q.Scenarios {
			f.verdicts[verdictKey(q, &q.Scenarios[j])] = true
			if q.Scenarios[j].ID != "" {
				f.ids[q.Scenarios[j].ID] = true
			}
		}
		f.races[setKey(q)] = f.races[setKey(q)] || q.DataRace
	}
}

// isNew tells whether a verdict is none of these.
func (f *findings) isNew(q *empire.QueryResult, s *empire.ScenarioResult) bool {
	return s.Verdict != empire.VerdictSafe && s.Level != "note" && !f.verdicts[verdictKey(q, s)]
}

// firstNew returns, in words, the first finding of a result that is none of these.
func (f *findings) firstNew(r *empire.Result) *string {
	for i := range r.Queries {
		q := &r.Queries[i]
		for j := range q.Scenarios {
			if s := &q.Scenarios[j]; f.isNew(q, s) {
				what := fmt.Sprintf("%s of %s is %s", s.Name, strings.Join(q.Fields, ", "),
					strings.Replace(s.Verdict, "violation", "violated", 1))
				return &what
			}
		}
		if q.DataRace && !f.races[setKey(q)] {
			what := "there is a data race of " + strings.Join(q.Fields, ", ")
			return &what
		}
	}
	return nil
}

// ask asks about a version of the program, unless it has been asked. An answer without a verdict is an error.
func (c check) ask(v *version, r empire.Request) (*empire.Result, error) {
	key := fmt.Sprint(r.Type, r.Fields, r.Vars, r.UnitFuncs)
	if known := v.answers[key]; known != nil {
		return known, nil
	}
	found, err := v.session.Run(c.ctx, r)
	v.session.Keep() // for the next version: most queries do not reach what was changed
	switch {
	case err != nil:
		return nil, err
	case len(found.Errors) > 0:
		return nil, fmt.Errorf("the changed program cannot be checked: %s", found.Errors[0])
	case len(found.Queries) == 0 && (r.Type != "" || r.Vars != nil):
		return nil, fmt.Errorf("of the changed program there is nothing to check")
	}
	for _, now := range found.Queries {
		if len(now.Scenarios) == 0 && now.Verdict == empire.VerdictUnknown {
			return nil, fmt.Errorf("whether it helps is unknown: %s", now.Reason)
		}
	}
	v.answers[key] = found
	return found, nil
}
