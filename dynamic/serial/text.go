package serial

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// letter names a transaction of a cycle: A, B, ..., Z, A1, B1, ...
func letter(i int) string {
	name := string(rune('A' + i%26))
	if i >= 26 {
		name += fmt.Sprint(i / 26)
	}
	return name
}

// steps are the events of a cycle in the order of the trace, each once.
func (c Cycle) steps() []step {
	var all []step
	for i, e := range c {
		all = append(all, step{e.Before, i}, step{e.After, (i + 1) % len(c)})
	}
	slices.SortFunc(all, func(a, b step) int { return a.event.Number - b.event.Number })
	return slices.CompactFunc(all, func(a, b step) bool { return a.event.Number == b.event.Number })
}

type step struct {
	event       Event
	transaction int
}

// WriteText explains the cycle: its transactions, its events in the order of the trace, a column
// for each transaction, and why each transaction comes before the next.
func (c Cycle) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	for i, e := range c {
		fmt.Fprintf(out, "  %s  %s\n", letter(i), e.From)
	}
	steps := c.steps()
	wide := 4
	for _, s := range steps {
		wide = max(wide, len(s.event.operation()), len(c[s.transaction].From.Thread)+4)
	}
	wide = min(wide, 40) + 2
	row := func(number string, cell func(i int) string, place string) {
		var cells strings.Builder
		for i := range c {
			fmt.Fprintf(&cells, "%-*s", wide, cell(i))
		}
		fmt.Fprintln(out, strings.TrimRight(fmt.Sprintf("  %8s  %s%s", number, cells.String(), place), " "))
	}
	fmt.Fprintln(out)
	row("line", func(i int) string { return fmt.Sprintf("%s (%s)", letter(i), c[i].From.Thread) }, "")
	for _, s := range steps {
		row(fmt.Sprint(s.event.Number), func(i int) string {
			if i == s.transaction {
				return s.event.operation()
			}
			return ""
		}, s.event.Text.Place)
	}
	fmt.Fprintln(out)
	for i, e := range c {
		fmt.Fprintf(out, "  %s comes before %s: %s at line %d, then %s at line %d%s\n", letter(i), letter((i+1)%len(c)),
			e.Before.operation(), e.Before.Number, e.After.operation(), e.After.Number, e.why())
	}
	return out.Flush()
}

func (e Event) operation() string {
	text := e.Text
	text.Thread, text.Place = "", ""
	return text.String()[1:]
}

// why is a remark where the events themselves do not say it.
func (e Edge) why() string {
	if e.Before.Text.Thread == e.After.Text.Thread {
		return ", by the same thread"
	}
	return ""
}

func (t Transaction) String() string {
	switch {
	case t.Unary:
		return fmt.Sprintf("%s, line %d, outside every transaction", t.Thread, t.Begin.Number)
	case t.End == 0:
		return fmt.Sprintf("%s, begun at line %d, not ended yet", t.Thread, t.Begin.Number)
	}
	return fmt.Sprintf("%s, lines %d to %d", t.Thread, t.Begin.Number, t.End)
}
