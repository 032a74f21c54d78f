package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/scenarios"
)

//go:embed page.html
var pageSource string

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

var page = template.Must(template.New("page").Parse(pageSource))

// PageOptions say what a page is for.
type PageOptions struct {
	// SourceURL is where a browser finds the source, with {file} and {line} in it, or what stands before a
	// file as code hosts have it: "https://host/owner/project/blob/main". Without it, places lead to the
	// lines of source in the page.
	SourceURL string
}

// HTML writes r as a page; see Page.
func HTML(w io.Writer, r *empire.Result) error { return Page(w, r, PageOptions{}) }

// Page writes r as one page that needs nothing else: nothing is fetched, and the one script is the same in
// every page. The violations come first, by their causes as in the text, each with its interleaving, through
// which one can step; then the queries, the scenarios and the lines of source. A browser that runs no script
// shows all of it as well.
func Page(w io.Writer, r *empire.Result, o PageOptions) error {
	b := &pageBuilder{textWriter: newTextWriter(io.Discard, r, TextOptions{}), excerpts: newExcerpts(r.ModuleRootDir),
		sourceURL: o.SourceURL, taken: map[string]int{}}
	var text bytes.Buffer // so that nothing is written if rendering fails
	if err := page.Execute(&text, b.page()); err != nil {
		return err
	}
	_, err := w.Write(text.Bytes())
	return err
}

// htmlPage and the types below are what page.html shows, as text.
type htmlPage struct {
	Policy                 string // what the browser may load: the style and the script of the page
	Style                  template.CSS
	Script                 template.JS
	Tool                   empire.Tool
	Module, Verdict, Count string
	Filters                []htmlFilter
	Violations             int
	Causes                 []htmlCause
	Queries                []htmlQuery
	Scenarios              []htmlScenario // those that are violated
	Files                  []htmlFile
}

// htmlFilter is a choice of violations by one of their properties.
type htmlFilter struct {
	Name, Label string
	Values      []htmlValue
}

type htmlValue struct{ Value, Label string }

type htmlCause struct {
	ID, Headline, Extent string
	Level                string
	Violations           []*htmlViolation
}

// htmlQuery is what was asked, and what is known besides the violations.
type htmlQuery struct {
	Subject, Source, Verdict, Reason string
	Outcomes                         []htmlOutcome // of the scenarios that are not violated
	Accepted                         []string
	RestsOn                          []string
	Assumptions                      []htmlAssumption
	Model                            string
}

type htmlOutcome struct{ Name, Verdict, Note string }

type htmlAssumption struct {
	Kind, Text string
	Place      htmlPlace
}

// htmlScenario explains a scenario.
type htmlScenario struct {
	Number                   int
	Name, Harm, Class, Moral string
	Patterns                 []string
	Example                  []htmlLine
}

// htmlLine is a line of an example, in one of two columns.
type htmlLine struct{ First, Second string }

// htmlPlace is a place in the source: where a link goes, if there is anything, and the line among those that
// the page has.
type htmlPlace struct{ Text, Link, Line string }

// pageBuilder turns a result into a page.
type pageBuilder struct {
	*textWriter
	excerpts  *excerpts
	sourceURL string
	taken     map[string]int // how often an id was given
}

func (b *pageBuilder) page() htmlPage {
	r := b.result
	b.causes = causesOf(r, b.names, false)
	b.textWriter.All = true // what is told is told in full
	p := htmlPage{Policy: policy, Style: template.CSS(pageStyle), Script: template.JS(pageScript), Tool: r.Tool,
		Module: r.ModuleRoot, Verdict: r.Verdict, Count: countLine(r, b.causes)}
	for _, c := range b.causes {
		told := htmlCause{ID: b.unique("c" + c.id()), Headline: c.headline(b.names), Extent: plainSpaces(b.extent(c)),
			Level: c.shown().scenario.Level}
		for _, st := range c.stories {
			told.Violations = append(told.Violations, b.violation(st))
		}
		p.Causes = append(p.Causes, told)
	}
	if races := b.races(); len(races) > 0 {
		p.Causes = append(p.Causes, htmlCause{ID: b.unique("races"), Headline: "Data races",
			Extent: count(len(races), "data race"), Level: "error", Violations: races})
	}
	p.Causes = append(p.Causes, b.blockings()...)
	if len(r.Blocking) > 0 && len(r.Queries) == 0 {
		p.Count = blockingCount(r)
	}
	b.choose(&p)
	for _, q := range inOrder(r, b.causes) {
		p.Queries = append(p.Queries, b.query(q))
	}
	p.Scenarios = violatedScenarios(r)
	p.Files = b.excerpts.files()
	return p
}

