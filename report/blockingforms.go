package report

import (
	"fmt"
	"strings"

	"github.com/emicklei/dot"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/scenarios"
)

// blockingforms.go has what was found about blocking in the other forms: a page, graphs, SARIF.

// blockings prepares the findings of all programs for the page, each as a cause of its own: the interleaving can be
// stepped through.
func (b *pageBuilder) blockings() (all []htmlCause) {
	for i := range b.result.Blocking {
		q := &b.result.Blocking[i]
		for _, f := range openIn(q) {
			all = append(all, htmlCause{ID: b.unique("b" + f.ID), Headline: blockingHeadline(f), Extent: q.Entry,
				Level:      blockingLevel(f),
				Violations: []*htmlViolation{b.blockingViolation(q, f)}})
		}
	}
	return all
}

// blockingHeadline says in a line what was found.
func blockingHeadline(f *empire.BlockingFinding) string {
	class, _ := scenarios.ClassByName(f.Class)
	var told []string
	for _, w := range f.Waits {
		told = append(told, fmt.Sprintf("%s %s (%s)", instanceName(w.Goroutine, w.Instance), w.What,
			fileLine(shortFile(w.Pos))))
	}
	return capital(class.Title) + ": " + and(told)
}

func (b *pageBuilder) blockingViolation(q *empire.BlockingResult, f *empire.BlockingFinding) *htmlViolation {
	class, _ := scenarios.ClassByName(f.Class)
	v := &htmlViolation{ID: b.unique("v" + f.ID), Known: f.ID, Level: blockingLevel(f), Name: class.Title,
		Short: blockingHeadline(f),
		Type:  q.Entry, Class: class.Title, HarmStatus: f.Harm.Status, HarmTag: harmLabel(f.Harm),
		Harm:    class.Means + " Harm: " + blockingHarm(f.Harm) + ".",
		Numbers: fmt.Sprintf("definition %d", f.Definition), Confirmation: confirmationText(f.Confirmation)}
	for _, w := range append(f.Waits[:len(f.Waits):len(f.Waits)], f.Also...) {
		v.Units = append(v.Units, htmlUnit{b.names.of(w.Function), instanceName(w.Goroutine, w.Instance),
			b.place(w.Pos, fileLine(w.Pos))})
		v.Background = append(v.Background, instanceName(w.Goroutine, w.Instance)+" "+w.What+plainSpaces(waitsText(w)))
	}
	t := b.blockingTable(f)
	for _, head := range t.heads {
		v.Columns = append(v.Columns, head[0].text)
	}
	for i, r := range t.rows {
		row := htmlRow{Cells: make([]htmlCell, len(t.heads))}
		cell := htmlCell{Goroutine: v.Columns[r.column], Action: r.cell[0].text, Class: "event"}
		if i < len(f.Interleaving) {
			pos := f.Interleaving[i].Pos
			row.Number, row.Said, cell.Class = i+1, cell.Goroutine+": "+cell.Action, ""
			if hasPlace(pos) {
				cell.Place, cell.Source = b.place(pos, fileLine(shortFile(pos))), b.sources.line(pos)
			}
		}
		row.Cells[r.column] = cell
		v.Rows = append(v.Rows, row)
	}
	return v
}

// waitGraphs draws, for each finding, who holds what and waits for whom: boxes are goroutines, with where they wait,
// ellipses are locks. Solid edges lead to what is held or waited for, dashed ones to who could do it but does not
// come there.
func waitGraphs(r *empire.Result, names *names, sources *sources) (all []*dot.Graph) {
	for _, f := range openFindings(r) {
		d := newDOTWriter("blocking_"+f.ID, names, sources)
		d.graph.Attrs("label", quoteDOT("\\l", wrap(blockingHeadline(f), 90, 0)...), "fontsize", 12, "labeljust", "l",
			"labelloc", "t")
		d.waitGraph(f)
		all = append(all, d.graph)
	}
	return all
}

func (d *dotWriter) waitGraph(f *empire.BlockingFinding) {
	node := func(name string) dot.Node { return d.graph.Node("g " + name) }
	for i, w := range append(f.Waits[:len(f.Waits):len(f.Waits)], f.Also...) {
		name := instanceName(w.Goroutine, w.Instance)
		n := node(name).Attr("label", quoteDOT("\\n", name+": "+d.names.of(w.Function), w.What, fileLine(w.Pos),
			d.sources.line(w.Pos)))
		if i < len(f.Waits) {
			n.Attr("fillcolor", "mistyrose")
		}
		for _, e := range w.For {
			to := instanceName(e.Goroutine, e.Instance)
			if e.Holds == "" {
				d.graph.Edge(node(name), node(to)).Attr("style", "dashed").Attr("label", quoteDOT("\\n", "could "+e.Could))
				continue
			}
			lock := d.graph.Node("l "+e.Holds).Attr("shape", "ellipse").Attr("label", quoteDOT("\\n", e.Holds))
			d.graph.Edge(node(name), lock).Attr("label", "waits for").Attr("color", "red")
			if len(d.graph.FindEdges(lock, node(to))) == 0 {
				d.graph.Edge(lock, node(to)).Attr("label", "held by")
			}
		}
	}
}

// blocking adds the findings about blocking: a rule for each class, and a result for each finding, at the places of
// those that wait.
func (s *sarifWriter) blocking(r *empire.Result) {
	if len(r.Blocking) == 0 {
		return
	}
	for _, c := range scenarios.Classes {
		if c.Blocking {
			s.addRule(c.Name, c.Means, "empire-go explain "+c.Name)
		}
	}
	for i := range r.Blocking {
		b := &r.Blocking[i]
		for k := range b.Findings {
			f := &b.Findings[k]
			var places []*sarifLocation
			var told []string
			for _, w := range f.Waits {
				text := instanceName(w.Goroutine, w.Instance) + " " + w.What + plainSpaces(waitsText(w))
				places, told = append(places, location(w.Pos, text)), append(told, text)
			}
			s.addResult(&sarifResult{RuleID: ruleID(f.Class), Kind: "fail", Level: blockingLevel(f),
				Message: sarifMessage{strings.Join(told, "; ") + "."}, PartialFingerprints: map[string]string{"empireGo/v1": f.ID},
				CodeFlows: []*sarifCodeFlow{blockingFlow(f)}, Suppressions: suppressions(f.Accepted),
				Properties: map[string]any{"class": f.Class, "definition": f.Definition, "entry": b.Entry,
					"harm": f.Harm.Status}}, places...)
		}
		if b.Verdict == empire.VerdictUnknown {
			s.addResult(&sarifResult{RuleID: ruleID("blocked"), Kind: "open", Level: "none",
				Message: sarifMessage{b.Entry + ": unknown: " + b.Reason}})
		}
	}
}

// blockingFlow tells the interleaving of a finding, with a thread flow for each goroutine.
func blockingFlow(f *empire.BlockingFinding) *sarifCodeFlow {
	flow, index := &sarifCodeFlow{}, map[string]*sarifThreadFlow{}
	for i, step := range f.Interleaving {
		at := location(step.Pos, plainSpaces(blockingAction(step)))
		if at == nil {
			continue
		}
		name := instanceName(step.Goroutine, step.Instance)
		if index[name] == nil {
			index[name] = &sarifThreadFlow{ID: name, Message: sarifMessage{name}}
			flow.ThreadFlows = append(flow.ThreadFlows, index[name])
		}
		index[name].Locations = append(index[name].Locations, &sarifFlowPlace{at, i + 1, "important"})
	}
	return flow
}
