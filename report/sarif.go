package report

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

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
	t := newTextWriter(io.Discard, r, TextOptions{})
	s := &sarifWriter{names: t.names, run: &sarifRun{
		Tool: sarifTool{sarifDriver{Name: r.Tool.Name, Version: strings.TrimPrefix(r.Tool.Version, "v"),
			InformationURI: "https://github.com/empire-go/empire-go"}},
		OriginalURIBaseIDs: map[string]sarifArtifact{
			sourceRoot:   {Description: &sarifMessage{"The root of the module " + r.ModuleRoot}},
			"GOROOT":     {Description: &sarifMessage{"What go env GOROOT prints"}},
			"GOMODCACHE": {Description: &sarifMessage{"What go env GOMODCACHE prints"}},
		},
		Results: []*sarifResult{},
	}}
	for _, known := range scenarios.Table {
		s.addRule(known.Name, known.Harm, fmt.Sprintf("empire-go explain %d", known.Number))
	}
	if slices.ContainsFunc(r.Queries, func(q empire.QueryResult) bool { return len(q.Races) > 0 }) {
		s.addRule(dataRace, "Two goroutines access a field at the same moment, and one of them writes.", "")
	}
	for _, c := range causesOf(r, s.names, all) {
		s.violations(c)
	}
	for i := range r.Queries {
		q := &r.Queries[i]
		for _, known := range q.Violations() {
			if known.Accepted != nil {
				s.violations(&cause{stories: []*story{newStory(q, known, s.names)}})
			}
		}
		for _, race := range q.Races {
			s.race(q, race, sentence(t.raceText(race.Accesses)))
		}
		if q.Verdict == empire.VerdictUnknown {
			s.open(q)
		}
	}
	s.blocking(r)
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(sarifLog{sarifSchema, sarifVersion, []*sarifRun{s.run}})
}

// sourceRoot is the name of the directory that positions are relative to. Where it
// is is left to the reader, and only said in words: the file is read on another machine.
const sourceRoot = "%SRCROOT%"

// ruleID returns the stable name of a rule.
func ruleID(scenario string) string { return "empire/" + scenario }

type sarifWriter struct {
	run   *sarifRun
	names *names
}

// addRule adds a rule, with help if there is any.
func (s *sarifWriter) addRule(name, text, help string) {
	rule := &sarifRule{ID: ruleID(name), Name: name, ShortDescription: &sarifMessage{text}}
	if help != "" {
		rule.FullDescription, rule.Help = &sarifMessage{text}, &sarifMessage{help}
	}
	s.run.Tool.Driver.Rules = append(s.run.Tool.Driver.Rules, rule)
}

// addResult adds a result, which is where the first of the places is that are known.
func (s *sarifWriter) addResult(result *sarifResult, places ...*sarifLocation) {
	for _, at := range places {
		switch {
		case at == nil:
		case len(result.Locations) == 0:
			at.Message = nil // it is that of the result
			result.Locations = append(result.Locations, at)
		default:
			result.RelatedLocations = append(result.RelatedLocations, at)
		}
	}
	s.run.Results = append(s.run.Results, result)
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
	properties := map[string]any{"type": st.query.Type, "fields": list(st.query.Fields), "site": st.query.Site,
		"scenario": v.Scenario, "class": v.Class, "dataRace": v.DataRace, "units": list(v.Units)}
	if v.Harm != nil {
		text += " " + harmInWords(v.Harm)
		properties["harm"] = v.Harm.Status
	}
	if n := len(c.stories) - 1; n > 0 {
		text += fmt.Sprintf(" The cause: %s. It leads to %s: %s.", c.headline(s.names), count(n, "more "+c.kind()),
			plainSpaces(strings.Join(c.others(s.names), "; ")))
		var others []string
		for _, other := range c.stories[1:] {
			others = append(others, other.scenario.ID)
		}
		properties["others"] = others
	}
	result := &sarifResult{RuleID: ruleID(v.Name), Kind: "fail", Level: levelOf(v), Message: sarifMessage{text},
		PartialFingerprints: map[string]string{"empireGo/v1": v.ID}, Suppressions: suppressions(v.Accepted),
		Properties: properties}
	for _, each := range c.stories {
		if len(each.steps) > 0 {
			result.CodeFlows = append(result.CodeFlows, codeFlow(each))
		}
	}
	var places []*sarifLocation
	for _, e := range st.events() {
		places = append(places, location(e.Pos, fmt.Sprintf("(%d) %s", e.Event, plainSpaces(st.action(e)))))
	}
	result.Fixes = sarifFixes(v.Fix)
	s.addResult(result, places...)
}

// sarifFixes are the change that ends a violation, if one is known.
func sarifFixes(f *empire.Fix) []sarifFix {
	if f == nil {
		return nil
	}
	return []sarifFix{{sarifMessage{f.What}, []sarifArtifactChange{{artifact(f.File), []sarifReplacement{{
		sarifRegion{StartLine: f.FirstLine, StartColumn: 1, EndLine: f.LastLine + 1, EndColumn: 1},
		sarifArtifactContent{f.Text}}}}}}}
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
func codeFlow(st *story) *sarifCodeFlow {
	flows := make([]*sarifThreadFlow, len(st.lanes))
	for i, step := range st.steps {
		if !step.shown && !(!st.lanes[step.lane].column && st.isRelevantStart(i)) {
			continue
		}
		text, importance := plainSpaces(st.action(step)), "important"
		if step.Event > 0 {
			text, importance = fmt.Sprintf("(%d) %s", step.Event, text), "essential"
		}
		at := location(step.Pos, text)
		if at == nil {
			continue
		}
		if flows[step.lane] == nil {
			flows[step.lane] = &sarifThreadFlow{ID: st.lanes[step.lane].name, Message: sarifMessage{st.title(step.lane)}}
		}
		flows[step.lane].Locations = append(flows[step.lane].Locations, &sarifFlowPlace{at, i + 1, importance})
	}
	flow := &sarifCodeFlow{}
	for _, f := range flows {
		if f != nil {
			flow.ThreadFlows = append(flow.ThreadFlows, f)
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
		text := fmt.Sprintf("%s of %s: unknown: %s", v.Name, s.names.of(q.Type), v.Reason)
		s.addResult(&sarifResult{RuleID: ruleID(v.Name), Kind: "open", Level: "none", Message: sarifMessage{text}},
			location(q.Site, ""))
	}
}

// location returns a position with what is to be said of it, nil for none.
func location(pos, text string) *sarifLocation {
	file, line := splitPos(pos)
	if line == 0 {
		return nil
	}
	at := &sarifLocation{PhysicalLocation: sarifPhysical{artifact(file), sarifRegion{StartLine: line}}}
	if column, err := strconv.Atoi(pos[strings.LastIndex(pos, ":")+1:]); err == nil && fileLine(pos) != pos {
		at.PhysicalLocation.Region.StartColumn = column
	}
	if text != "" {
		at.Message = &sarifMessage{text}
	}
	return at
}

// artifact names a file by a URI, which has no characters but those that a URI may have, relative
// to the root of the module, or to the directory that a variable of the go command names.
func artifact(file string) sarifArtifact {
	base := sourceRoot
	switch {
	case path.IsAbs(file):
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: file}).String()}
	case filepath.IsAbs(file): // with the letter of a drive
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: "/" + filepath.ToSlash(file)}).String()}
	case strings.HasPrefix(file, "$"):
		base, file, _ = strings.Cut(file[1:], "/")
	}
	return sarifArtifact{URI: (&url.URL{Path: file}).String(), URIBaseID: base}
}
