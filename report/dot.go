package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/emicklei/dot"
	empire "github.com/empire-go/empire-go"
)

// DOT writes the counterexamples of r as graphs for Graphviz, one behind the other, as its tools read them
// (dot -Tsvg -O makes a file of each): one graph for each cause, of the violation that is told for it, in the
// order of the text. A graph has a cluster for each goroutine. Solid edges are the order within a goroutine,
// dashed ones the interleaving, dotted ones who starts whom, red ones who has had to wait for whom; the
// events of the pattern are filled and bear their numbers. Of the goroutines without a column in the text
// there is only whom they start. A result without violations gives a graph that says so.
func DOT(w io.Writer, r *empire.Result) error {
	var b bytes.Buffer
	names, sources := newNames(r), newSources(r.ModuleRootDir)
	causes := causesOf(r, names, false)
	for _, c := range causes {
		d := newDOTWriter("cause_"+c.id(), names, sources)
		d.violation(c)
		d.graph.Write(&b)
	}
	waits := waitGraphs(r, names, sources)
	for _, g := range waits {
		g.Write(&b)
	}
	if len(causes)+len(waits) == 0 {
		d := newDOTWriter("none", names, sources)
		d.graph.Node("none").Attr("label", "no violation found: "+r.Verdict)
		d.graph.Write(&b)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// newDOTWriter begins a graph. Its id is written as it is, so it has to be a name of the DOT language.
func newDOTWriter(id string, names *names, sources *sources) *dotWriter {
	d := &dotWriter{dot.NewGraph(dot.Directed), names, sources}
	d.graph.ID(id)
	d.graph.Attrs("fontname", "Helvetica", "newrank", "true", "nodesep", "0.3", "ranksep", "0.25")
	d.graph.NodeInitializer(func(n dot.Node) {
		n.Box().Attr("fontname", "Courier").Attr("fontsize", 10).Attr("style", "filled").Attr("fillcolor", "white").Attr(
			"color", "gray50")
	})
	return d
}

type dotWriter struct {
	graph   *dot.Graph
	names   *names
	sources *sources
}

// violation draws the counterexample that is told for a cause. The library sorts by key, so that the keys
// are numbers with leading zeros.
func (d *dotWriter) violation(c *cause) {
	st := c.shown()
	d.graph.Attrs("label", quoteDOT("\\l", d.caption(c)...), "fontsize", 12, "labeljust", "l", "labelloc", "t")
	clusters := make([]*dot.Graph, len(st.lanes))
	cluster := func(lane int) *dot.Graph {
		if clusters[lane] == nil {
			clusters[lane] = d.graph.Subgraph(fmt.Sprintf("g%04d", lane), dot.ClusterOption{})
			clusters[lane].Attrs("label", st.title(lane), "style", "filled", "color", "gray95", "fontname", "Helvetica-Bold",
				"fontsize", 11)
		}
		return clusters[lane]
	}
	var drawn drawing
	for i, s := range st.steps {
		if s.shown || !st.lanes[s.lane].column && st.isRelevantStart(i) {
			n := cluster(s.lane).Node(fmt.Sprintf("s%06d", i))
			d.style(n, st, s)
			drawn = append(drawn, drawnStep{n, i})
		}
	}
	for k := range drawn {
		d.edges(drawn, st, k)
		d.wait(drawn, st, k)
	}
}

// title names a goroutine and the unit that it is about.
func (st *story) title(lane int) string {
	if a := st.actorOf(lane); a >= 0 {
		return st.lanes[lane].name + ": " + st.actors[a].name
	}
	return st.lanes[lane].name
}

// drawing is the steps that have a node, in order.
type drawing []drawnStep

type drawnStep struct {
	node  dot.Node
	index int // in the steps of the story
}

// caption is the head of a graph: the cause, what is shown of it, and what goes wrong.
func (d *dotWriter) caption(c *cause) []string {
	const width = 90
	st := c.shown()
	lines := wrap(plainSpaces(c.headline(d.names)), width, 0)
	head := st.scenario.Name + " (" + numbers(st.scenario) + ")"
	if others := len(c.stories) - 1; others > 0 {
		head += fmt.Sprintf(", and %s of this cause", count(others, "more "+c.kind()))
	}
	lines = append(lines, head)
	if outline := st.outline(); outline != "" {
		lines = append(lines, wrap(plainSpaces(sentence(outline)+"."), width, 0)...)
		lines = append(lines, wrap(plainSpaces("So "+st.consequence()+"."), width, 0)...)
	}
	return lines
}

// style gives a step its label and its look.
func (d *dotWriter) style(n dot.Node, st *story, s storyStep) {
	const width = 44
	head := plainSpaces(st.action(s))
	switch {
	case s.Event > 0:
		head = fmt.Sprintf("(%d) %s", s.Event, head)
		n.Attr("fillcolor", "gold").Attr("color", "firebrick").Attr("penwidth", 2)
	case s.boundary():
		n.Attr("fillcolor", "gray85")
	}
	if s.number > 0 {
		head = fmt.Sprintf("%d. %s", s.number, head)
	}
	if at := st.place(s.Pos); at != "" {
		head += "  " + at
	}
	lines := []string{head}
	if source := d.sources.line(s.Pos); source != "" && !s.boundary() {
		lines = append(lines, wrap("   "+source, width, 5)...)
	}
	n.Attr("label", quoteDOT("\\l", lines...))
}

// edges draws the edges into step k of a drawing: from the step before it in its
// goroutine, or from the one that starts the goroutine; and from the step before
// it in the interleaving if that is in another goroutine.
func (d *dotWriter) edges(drawn drawing, st *story, k int) {
	step := func(k int) storyStep { return st.steps[drawn[k].index] }
	lane := step(k).lane
	same, column := -1, -1
	for p := range k {
		if step(p).lane == lane {
			same = p
		}
		if step(p).shown {
			column = p
		}
	}
	switch {
	case same >= 0:
		d.graph.Edge(drawn[same].node, drawn[k].node).Attr("weight", 20).Attr("penwidth", 1.5)
	case st.lanes[lane].startedAt >= 0:
		for p := range k {
			if drawn[p].index == st.lanes[lane].startedAt {
				d.graph.Edge(drawn[p].node, drawn[k].node).Dotted().Attr("color", "gray40").Attr("weight", 0)
			}
		}
	}
	if step(k).shown && column >= 0 && step(column).lane != lane {
		// Without weight, so that the goroutines stay straight, but with rank, so
		// that time runs downwards across all of them.
		d.graph.Edge(drawn[column].node, drawn[k].node).Dashed().Attr("color", "royalblue").Attr("weight", 0).Attr(
			"arrowsize", 0.7)
	}
}

// quoteDOT returns the lines as one DOT string in which each is ended by end, an
// escape of the DOT language.
func quoteDOT(end string, lines ...string) dot.Literal {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	text := ""
	for _, l := range lines {
		text += escape.Replace(l) + end
	}
	return dot.Literal(`"` + text + `"`)
}
