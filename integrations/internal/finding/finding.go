// Package finding takes out of a result what is told where people work: of each cause the violation that stands for
// it, and the data races, without what comments and the baseline of the module accept.
package finding

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/accept"
	"github.com/empire-go/empire-go/report"
)

// Finding is a violation that stands for its cause, or a data race.
type Finding struct {
	ID       string
	AcceptID string // what accepts all that there is of its cause
	Name     string // of the scenario, or "data-race"
	Text     string // what it is, and what it does
	Severity Severity
	Steps    []Step
}

// Severity is how much a finding matters, in the numbers that language servers have for it.
type Severity int

// Harm is done by what is seen or possible, and by a data race that counts; of a Note, or of what does none, there is
// nothing to fear.
const (
	Harm Severity = iota + 1
	Unknown
	Note
)

// Step is one of the interleaving.
type Step struct {
	Pos   string // file:line:column, from the root of the module
	Text  string
	Event int // from 1, of those that the scenario is about; else 0
}

// Of returns the findings of a result, in its order; it marks in it what is accepted. An error says that the baseline
// cannot be read, of which the findings then have nothing.
func Of(r *empire.Result) ([]Finding, error) {
	report.SetCauses(r)
	err := accept.InModule(r, time.Now())
	report.SetCauses(r) // of what is left
	causes := map[string]empire.Cause{}
	for _, c := range r.Causes {
		causes[c.Shown] = c
	}
	var all []Finding
	for i := range r.Queries {
		q := &r.Queries[i]
		for _, v := range q.Violations() {
			if c, ok := causes[v.ID]; ok && v.Accepted == nil {
				all = append(all, ofViolation(q, v, c))
				delete(causes, v.ID)
			}
		}
		for _, race := range q.Races {
			if race.Accepted == nil && len(race.Accesses) > 0 {
				all = append(all, ofRace(q, race))
			}
		}
	}
	return all, err
}

func ofViolation(q *empire.QueryResult, v *empire.ScenarioResult, c empire.Cause) Finding {
	units := strings.Join(v.Units, " and ")
	if len(v.Units) == 2 && v.Units[0] == v.Units[1] {
		units = "two runs of " + v.Units[0]
	}
	f := Finding{
		ID: v.ID, AcceptID: v.ID, Name: v.Name, Severity: severity(v.Level, v.Harm), Steps: steps(v.Counterexample),
		Text: fmt.Sprintf("%s: %s, on %s of %s", v.Name, units, strings.Join(v.Locations, " and "),
			cmp.Or(q.Type, "the package")),
	}
	if c.Violations > 1 {
		f.AcceptID = c.ID
	}
	if f.Severity == Harm && v.Harm.Actual != "" {
		f.Text += ": " + v.Harm.Actual
	}
	return f
}

func ofRace(q *empire.QueryResult, race empire.Race) Finding {
	f := Finding{ID: race.ID, AcceptID: race.ID, Name: "data-race", Severity: Unknown, Steps: steps(race.Accesses),
		Text: fmt.Sprintf("data race: two goroutines can access %s of %s at the same moment, and one of them writes",
			race.Accesses[0].Location, cmp.Or(q.Type, "the package"))}
	if race.Level == "error" {
		f.Severity = Harm
	}
	for i := range f.Steps {
		f.Steps[i].Event = i + 1
	}
	return f
}

// severity is that of a violation.
func severity(level string, harm *empire.Harm) Severity {
	switch {
	case level == "note", harm != nil && harm.Status == empire.HarmNone:
		return Note
	case harm != nil && (harm.Status == empire.HarmSeen || harm.Status == empire.HarmPossible):
		return Harm
	}
	return Unknown
}

// steps tells an interleaving.
func steps(all []empire.Step) (told []Step) {
	for _, s := range all {
		text := s.Goroutine + ": " + s.Action
		if what := cmp.Or(s.Location, s.Lock, s.Channel, s.Unit, s.Target); what != "" {
			text += " " + what
		}
		if s.Event > 0 {
			text = fmt.Sprintf("(%d) %s", s.Event, text)
		}
		told = append(told, Step{s.Pos, text, s.Event})
	}
	return told
}
