package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/scenarios"
)

// TextOptions say what the text is for.
type TextOptions struct {
	Color bool // use the terminal's colours
	Width int  // of the lines; 0 means DefaultWidth
	All   bool // tell every violation in full, not one for each cause
}

// DefaultWidth is the width of the text where it does not go to a terminal.
// Narrower than MinWidth it does not get.
const (
	DefaultWidth = 100
	MinWidth     = 60
)

// Text writes r for people: for each cause of violations one of them, with the scenario
// in words, the two units and the interleaving with a column for each of the
// goroutines that matter, and which others there are; for each query what is safe, what is
// unknown and what that relies on; and a count as the last line. What does the worst harm comes
// first; what does none has a line.
func Text(w io.Writer, r *empire.Result, o TextOptions) error {
	t := newTextWriter(w, r, o)
	if len(r.Queries) == 0 && len(r.Blocking) > 0 {
		t.blocking()
		t.printf("%s\n", blockingCount(r))
		return t.out.Flush()
	}
	t.causes = causesOf(r, t.names, false)
	if t.isFolded() && len(r.Queries) > 1 {
		t.causeList()
	}
	t.blockingList()
	if len(r.Queries) > 1 {
		t.assumed = &assumptionList{}
	}
	isFirst := isBlockingFirst(r, t.causes)
	if isFirst {
		t.blocking()
	}
	for _, q := range inOrder(r, t.causes) {
		switch {
		case !asksAboutRaces(q):
			t.query(q)
		case q.Verdict != empire.VerdictSafe:
			t.raceQuery(q)
		}
	}
	t.withoutRaces()
	t.allAssumed()
	if !isFirst {
		t.blocking()
	}
	t.timings()
	t.printf("%s\n", countLine(r, t.causes))
	return t.out.Flush() // a bufio.Writer keeps its first error
}

type textWriter struct {
	out    *bufio.Writer
	result *empire.Result
	TextOptions
	names   *names
	sources *sources
	causes  []*cause
	assumed *assumptionList // by the queries that have been told; nil if one is told alone
}

func newTextWriter(w io.Writer, r *empire.Result, o TextOptions) *textWriter {
	if o.Width == 0 {
		o.Width = DefaultWidth
	}
	o.Width = max(o.Width, MinWidth)
	return &textWriter{out: bufio.NewWriter(w), result: r, TextOptions: o, names: newNames(r),
		sources: newSources(r.ModuleRootDir)}
}

func (t *textWriter) printf(format string, args ...any) { fmt.Fprintf(t.out, format, args...) }

func (t *textWriter) paint(s style, text string) string { return paint(t.Color, s, text) }

// paragraph writes text wrapped and indented, the lines after the first by indent
// and hang.
func (t *textWriter) paragraph(indent, hang int, text string) {
	pad := strings.Repeat(" ", indent)
	for _, l := range wrap(pad+text, t.Width, indent+hang) {
		t.printf("%s\n", plainSpaces(l))
	}
}

// query writes the answer to one query.
func (t *textWriter) query(q *empire.QueryResult) {
	t.printf("%s\n", t.paint(bold, t.subject(q)))
	if source := t.sources.line(q.Site); source != "" {
		t.printf("  %s  %s\n", fileLine(q.Site), source)
	}
	t.printf("\n")
	t.told(q, storiesOf(q, t.names))
	t.verdicts(q)
	t.printf("\n")
}

// told tells the violations of a query: each, or one for each cause.
func (t *textWriter) told(q *empire.QueryResult, stories []*story) {
	if t.isFolded() {
		t.tellCauses(q)
	} else {
		t.violations(stories)
	}
}

// violations tells each of the violations of a query.
func (t *textWriter) violations(stories []*story) {
	if len(stories) >= manyViolations {
		t.overview(stories)
	}
	for i, st := range stories {
		place := ""
		if len(stories) > 1 {
			place = fmt.Sprintf(" %d of %d", i+1, len(stories))
		}
		if h := st.scenario.Harm; isByLetter(h) && !t.All {
			t.byLetter(place, t.inShort(st), h)
		} else {
			t.violation(st, place, nil)
		}
	}
}

