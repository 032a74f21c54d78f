package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/scenarios"
)

// blocking writes what was found about blocking: for each program its findings, each with who waits for whom and the
// interleaving that leads there, and what the answer rests on.
func (t *textWriter) blocking() {
	for i := range t.result.Blocking {
		b := &t.result.Blocking[i]
		asked := b.Entry + ": can its goroutines be blocked for ever?"
		if b.IsCall {
			asked = b.Entry
		}
		t.printf("%s\n\n", t.paint(bold, asked))
		open := openIn(b)
		for k, f := range open {
			t.blockingFinding(f, k, len(open))
		}
		for _, f := range b.Findings {
			if f.Accepted != nil {
				t.paragraph(0, 11, "accepted   "+blockingHeadline(&f)+", "+acceptance(f.Accepted))
			}
		}
		t.blockingVerdict(b)
	}
}

// openIn returns what was found about blocking in a program or a call, and nobody has accepted.
func openIn(b *empire.BlockingResult) (all []*empire.BlockingFinding) {
	for k := range b.Findings {
		if f := &b.Findings[k]; f.Accepted == nil {
			all = append(all, f)
		}
	}
	return all
}

// openFindings is openIn for all of a result.
func openFindings(r *empire.Result) (all []*empire.BlockingFinding) {
	for i := range r.Blocking {
		all = append(all, openIn(&r.Blocking[i])...)
	}
	return all
}

// blockingList says in a line each what was found about blocking, beside what else was found.
func (t *textWriter) blockingList() {
	all := openFindings(t.result)
	if len(all) == 0 || len(all)+len(t.causes) == 1 {
		return
	}
	t.printf("%s\n", t.paint(bold, count(len(all), "finding")+" about blocking"))
	for _, f := range all {
		t.paragraph(6, 2, plainSpaces(blockingHeadline(f))+harmTag(f.Harm))
	}
	t.printf("\n")
}

func (t *textWriter) blockingFinding(f *empire.BlockingFinding, i, n int) {
	class, _ := scenarios.ClassByName(f.Class)
	place := ""
	if n > 1 {
		place = fmt.Sprintf(" %d of %d", i+1, n)
	}
	t.printf("%s%s: %s (definition %d)\n", t.paint(red, "VIOLATION"), place, t.paint(bold, class.Title), f.Definition)
	t.paragraph(2, 0, class.Means)
	t.paragraph(2, 0, "harm: "+blockingHarm(f.Harm))
	t.printf("\n  %s\n", t.paint(bold, waitTitle(f)))
	for _, w := range f.Waits {
		t.waiting(w)
	}
	if len(f.Also) > 0 {
		t.printf("\n  %s\n", t.paint(bold, "Blocked with them"))
		for _, w := range f.Also {
			t.waiting(w)
		}
	}
	if len(f.Harm.Calls) > 0 {
		t.printf("\n")
		t.harmLines(2, f.Harm)
	}
	if f.Class == dataRace { // the two are all that there is to see
		t.printf("\n")
		t.namesOf(f, class)
		return
	}
	t.printf("\n%s\n", indentLines(t.blockingTable(f).render(t.Width-2, t.Color), 2))
	if text := confirmationText(f.Confirmation); text != "" {
		t.paragraph(2, 0, text)
		t.printf("\n")
	}
	t.namesOf(f, class)
}

// namesOf says how to speak of a finding.
func (t *textWriter) namesOf(f *empire.BlockingFinding, class scenarios.Class) {
	t.paragraph(2, 0, plainSpaces(fmt.Sprintf("Class: %s. Id: %s. See also: empire-go explain %s", class.Title, f.ID,
		class.Name)))
	t.printf("\n")
}

// blockingHarm says what a finding about blocking comes to.
func blockingHarm(h *empire.Harm) string {
	switch {
	case h.Reason != "":
		return h.Status + ": " + h.Reason
	case len(h.Calls) > 0:
		return h.Status + ": an interpreter has carried out the calls, and no further call or time lets it go on"
	case h.Status == empire.HarmSeen:
		return "seen: a run of the program did it"
	}
	return h.Status + ": no condition on the way there is guessed"
}

