package cooperable

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteText shows each place at which a yield is missing.
func (r *Report) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	for i, m := range r.Places {
		if i > 0 {
			fmt.Fprintln(out)
		}
		m.write(out, r.Unit, r.isInferred)
	}
	for _, known := range []bool{false, true} {
		r.writeRaces(out, known)
	}
	return out.Flush()
}

// writeRaces writes the races of which it is known which access was first, or the others.
func (r *Report) writeRaces(out io.Writer, known bool) {
	title := "Data races: what was first is not known, and so a yield may be missing that is not seen."
	if known {
		title = "Data races, in the order of this run: where the program is not recorded it may do what no order explains."
	}
	for _, race := range r.Races {
		if race.Known != known {
			continue
		}
		if title != "" {
			fmt.Fprintln(out, "\n"+title)
			title = ""
		}
		fmt.Fprintf(out, "  %s by %s at %s, and %s by %s at %s\n", race.First.Text, race.First.Thread, race.First.At(r.Unit),
			race.Second.Text, race.Second.Thread, race.Second.At(r.Unit))
	}
}

// At is where an event is, for a reader: its position, or its number.
func (e Event) At(unit string) string {
	if e.Where.Pos != "" {
		return e.Where.Pos
	}
	return fmt.Sprintf("%s %d", unit, e.Number)
}

func (m *Missing) write(out io.Writer, unit string, inferred bool) {
	title := "VIOLATION: no yield before"
	if inferred {
		title = "YIELD before"
	}
	fmt.Fprintf(out, "%s %s at %s\n", title, m.Event.Text, m.Event.At(unit))
	if m.Count > 1 {
		fmt.Fprintf(out, "  It was missing %d times. The first time:\n", m.Count)
	}
	fmt.Fprintln(out)
	for i, e := range m.Cycle {
		to := fmt.Sprintf("%ss %d to %d", unit, e.Begin, e.Last)
		if e.Begin == e.Last {
			to = fmt.Sprintf("%s %d", unit, e.Begin)
		}
		fmt.Fprintf(out, "  %s  %s, %s\n", letter(i), e.Thread, to)
	}
	fmt.Fprintln(out)
	m.steps(out, unit)
	fmt.Fprintln(out)
	for i, e := range m.Cycle {
		later := ""
		if e.Later {
			later = ", which goes on in a later transaction"
		}
		fmt.Fprintf(out, "  %s comes before %s: %s at %s %d, then %s at %s %d%s\n", letter(i), letter((i+1)%len(m.Cycle)),
			e.Before.Text, unit, e.Before.Number, e.After.Text, unit, e.After.Number, later)
	}
	fmt.Fprintln(out)
	if !inferred {
		fmt.Fprintf(out, "  No order of these transactions explains what was seen. A yield before %s at %s ends the cycle.\n",
			m.Event.Text, m.Event.At(unit))
	}
	if m.InBlock {
		fmt.Fprintln(out, "  It is in a block that says that it is atomic.")
	}
	if len(m.Functions) > 0 {
		fmt.Fprintf(out, "  Not atomic because of it: %s\n", strings.Join(m.Functions, ", "))
	}
	if inferred {
		for _, c := range m.Conflicts {
			fmt.Fprintf(out, "  %8d  after %s\n", c.Count, c.With)
		}
	}
}

// letter names a transaction of a cycle: A, B, ..., Z, A1, B1, ...
func letter(i int) string {
	name := string(rune('A' + i%26))
	if i >= 26 {
		name += fmt.Sprint(i / 26)
	}
	return name
}

// steps shows the events of the cycle in the order of the trace, a column for each transaction.
func (m *Missing) steps(out io.Writer, unit string) {
	type step struct {
		Event
		column int
	}
	var all []step
	wide := 4
	for i, e := range m.Cycle {
		all = append(all, step{e.Before, i}, step{e.After, (i + 1) % len(m.Cycle)})
		wide = max(wide, len(e.Thread)+len(letter(i))+3)
	}
	slices.SortStableFunc(all, func(a, b step) int { return a.Number - b.Number })
	all = slices.Compact(all)
	for _, s := range all {
		wide = max(wide, len(s.Text))
	}
	wide = min(wide, 40) + 2
	row := func(number string, cell func(i int) string, place string) {
		var cells strings.Builder
		for i := range m.Cycle {
			fmt.Fprintf(&cells, "%-*s", wide, cell(i))
		}
		fmt.Fprintln(out, strings.TrimRight(fmt.Sprintf("  %8s  %s%s", number, cells.String(), place), " "))
	}
	row(unit, func(i int) string { return fmt.Sprintf("%s (%s)", letter(i), m.Cycle[i].Thread) }, "")
	for _, s := range all {
		row(fmt.Sprint(s.Number), func(i int) string {
			if i == s.column {
				return s.Text
			}
			return ""
		}, s.Where.Pos)
	}
}