// subject says what a query is about: "Vector: fields count and data, ...". Of a request
// whose limits ran out before it was known what its queries are, it says what is known.
func (t *textWriter) subject(q *empire.QueryResult) string {
	switch {
	case len(q.Fields) == 0 && q.Type == "" && q.Entry != "":
		return entryOf(q)
	case len(q.Fields) == 0 && q.Type == "":
		return strings.Join(t.result.Invocation.Packages, " ")
	case len(q.Fields) == 0:
		return t.names.of(q.Type)
	}
	what, of, made := "field", t.names.of(q.Type)+": ", "allocated"
	switch {
	case q.Type == "" && q.Site != "":
		what, of, made = "variable", "", "made"
	case q.Type == "":
		what, of = "package variable", ""
	}
	if len(q.Fields) != 1 {
		what += "s"
	}
	s := of + what + " " + and(q.Fields)
	if q.Site != "" {
		s += ", " + made + " at " + q.Site
		switch others := len(q.Sites) - 1; {
		case others == 1:
			s += " or " + q.Sites[1]
		case others > 1:
			s += fmt.Sprintf(" or %d other places", others)
		}
	}
	return s
}

// storiesOf returns the violations of q that have not been accepted: those that do the worst harm
// first, of these the shortest counterexample; the notes last.
func storiesOf(q *empire.QueryResult, n *names) []*story {
	var found []*story
	for _, s := range q.Violations() {
		if s.Accepted == nil {
			found = append(found, newStory(q, s, n))
		}
	}
	slices.SortStableFunc(found, func(a, b *story) int {
		return cmp.Or(a.severity()-b.severity(), a.length()-b.length())
	})
	return found
}

// manyViolations is how many violations have a list of themselves above them.
const manyViolations = 4

// overview lists the violations, a line each.
func (t *textWriter) overview(stories []*story) {
	first := "shortest"
	if isKnown(stories) {
		first = "most harmful"
	}
	t.printf("%s, the %s first\n", t.paint(bold, count(len(stories), "violation")), first)
	for i, st := range stories {
		text := fmt.Sprintf("%4d  %s", i+1, t.inShort(st))
		if st.scenario.DataRace {
			text += "; data race"
		}
		if st.scenario.Level == "note" {
			text += "; a note"
		}
		t.paragraph(0, 8, text+harmTag(st.scenario.Harm))
	}
	t.printf("\n")
}

// inShort is a violation in a line: "lost-write (5): F and G, on a and b".
func (t *textWriter) inShort(st *story) string {
	s := st.scenario
	text := fmt.Sprintf("%s (%d)", s.Name, s.Scenario)
	var units []string
	for _, u := range s.Units {
		units = append(units, t.names.of(u))
	}
	if len(units) == 2 && units[0] == units[1] {
		text += ": two runs of " + units[0]
	} else if len(units) > 0 {
		text += ": " + and(units)
	}
	if len(s.Locations) > 0 {
		text += ", on " + and(fieldsOf(s))
	}
	return text
}

// noteReason says why a violation is only a note; note is empty in results of older versions.
func noteReason(note string) string {
	switch note {
	case empire.NoteOutput:
		return "the values that are read go to logs, metrics or output and nowhere else"
	case empire.NotePassing:
		return "what is read decides only how long to wait or which functions to call, or a unit takes out of a map what " +
			"it has put in"
	case empire.NoteLibrary:
		return "it lies within one call of a library, on an object that has locks of its own"
	}
	return "it is true by the letter, and does not count"
}

// violation writes one violation, with its place among all of them, and which others have
// its cause, unless that is nil.
func (t *textWriter) violation(st *story, place string, c *cause) {
	word, s := t.paint(red, "VIOLATION"), st.scenario
	if s.Level == "note" {
		word = t.paint(yellow, "NOTE")
	}
	t.printf("%s%s: %s (%s)\n", word, place, t.paint(bold, s.Name), numbers(s))
	if known, ok := scenarios.ByNumber(s.Scenario); ok {
		t.paragraph(2, 0, known.Harm)
	}
	if s.Level == "note" {
		t.paragraph(2, 0, "A note only: "+noteReason(s.Note)+".")
	}
	t.printf("\n")
	t.harm(s.Harm)
	t.units(st)
	if text := unshown(s.Harm); text != "" {
		t.paragraph(0, 17, "  harm           "+text)
	}
	if lines := st.background(); len(lines) > 0 {
		t.printf("\n")
		for _, l := range lines {
			t.paragraph(2, 2, l+".")
		}
	}
	if len(st.steps) > 0 {
		t.printf("\n%s\n", indentLines(t.interleaving(st), 2))
	}
	t.moral(st)
	if text := confirmation(st.scenario); text != "" {
		t.paragraph(2, 0, text)
		t.printf("\n")
	}
	if f := st.scenario.Fix; f != nil {
		t.paragraph(2, 0, fmt.Sprintf("Fix, checked: %s (%s:%d). --diff shows it, --fix writes it.", f.What, f.File,
			f.FirstLine))
		t.printf("\n")
	}
	t.sameCause(c)
	t.paragraph(2, 0, t.footnote(s, c))
	t.printf("\n")
}