// blockingLevel is how serious a finding about blocking is.
func blockingLevel(f *empire.BlockingFinding) string {
	switch f.Harm.Status {
	case empire.HarmUnknown:
		return "warning"
	case empire.HarmNone:
		return "note"
	}
	return "error"
}

// waitTitle is the head of those that wait.
func waitTitle(f *empire.BlockingFinding) string {
	switch {
	case f.EitherFirst:
		return "What may come first"
	case f.Class == dataRace:
		return "What nothing orders"
	case f.Class == "order":
		return "What ends the program"
	case f.Class == "livelock":
		return "Who hinders whom"
	case len(f.Waits) > 1:
		return "Who waits for whom"
	case f.Class == "no-progress":
		return "Who goes round"
	}
	return "Who waits"
}

// waiting tells about one goroutine.
func (t *textWriter) waiting(w empire.Waiting) {
	t.paragraph(4, 4, plainSpaces(fmt.Sprintf("%s, %s: %s%s", instanceName(w.Goroutine, w.Instance), fileLine(w.Pos),
		w.What, waitsText(w))))
	if source := t.sources.line(w.Pos); source != "" {
		t.printf("        %s\n", t.paint(dim, source))
	}
}

// instanceName names a copy of a goroutine.
func instanceName(name string, instance int) string {
	if instance > 1 {
		return fmt.Sprintf("%s#%d", name, instance)
	}
	return name
}

// waitsText says whom a goroutine waits for.
func waitsText(w empire.Waiting) string {
	var holders, others []string
	for _, f := range w.For {
		name := instanceName(f.Goroutine, f.Instance)
		switch {
		case f.Holds != "" && f.Ended:
			holders = append(holders, name+" has ended with "+f.Holds)
		case f.Holds != "" && f.Goroutine == w.Goroutine && f.Instance == w.Instance:
			holders = append(holders, "it holds "+f.Holds+" itself")
		case f.Holds != "":
			holders = append(holders, name+" holds "+f.Holds)
		default:
			others = append(others, name+" could "+f.Could)
		}
	}
	switch {
	case len(holders) > 0:
		return "; " + and(holders)
	case len(others) > 0:
		return "; only " + and(others) + ", but does not come there"
	}
	return ""
}

// maxBlockingColumns is how many goroutines have a column of their own.
const maxBlockingColumns = 4

// blockingTable lays the interleaving out, with a column for each goroutine that waits. The others share one.
func (t *textWriter) blockingTable(f *empire.BlockingFinding) *table {
	columns := map[string]int{}
	tb := &table{}
	add := func(name string) {
		if _, ok := columns[name]; !ok && len(columns) < maxBlockingColumns-1 {
			columns[name] = len(tb.heads)
			tb.heads = append(tb.heads, []line{{text: name, style: bold}})
		}
	}
	for _, w := range f.Waits {
		add(instanceName(w.Goroutine, w.Instance))
	}
	if name := onlyOther(f, columns); name != "" {
		add(name)
	}
	others := -1
	for i, s := range f.Interleaving {
		name := instanceName(s.Goroutine, s.Instance)
		at, ok := columns[name]
		text := plainSpaces(blockingAction(s))
		if !ok {
			if others < 0 {
				others = len(tb.heads)
				tb.heads = append(tb.heads, []line{{text: "others", style: bold}})
			}
			at, text = others, name+": "+text
		}
		cell := []line{{text: text}}
		if hasPlace(s.Pos) { // the end of a function has no place
			cell[0].tail = "  " + fileLine(shortFile(s.Pos))
		}
		if source := t.sources.line(s.Pos); source != "" {
			cell = append(cell, line{text: source, indent: 2, style: dim})
		}
		tb.rows = append(tb.rows, row{label: fmt.Sprintf("%d", i+1), column: at, cell: cell})
	}
	for _, w := range f.Waits {
		if at, ok := columns[instanceName(w.Goroutine, w.Instance)]; ok {
			text := "BLOCKED"
			switch f.Class {
			case "order":
				if text = "ENDS THE PROGRAM"; f.EitherFirst {
					text = "EITHER FIRST"
				}
			case "no-progress", "livelock":
				text = "GOES ROUND"
			}
			cell := []line{{text: text, tail: "  " + fileLine(shortFile(w.Pos)), style: red},
				{text: w.What, indent: 2, style: red}}
			tb.rows = append(tb.rows, row{column: at, cell: cell})
		}
	}
	return tb
}

