package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/scenarios"
)

// SARIF writes r in the Static Analysis Results Interchange Format 2.1.0, for code
// hosts and editors: a rule for each scenario, a result for each cause of violations, or
// for each violation if all are wanted, with
// the interleavings as code flows that have one thread flow for each goroutine. What does harm is
// an error, what may do harm a warning, what is by the letter only, or a note, a note.
// Unknown verdicts are results of kind "open". Positions are relative to the
// module's root, %SRCROOT%.
func SARIF(w io.Writer, r *empire.Result, all bool) error {
	run := sarif.NewRunWithInformationURI(r.Tool.Name, "https://github.com/empire-go/empire-go")
	run.Tool.Driver.WithVersion(strings.TrimPrefix(r.Tool.Version, "v"))
	for _, s := range scenarios.Table {
		run.AddRule(ruleID(s.Name)).
			WithName(s.Name).
			WithDescription(s.Harm).
			WithFullDescription(sarif.NewMultiformatMessageString().WithText(s.Harm)).
			WithHelp(sarif.NewMultiformatMessageString().WithText(fmt.Sprintf("empire-go explain %d", s.Number)))
	}
	t := newTextWriter(io.Discard, r, TextOptions{})
	s := &sarifWriter{run, t.names}
	if slices.ContainsFunc(r.Queries, func(q empire.QueryResult) bool { return len(q.Races) > 0 }) {
		run.AddRule(ruleID(dataRace)).WithName(dataRace).
			WithDescription("Two goroutines access a field at the same moment, and one of them writes.")
	}
	for _, c := range causesOf(r, s.names, all) {
		s.violations(c)
	}
	for i := range r.Queries {
		q := &r.Queries[i]
		for _, race := range q.Races {
			s.race(q, race, sentence(t.raceText(race.Accesses)))
		}
		if q.Verdict == empire.VerdictUnknown {
			s.open(q)
		}
	}
	report := sarif.NewReport()
	report.AddRun(run)
	var full bytes.Buffer
	if err := report.Write(&full); err != nil {
		return err
	}
	return writeWithoutDefaults(w, full.Bytes())
}

// writeWithoutDefaults writes a SARIF document without what a reader takes for granted:
// the library spells out that an index is -1 and that a list is empty.
func writeWithoutDefaults(w io.Writer, document []byte) error {
	var tree any
	if err := json.Unmarshal(document, &tree); err != nil {
		return err
	}
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(withoutDefaults(tree))
}

// withoutDefaults removes what has its default value. The results of a run are never
// left out: none is an answer.
func withoutDefaults(tree any) any {
	switch node := tree.(type) {
	case []any:
		for i := range node {
			node[i] = withoutDefaults(node[i])
		}
	case map[string]any:
		for key, value := range node {
			value = withoutDefaults(value)
			node[key] = value
			list, isList := value.([]any)
			object, isObject := value.(map[string]any)
			if value == -1.0 || key == "newlineSequences" || isObject && len(object) == 0 ||
				isList && len(list) == 0 && key != "results" {
				delete(node, key)
			}
		}
	}
	return tree
}

// sourceRoot is the name of the directory that positions are relative to. Where it
// is is left to the reader: the file is read on another machine.
const sourceRoot = "%SRCROOT%"

// ruleID returns the stable name of a rule.
func ruleID(scenario string) string { return "empire/" + scenario }

type sarifWriter struct {
	run   *sarif.Run
	names *names
}

