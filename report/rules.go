package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/empire-go/empire-go/frontend/rules"
)

// ExplainRules writes the precision rules that a safe answer may rest on: what each takes for
// granted, why that is sound, its bound, and the programs under testdata that show it.
func ExplainRules(w io.Writer, o TextOptions) error {
	out, width := bufio.NewWriter(w), max(o.Width, MinWidth)
	if o.Width == 0 {
		width = DefaultWidth
	}
	intro := "A model leaves out what cannot matter. Each rule by which it does is a claim about every run of the " +
		"program; " +
		"where it is in doubt the rule does not apply, and the model has more runs than the program. " +
		"A safe answer names the rules that it rests on."
	fmt.Fprintf(out, "%s\n", strings.Join(wrap(intro, width, 0), "\n"))
	for _, r := range rules.Table {
		fmt.Fprintf(out, "\n%s\n", paint(o.Color, bold, r.Name))
		item := func(label, text string) {
			const column = 11
			lines := wrap(strings.Repeat(" ", column)+text, width, column)
			fmt.Fprintf(out, "  %s%s\n", label, strings.Join(lines, "\n")[len(label)+2:])
		}
		item("claim", r.Claim)
		item("why", r.Reason)
		if r.Bound != "" {
			item("bound", r.Bound)
		}
		item("shown by", fmt.Sprintf("testdata/%s; not taken: testdata/%s", r.Case, r.NearMiss))
	}
	return out.Flush()
}
