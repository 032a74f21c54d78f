package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/empire-go/empire-go/scenarios"
)

// ExplainAll writes the table of all scenarios.
func ExplainAll(w io.Writer, o TextOptions) error {
	out, width := bufio.NewWriter(w), max(o.Width, MinWidth)
	if o.Width == 0 {
		width = DefaultWidth
	}
	intro := "A scenario is an order of accesses to the fields of an atomic set that no serial order of two units of " +
		"work explains. " +
		"Units of work are pieces of code that should each look indivisible to the others, such as calls of methods of " +
		"one type."
	fmt.Fprintf(out, "%s\n\n", strings.Join(wrap(intro, width, 0), "\n"))
	for _, s := range scenarios.Table {
		head := fmt.Sprintf("%2d  %s  ", s.Number, paint(o.Color, bold, fmt.Sprintf("%-24s", s.Name)))
		for i, l := range wrap(s.Harm, width-30, 0) {
			if i > 0 {
				head = strings.Repeat(" ", 30)
			}
			fmt.Fprintf(out, "%s%s\n", head, l)
		}
	}
	fmt.Fprintf(out, "\nempire-go explain 9 tells more about scenario 9.\n")
	return out.Flush()
}

// Explain writes what there is to know about one scenario: its harm, its patterns,
// its class and an example. The pattern with number marked is pointed out; 0 is
// none.
func Explain(w io.Writer, s scenarios.Scenario, marked int, o TextOptions) error {
	out, width := bufio.NewWriter(w), max(o.Width, MinWidth)
	if o.Width == 0 {
		width = DefaultWidth
	}
	fmt.Fprintf(out, "%s\n", paint(o.Color, bold, fmt.Sprintf("Scenario %d: %s", s.Number, s.Name)))
	fmt.Fprintf(out, "%s\n\nPatterns\n", strings.Join(wrap("  "+s.Harm, width, 2), "\n"))
	explainPatterns(out, s, marked, width)
	legend := fmt.Sprintf("u and u' are units of work in two goroutines. R is a read and W a write of %s. Anything may "+
		"happen in between; "+
		"all events of one unit come from one and the same run of it.",
		map[int]string{1: "l1, a field of the set", 2: "l1 and l2, two fields of the set"}[s.Patterns[0].Locations()])
	fmt.Fprintf(out, "%s\n", strings.Join(wrap("  "+legend, width, 2), "\n"))
	fmt.Fprintf(out, "\nExample, from top to bottom\n%s", indentLines(example(s).render(width-2, o.Color), 2))
	fmt.Fprintf(out, "\nIn general\n%s\n", strings.Join(
		wrap("  "+capital(s.Consequence("u", "u'", "l1", "l2"))+".", width, 2), "\n"))
	fmt.Fprintf(out, "\nClass: %s. To look for nothing else: empire-go check --scenario %d\n", s.Class(), s.Number)
	return out.Flush()
}

// explainPatterns lists the patterns of s. The unnumbered ones are described: they
// are many.
func explainPatterns(out io.Writer, s scenarios.Scenario, marked, width int) {
	if s.Number == scenarios.ConflictCycle {
		text := fmt.Sprintf("op_u(l1) before op_u'(l1), and op_u'(l2) before op_u(l2), with a write in each of the two "+
			"pairs: "+
			"the %d such orders that are none of the patterns 1 to %d. Reported only where no other scenario explains the "+
			"same two units.", len(s.Patterns), scenarios.Patterns)
		fmt.Fprintf(out, "%s\n", strings.Join(wrap("  "+text, width, 2), "\n"))
		return
	}
	for _, p := range s.Patterns {
		mark := ""
		if p.Number == marked {
			mark = "   <- this one"
		}
		fmt.Fprintf(out, "  %2d  %s%s\n", p.Number, p, mark)
	}
}

func capital(text string) string {
	if strings.HasPrefix(text, "u ") || strings.HasPrefix(text, "u' ") || strings.HasPrefix(text, "l1 ") {
		return text // names stay as they are
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// example lays the lines of the scenario's example out in two columns.
func example(s scenarios.Scenario) *table {
	t := &table{
		heads: [][]line{{{text: "one goroutine (u)", style: bold}}, {{text: "another goroutine (u')", style: bold}}},
	}
	for _, l := range s.Example {
		who, code, _ := strings.Cut(l, ": ")
		column := 0
		if who == "2" {
			column = 1
		}
		t.rows = append(t.rows, row{column: column, cell: []line{{text: code, indent: 2}}})
	}
	return t
}