// maxOpen is how many causes are shown open when the page is opened.
const maxOpen = 8

// choose opens what is looked at first, and collects what can be filtered by.
func (b *pageBuilder) choose(p *htmlPage) {
	filters := []htmlFilter{{Name: "type", Label: "Type"}, {Name: "class", Label: "Class"}, {Name: "harm", Label: "Harm"}}
	for i, c := range p.Causes {
		for j, v := range c.Violations {
			p.Violations++
			v.Open = j == 0 && i < maxOpen && !v.ByLetter
			for k, value := range []htmlValue{{v.Type, v.Type}, {v.Class, v.Class}, {v.HarmStatus, v.HarmTag}} {
				if !slices.Contains(filters[k].Values, value) {
					filters[k].Values = append(filters[k].Values, value)
				}
			}
		}
	}
	for _, f := range filters {
		if len(f.Values) > 1 {
			p.Filters = append(p.Filters, f)
		}
	}
}

// unique returns an id that no other element has.
func (b *pageBuilder) unique(id string) string {
	b.taken[id]++
	if n := b.taken[id]; n > 1 {
		return b.unique(fmt.Sprintf("%s-%d", id, n))
	}
	return id
}

// place prepares a place, to be shown as text.
func (b *pageBuilder) place(pos, text string) htmlPlace {
	p := htmlPlace{Text: text, Line: b.excerpts.use(pos)}
	if file, line := splitPos(pos); line > 0 && b.sourceURL != "" {
		p.Link = sourceLink(b.sourceURL, file, line)
	} else if p.Line != "" {
		p.Link = "#" + p.Line
	}
	return p
}

// query prepares what is known of a query besides its violations.
func (b *pageBuilder) query(q *empire.QueryResult) htmlQuery {
	h := htmlQuery{Subject: b.subject(q), Source: b.sources.line(q.Site), Verdict: q.Verdict, Reason: q.Reason,
		RestsOn: q.RestsOn, Model: modelText(q.Model)}
	for _, group := range acceptedIn(q, b.names) {
		h.Accepted = append(h.Accepted, group.what+", "+group.why)
	}
	for _, s := range q.Scenarios {
		if s.Verdict != empire.VerdictViolation {
			h.Outcomes = append(h.Outcomes, htmlOutcome{fmt.Sprintf("%s (%d)", s.Name, s.Scenario), s.Verdict, s.Reason})
		}
	}
	for _, a := range q.Assumptions {
		h.Assumptions = append(h.Assumptions, htmlAssumption{a.Kind, a.Text, b.place(a.Pos, fileLine(a.Pos))})
	}
	return h
}

// violatedScenarios explains the scenarios that are violated.
func violatedScenarios(r *empire.Result) (all []htmlScenario) {
	violated := map[int]bool{}
	for i := range r.Queries {
		for _, s := range r.Queries[i].Violations() {
			violated[s.Scenario] = s.Accepted == nil || violated[s.Scenario]
		}
	}
	for _, s := range scenarios.Table {
		if !violated[s.Number] {
			continue
		}
		h := htmlScenario{Number: s.Number, Name: s.Name, Harm: s.Harm, Class: s.Class(),
			Moral: capital(s.Consequence("u", "u'", "l1", "l2")) + "."}
		if s.Number != scenarios.ConflictCycle { // whose patterns are many
			for _, p := range s.Patterns {
				h.Patterns = append(h.Patterns, fmt.Sprintf("%d: %s", p.Number, p))
			}
		}
		for _, row := range example(s).rows {
			line := htmlLine{First: row.cell[0].text}
			if row.column > 0 {
				line = htmlLine{Second: row.cell[0].text}
			}
			h.Example = append(h.Example, line)
		}
		all = append(all, h)
	}
	return all
}

// policy allows the style and the script of the page, by their hashes, and nothing else.
var policy = fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'",
	hashOf(pageStyle), hashOf(pageScript))

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
