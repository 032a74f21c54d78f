package report

import (
	"fmt"
	"slices"
	"strings"

	empire "github.com/empire-go/empire-go"
)

// acceptedGroup is violations of a query that one comment, entry or revision accepts.
type acceptedGroup struct{ what, why string }

// acceptedIn returns what has been accepted of the violations of a query.
func acceptedIn(q *empire.QueryResult, n *names) []acceptedGroup {
	var order []string
	members := map[string][]*story{}
	add := func(a *empire.Acceptance, st *story) {
		why := acceptance(a)
		if !slices.Contains(order, why) {
			order = append(order, why)
		}
		if st != nil {
			members[why] = append(members[why], st)
		}
	}
	races := map[string]bool{}
	for _, s := range q.Violations() {
		if s.Accepted != nil {
			add(s.Accepted, newStory(q, s, n))
		}
	}
	for _, r := range q.Races {
		if r.Accepted != nil {
			add(r.Accepted, nil)
			races[acceptance(r.Accepted)] = true
		}
	}
	var all []acceptedGroup
	for _, why := range order {
		what := ""
		if len(members[why]) > 0 {
			what = namesOf(members[why])
		}
		if races[why] {
			what = strings.TrimPrefix(what+" and a data race", " and ")
		}
		all = append(all, acceptedGroup{plainSpaces(what), why})
	}
	return all
}

// acceptance says by what and why: "by the comment at f.go:3:1: reason".
func acceptance(a *empire.Acceptance) string {
	text := ""
	switch a.By {
	case empire.AcceptedByComment:
		text = "by the comment at " + fileLine(a.Where)
	case empire.AcceptedAsOld:
		return "as it was there in " + a.Where
	default:
		text = "by " + a.Where
	}
	if a.Expires != "" {
		text += " until " + a.Expires
	}
	if a.Reason != "" {
		text += ": " + a.Reason
	}
	if a.Who != "" {
		text += fmt.Sprintf(" (%s)", a.Who)
	}
	return text
}

// accepted says what has been accepted, and why.
func (t *textWriter) accepted(q *empire.QueryResult) {
	for _, group := range acceptedIn(q, t.names) {
		t.item("accepted", plain, group.what+", "+group.why)
	}
}

// isRaceAccepted tells whether the data races of a query are all accepted.
func isRaceAccepted(q *empire.QueryResult) bool {
	return len(q.Races) > 0 && !slices.ContainsFunc(q.Races, func(r empire.Race) bool { return r.Accepted == nil })
}

// suppressions is an acceptance as SARIF has it.
func suppressions(a *empire.Acceptance) []sarifSuppression {
	if a == nil {
		return nil
	}
	kind := "external"
	if a.By == empire.AcceptedByComment {
		kind = "inSource"
	}
	return []sarifSuppression{{kind, acceptance(a)}}
}
