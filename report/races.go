package report

import (
	"fmt"
	"strings"

	empire "github.com/empire-go/empire-go"
)

// race says that there is a data race, between which accesses, and what shows it.
func (t *textWriter) race(q *empire.QueryResult) {
	if !q.DataRace || isRaceAccepted(q) {
		return
	}
	t.item("data race", red, t.raceText(q.Race))
	for i, r := range q.Races {
		if r.Accepted != nil {
			continue
		}
		if i > 0 { // the first one is that of the query
			t.item("", plain, t.raceText(r.Accesses))
		}
		t.harmLines(labelWidth, r.Harm)
		if text := unshownRace(r); text != "" {
			t.item("", plain, text)
		}
	}
}

// raceText names the two accesses of a data race, as far as they are known.
func (t *textWriter) raceText(accesses []empire.Step) string {
	if len(accesses) != 2 {
		return "two goroutines can access a field of the set at the same moment, and one of them writes"
	}
	copies := accesses[0].Goroutine == accesses[1].Goroutine
	return fmt.Sprintf("%s and %s can happen at the same moment", t.access(accesses[0], copies),
		t.access(accesses[1], copies))
}

// unshownRace says what is known of a data race that nothing shows, or why one that a run shows does not count.
func unshownRace(r empire.Race) string {
	switch text := unshown(r.Harm); {
	case text == "" && r.Harm != nil && r.Harm.Reason != "":
		return "a warning: " + r.Harm.Reason
	case text == "":
		return ""
	case r.Level == "error":
		return r.Harm.Reason
	default:
		return "a warning: harm " + text
	}
}

// race adds the result for a data race.
func (s *sarifWriter) race(q *empire.QueryResult, r empire.Race, text string) {
	if len(harmLines(r.Harm)) > 0 {
		text += ". " + harmInWords(r.Harm)
	}
	if reason := unshownRace(r); reason != "" {
		text += "; " + reason
	}
	var places []*sarifLocation
	for _, access := range r.Accesses {
		places = append(places, location(access.Pos, ""))
	}
	s.addResult(&sarifResult{RuleID: ruleID(dataRace), Kind: "fail", Level: r.Level, Message: sarifMessage{text},
		Suppressions: suppressions(r.Accepted),
		Properties:   map[string]any{"type": q.Type, "fields": list(q.Fields), "site": q.Site}}, places...)
}

// dataRace is the name of the rule about data races, besides those of the scenarios.
const dataRace = "data-race"

// access is an access of a data race in words, as much of it as is known. With
// copies, the other one is in a copy of the same goroutine.
func (t *textWriter) access(s empire.Step, copies bool) string {
	text, where := join(verbs[s.Action], ""), t.names.of(s.Function)
	if text == "" {
		text = "access"
	}
	if where == "" {
		where = s.Goroutine
		if copies {
			where += fmt.Sprintf(" (copy %d)", s.Instance)
		}
	}
	what := s.Location
	if field, isHeld := strings.CutSuffix(what, empire.HeldSuffix); isHeld {
		what = "what " + field + " leads to"
	}
	text += " of " + what + " in " + where
	switch {
	case hasPlace(s.Pos):
		text += " (" + fileLine(s.Pos) + ")"
	case where != s.Goroutine:
		text += " (" + s.Goroutine + ")"
	}
	return text
}