// onlyOther returns the one goroutine of the interleaving that has no column yet; "" if there are none, or several.
func onlyOther(f *empire.BlockingFinding, columns map[string]int) (name string) {
	for _, s := range f.Interleaving {
		own := instanceName(s.Goroutine, s.Instance)
		if _, ok := columns[own]; ok || own == name {
			continue
		}
		if name != "" {
			return ""
		}
		name = own
	}
	return name
}

// shortFile leaves the folders of a file out.
func shortFile(pos string) string { return pos[strings.LastIndexByte(pos, '/')+1:] }

// blockingAction says what a step does.
func blockingAction(s empire.Step) string {
	switch {
	case s.Lock != "":
		return map[string]string{"lock": "lock ", "unlock": "unlock ", "rlock": "lock for reading ",
			"runlock": "unlock for reading "}[s.Action] + s.Lock
	case s.Action == "start":
		return "start " + s.Target
	case s.Action == "recv" && s.Closed:
		return "find " + s.Channel + " closed"
	case s.Channel != "":
		return map[string]string{"send": "send to ", "recv": "receive from ", "close": "close "}[s.Action] + s.Channel
	case s.Text != "":
		return s.Text
	}
	return s.Action
}

// blockingVerdict says what is known besides the findings.
func (t *textWriter) blockingVerdict(b *empire.BlockingResult) {
	switch b.Verdict {
	case empire.VerdictSafe:
		in := " in the model"
		if b.Model.Goroutines == 0 { // none was needed
			in = ""
		}
		t.paragraph(0, 11, t.paint(green, "safe")+"       no goroutine can be blocked for ever"+in+", and no "+
			"operation on a channel, lock or wait group can end the program")
	case empire.VerdictUnknown:
		t.paragraph(0, 11, t.paint(yellow, "unknown")+"    "+b.Reason)
	}
	t.settledLocks(b.Locks)
	if b.Model.Goroutines > 0 {
		t.paragraph(0, 11, fmt.Sprintf("model      %s, %s, %s; %s", count(b.Model.Goroutines, "goroutine"),
			count(b.Model.Locks, "lock"), count(b.Model.Channels, "channel"), count(b.States, "state")))
	}
	guesses := b.Guesses
	if b.IsCall && !t.All { // those that matter are on the way to what was found, and told with it
		guesses = slices.DeleteFunc(slices.Clone(guesses), func(g empire.Assumption) bool { return g.Kind != "clients" })
	}
	for i, g := range guesses {
		if i == maxGuesses && !t.All {
			t.printf("           and %d more (--all shows them)\n", len(guesses)-maxGuesses)
			break
		}
		at := ""
		if hasPlace(g.Pos) {
			at = fileLine(g.Pos) + ": "
		}
		t.paragraph(0, 11, "guess      "+at+g.Text)
	}
	t.printf("\n")
}

// settledLocks says of which locks it is certain that nobody waits for them for ever, and what keeps that open of
// others.
func (t *textWriter) settledLocks(all []empire.SettledLock) {
	var safe []string
	for _, l := range all {
		if l.Verdict == empire.VerdictSafe {
			safe = append(safe, shortLock(l.Name))
		}
	}
	if len(safe) > 0 {
		t.paragraph(0, 11, "locks      nobody waits for ever for "+and(safe))
	}
	open := 0
	for _, l := range all {
		if l.Verdict == empire.VerdictSafe {
			continue
		}
		if open++; open <= maxGuesses || t.All {
			t.paragraph(0, 11, "open       "+shortLock(l.Name)+": "+l.Reason)
		}
	}
	if open > maxGuesses && !t.All {
		t.printf("           and %d more (--all shows them)\n", open-maxGuesses)
	}
}

