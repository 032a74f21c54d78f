package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/emicklei/dot"
	empire "github.com/empire-go/empire-go"
)

// DOT writes the counterexamples of r as a graph for Graphviz: one cluster for
// each violation, in it one for each goroutine. Solid edges are the order within a
// goroutine, dashed ones the interleaving; the events of the pattern are filled
// and bear their numbers. A result without violations gives a graph that says so.
func DOT(w io.Writer, r *empire.Result) error {
	d := &dotWriter{dot.NewGraph(dot.Directed), newNames(r), newSources(r.ModuleRootDir)}
	d.graph.Attrs("fontname", "Helvetica", "newrank", "true", "nodesep", "0.3", "ranksep", "0.25")
	d.graph.NodeInitializer(func(n dot.Node) {
		n.Box().Attr("fontname", "Courier").Attr("fontsize", 10).Attr("style", "filled").Attr("fillcolor", "white").Attr("color", "gray50")
	})
	number := 0
	for i := range r.Queries {
		for _, s := range violationsOf(&r.Queries[i]) {
			number++
			d.violation(number, newStory(&r.Queries[i], s, d.names))
		}
	}
	if number == 0 {
		d.graph.Node("none").Attr("label", "no violation found: "+r.Verdict)
	}
	var b bytes.Buffer
	d.graph.Write(&b)
	_, err := w.Write(b.Bytes())
	return err
}

type dotWriter struct {
	graph   *dot.Graph
	names   *names
	sources *sources
}

// violation draws one counterexample. The library sorts by key, so that the keys
// are numbers with leading zeros.
func (d *dotWriter) violation(number int, st *story) {
	group := d.graph.Subgraph(fmt.Sprintf("v%04d", number), dot.ClusterOption{})
	group.Attrs("label", quoteDOT("\\l", d.caption(st)...), "style", "rounded", "color", "gray70",
		"fontname", "Helvetica", "fontsize", 12, "labeljust", "l", "margin", 16)
	clusters := make([]*dot.Graph, len(st.lanes))
	for i, l := range st.lanes {
		head := l.name
		if a := st.actorOf(i); a >= 0 {
			head += ": " + st.actors[a].name
		}
		clusters[i] = group.Subgraph(fmt.Sprintf("v%04d-g%04d", number, i), dot.ClusterOption{})
		clusters[i].Attrs("label", head, "style", "filled", "color", "gray95", "fontname", "Helvetica-Bold", "fontsize", 11)
	}
	nodes := make([]dot.Node, len(st.steps))
	for i, s := range st.steps {
		nodes[i] = clusters[s.lane].Node(fmt.Sprintf("v%04d-s%06d", number, i))
		d.style(nodes[i], st, s)
	}
	for i := range st.steps {
		d.edges(nodes, st, i)
	}
}

// caption is the head of a violation: what it is and what goes wrong.
func (d *dotWriter) caption(st *story) []string {
	const width = 90
	lines := []string{st.scenario.Name + " (" + numbers(st.scenario) + ")"}
	if outline := st.outline(); outline != "" {
		lines = append(lines, wrap(plainSpaces(sentence(outline)+"."), width, 0)...)
		lines = append(lines, wrap(plainSpaces("So "+st.consequence()+"."), width, 0)...)
	}
	return lines
}

// style gives a step its label and its look.
func (d *dotWriter) style(n dot.Node, st *story, s storyStep) {
	const width = 44
	head := fmt.Sprintf("%d. %s", s.Step.Step, st.action(s))
	if s.Event > 0 {
		head = fmt.Sprintf("(%d) %s", s.Event, head)
		n.Attr("fillcolor", "gold").Attr("color", "firebrick").Attr("penwidth", 2)
	} else if s.boundary() {
		n.Attr("fillcolor", "gray85")
	}
	lines := []string{head}
	if at := place(s); at != "" {
		lines = append(lines, "   "+at)
	}
	source := d.sources.line(s.Pos)
	if source != "" && !s.boundary() {
		lines = append(lines, wrap("   "+source, width, 5)...)
	}
	n.Attr("label", quoteDOT("\\l", lines...))
}

// edges draws the edges into step i: from the step before it in its goroutine, and
// from the step before it in the interleaving if that is another one.
func (d *dotWriter) edges(nodes []dot.Node, st *story, i int) {
	if p := st.previous(i); p >= 0 {
		d.graph.Edge(nodes[p], nodes[i]).Attr("weight", 20).Attr("penwidth", 1.5)
	}
	if i > 0 && st.steps[i-1].lane != st.steps[i].lane {
		// Without weight, so that the goroutines stay straight, but with rank, so
		// that time runs downwards across all of them.
		d.graph.Edge(nodes[i-1], nodes[i]).Dashed().Attr("color", "royalblue").Attr("weight", 0).Attr("arrowsize", 0.7)
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