// numbers names the scenario and the pattern by their numbers.
func numbers(s *empire.ScenarioResult) string {
	if s.Pattern != nil {
		return fmt.Sprintf("scenario %d, pattern %d", s.Scenario, *s.Pattern)
	}
	return fmt.Sprintf("scenario %d", s.Scenario)
}

// units writes the two units of work, who runs them and on which objects, if those
// are several.
func (t *textWriter) units(st *story) {
	if len(st.actors) != 2 {
		for _, u := range st.scenario.Units {
			t.printf("  unit of work  %s\n", t.names.of(u))
		}
		return
	}
	wide := 0
	for _, a := range st.actors {
		wide = max(wide, len(t.names.of(a.unit)))
	}
	for i, a := range st.actors {
		at := ""
		if pos := st.beginOf(a); pos != "" {
			at = ", " + fileLine(pos)
		}
		t.printf("  %-13s  %-*s  in goroutine %s%s\n", [...]string{"one unit", "the other"}[i], wide, t.names.of(a.unit),
			st.lanes[a.lane].name, at)
	}
	t.isRace(st)
	for i, site := range st.objects {
		switch {
		case len(st.objects) == 1:
		case site == st.query.Site:
			t.printf("  object #%d      the checked one, allocated at %s\n", i+1, site)
		default:
			t.printf("  object #%d      allocated at %s\n", i+1, site)
		}
	}
}

// isRace says whether the violation is a data race as well.
func (t *textWriter) isRace(st *story) {
	text := "no: a race detector has nothing to report here"
	switch {
	case st.scenario.DataRace:
		text = "yes, besides: the two goroutines can access " + or(fieldsOf(st.scenario), "a field") + " at the same moment"
	case slices.ContainsFunc(st.query.Assumptions, func(a empire.Assumption) bool { return a.Kind == "data race" }):
		text = "not decided"
	}
	t.paragraph(0, 17, "  data race      "+text)
}

// moral writes what happened and what it means, with the names of the code.
func (t *textWriter) moral(st *story) {
	outline, meaning := st.outline(), st.consequence()
	if outline == "" {
		return
	}
	t.printf("  %s\n", t.paint(bold, "What goes wrong"))
	t.paragraph(4, 0, sentence(outline+"."))
	if meaning != "" {
		t.paragraph(4, 0, "So "+meaning+".")
	}
	if locks := st.lockHint(); locks != "" {
		t.paragraph(4, 0, locks)
	}
	t.printf("\n")
}

// fieldsOf names the locations of a violation, in few words if they are the same
// field of two objects.
func fieldsOf(s *empire.ScenarioResult) []string {
	if l := s.Locations; len(l) == 2 && l[0] == l[1] {
		return []string{l[0] + " of two objects"}
	}
	var names []string
	for _, l := range s.Locations {
		names = append(names, fieldName(l))
	}
	return names
}

// fieldName names a location: a field, or the objects that it leads to and that are told
// apart from it since they have locks of their own.
func fieldName(location string) string {
	if field, isPart := strings.CutSuffix(location, empire.PartSuffix); isPart {
		return field + unbroken + "(its objects)"
	}
	return location
}

// or joins words as alternatives; without words it is the other text.
func or(words []string, other string) string {
	if len(words) == 0 {
		return other
	}
	return strings.Join(words, " or ")
}

// sentence begins text with a capital letter if it begins with a word of ours.
func sentence(text string) string {
	if rest, ok := strings.CutPrefix(text, "the "); ok {
		return "The " + rest
	}
	return text
}

// footnote is what one needs to refer to a violation or to read on.
func (t *textWriter) footnote(s *empire.ScenarioResult, c *cause) string {
	text := ""
	add := func(label, value string) {
		if value != "" {
			text += label + strings.ReplaceAll(value, " ", unbroken) + ". "
		}
	}
	add("Class: ", s.Class)
	add("Id: ", s.ID)
	if c != nil && len(c.stories) > 1 {
		add("Id of the cause: ", c.id())
	}
	return text + "See also: " + strings.ReplaceAll(fmt.Sprintf("empire-go explain %d", s.Scenario), " ", unbroken)
}

// and joins words as in a sentence: "a, b and c".
func and(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

func indentLines(text string, n int) string {
	pad := strings.Repeat(" ", n)
	lines := strings.SplitAfter(text, "\n")
	for i, l := range lines {
		if l != "" && l != "\n" {
			lines[i] = pad + l
		}
	}
	return strings.Join(lines, "")
}