// shortLock leaves the path of the package out of the name of a lock.
func shortLock(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// maxGuesses is how many guesses are listed.
const maxGuesses = 6

// blockingCount is the last line.
func blockingCount(r *empire.Result) string {
	violated, safe, unknown, accepted := 0, 0, 0, 0
	for i := range r.Blocking {
		b := &r.Blocking[i]
		accepted += len(b.Findings) - len(openIn(b))
		switch {
		case b.IsCall:
		case b.Verdict == empire.VerdictViolation:
			violated++
		case b.Verdict == empire.VerdictSafe:
			safe++
		default:
			unknown++
		}
	}
	if p := r.Programs; p != nil { // of those that are open, there is no answer
		safe, unknown = p.Asked-p.Open-violated, p.Open
	}
	text := count(len(openFindings(r)), "finding")
	if programs := violated + safe + unknown; programs > 0 {
		text = fmt.Sprintf("%s: %s, %d safe, %d unknown", count(programs, "program"), text, safe, unknown)
	}
	if accepted > 0 {
		text += fmt.Sprintf(", %d accepted", accepted)
	}
	return text + besideCount(r)
}

// besideCount says, behind what else was asked, what was asked about blocking beside it, if that came to something or
// blocking was asked about by name.
func besideCount(r *empire.Result) string {
	if len(r.Blocking) == 0 {
		return ""
	}
	asked, open := []string{}, 0
	add := func(what string, e *empire.Extent) {
		if e != nil && e.Asked > 0 {
			asked, open = append(asked, count(e.Asked, what)), open+e.Open
		}
	}
	if len(r.Queries) > 0 { // else they are counted before
		add("program", r.Programs)
	}
	add("call", r.Calls)
	if len(asked) == 0 {
		return ""
	}
	text := "; " + strings.Join(asked, " and ") + " looked at"
	if len(r.Queries) > 0 {
		text += ": " + count(len(openFindings(r)), "finding")
	}
	if open > 0 {
		text += fmt.Sprintf(", %d not to the end", open)
	}
	return text
}

// confirmationText tells whether a run did it.
func confirmationText(c *empire.Confirmation) string {
	if c == nil || c.Status == empire.NotTried && c.Reason == "" {
		return ""
	}
	if c.Status == empire.Confirmed {
		return "Confirmed: a run of the program came to stand still there. " + c.Reason
	}
	return capital(c.Status) + ": " + c.Reason
}

// ExplainClass writes what there is to know about a class of the classification.
func ExplainClass(w io.Writer, c scenarios.Class, o TextOptions) error {
	t := newTextWriter(w, &empire.Result{}, o)
	t.printf("%s\n", t.paint(bold, fmt.Sprintf("%s (definition %d)", capital(c.Title), c.Definition)))
	t.paragraph(2, 0, c.Means)
	t.printf("\nIn Go\n")
	t.paragraph(2, 0, c.InGo)
	t.printf("\nHow it is shown\n")
	t.paragraph(2, 0, c.Shown)
	rows := example(scenarios.Scenario{Example: c.Example})
	t.printf("\nExample, from top to bottom\n%s", indentLines(rows.render(t.Width-2, o.Color), 2))
	if c.Blocking {
		t.printf("\nTo look for it: empire-go check --class %s\n", c.Name)
	}
	if c.Name == "deadlock" || c.Name == "data-race" {
		t.printf("\nIn other orders of a run: empire-go run --predict --class %s\n", c.Name)
	}
	if c.Name == "deadlock" || c.Name == "blocked" {
		t.printf("\nAt the end of a run: empire-go run --blocked, or test --blocked\n")
	}
	return t.out.Flush()
}