// violations adds the result for a cause: for the violation that is told, with the
// interleavings of the others besides.
func (s *sarifWriter) violations(c *cause) {
	st := c.shown()
	v := st.scenario
	text := v.Name
	if outline := st.outline(); outline != "" {
		text = sentence(plainSpaces(outline)) + ". So " + plainSpaces(st.consequence()) + "."
	}
	properties := sarif.NewPropertyBag().
		Add("type", st.query.Type).Add("fields", list(st.query.Fields)).Add("site", st.query.Site).
		Add("scenario", v.Scenario).Add("class", v.Class).Add("dataRace", v.DataRace).Add("units", list(v.Units))
	if v.Harm != nil {
		text += " " + harmInWords(v.Harm)
		properties.Add("harm", v.Harm.Status)
	}
	if n := len(c.stories) - 1; n > 0 {
		text += fmt.Sprintf(" The cause: %s. It leads to %s: %s.", c.headline(s.names), count(n, "more "+c.kind()),
			plainSpaces(strings.Join(c.others(s.names), "; ")))
		var others []string
		for _, other := range c.stories[1:] {
			others = append(others, other.scenario.ID)
		}
		properties.Add("others", others)
	}
	result := s.run.CreateResultForRule(ruleID(v.Name)).
		WithKind("fail").
		WithLevel(levelOf(v)).
		WithMessage(sarif.NewTextMessage(text)).
		WithPartialFingerprints(map[string]string{"empireGo/v1": v.ID})
	for _, e := range st.events() {
		if at := location(e.Pos, ""); at != nil {
			if len(result.Locations) == 0 {
				result.AddLocation(at)
			} else {
				result.AddRelatedLocation(location(e.Pos, fmt.Sprintf("(%d) %s", e.Event, plainSpaces(st.action(e)))))
			}
		}
	}
	result.WithProperties(properties)
	for _, each := range c.stories {
		if len(each.steps) > 0 {
			result.AddCodeFlow(s.codeFlow(each))
		}
	}
}

// levelOf is what a code host makes of a violation: by the harm that it does.
func levelOf(v *empire.ScenarioResult) string {
	if v.Level == "note" {
		return "note"
	}
	switch empire.Harms[v.Harm.Severity()] {
	case empire.HarmSeen, empire.HarmPossible:
		return "error"
	case empire.HarmNone:
		return "note"
	}
	return "warning"
}

// codeFlow tells the interleaving: the order of its steps over all goroutines is
// their execution order.
func (s *sarifWriter) codeFlow(st *story) *sarif.CodeFlow {
	flows := make([]*sarif.ThreadFlow, len(st.lanes))
	for i, step := range st.steps {
		at := location(step.Pos, "")
		if at == nil || !step.shown && !(!st.lanes[step.lane].column && st.isRelevantStart(i)) {
			continue
		}
		text, importance := plainSpaces(st.action(step)), "important"
		if step.Event > 0 {
			text, importance = fmt.Sprintf("(%d) %s", step.Event, text), "essential"
		}
		if flows[step.lane] == nil {
			flows[step.lane] = sarif.NewThreadFlow().WithID(st.lanes[step.lane].name).WithMessage(
				sarif.NewTextMessage(st.title(step.lane)))
		}
		flows[step.lane].AddLocation(sarif.NewThreadFlowLocation().
			WithLocation(at.WithMessage(sarif.NewTextMessage(text))).
			WithExecutionOrder(i + 1).
			WithImportance(importance))
	}
	flow := sarif.NewCodeFlow()
	for _, f := range flows {
		if f != nil {
			flow.AddThreadFlow(f)
		}
	}
	return flow
}

// open adds a result for what is unknown about a query.
func (s *sarifWriter) open(q *empire.QueryResult) {
	for _, v := range q.Scenarios {
		if v.Verdict != empire.VerdictUnknown {
			continue
		}
		result := s.run.CreateResultForRule(ruleID(v.Name)).
			WithKind("open").
			WithLevel("none").
			WithMessage(sarif.NewTextMessage(fmt.Sprintf("%s of %s: unknown: %s", v.Name, s.names.of(q.Type), v.Reason)))
		if at := location(q.Site, ""); at != nil {
			result.AddLocation(at)
		}
	}
}

// location returns a position with what is to be said of it, nil for none.
func location(pos, text string) *sarif.Location {
	file, line := splitPos(pos)
	if line == 0 {
		return nil
	}
	region := sarif.NewRegion().WithStartLine(line)
	if column, err := strconv.Atoi(pos[strings.LastIndex(pos, ":")+1:]); err == nil && fileLine(pos) != pos {
		region.WithStartColumn(column)
	}
	artifact := sarif.NewArtifactLocation().WithURI(file)
	if !filepath.IsAbs(file) && !strings.HasPrefix(file, "$") {
		artifact.WithURIBaseID(sourceRoot)
	}
	at := sarif.NewLocation().WithPhysicalLocation(
		sarif.NewPhysicalLocation().WithArtifactLocation(artifact).WithRegion(region))
	if text != "" {
		at.WithMessage(sarif.NewTextMessage(text))
	}
	return at
}
