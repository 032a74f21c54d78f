package predict

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// maxColumn is how wide the column of a thread is at most.
const maxColumn = 40

// WriteText explains a violation: the run, with a column for each thread, and the path that leaves the block and comes
// back to it. The unit is what numbers of events count.
func (v *Violation) WriteText(w io.Writer, unit string) error {
	out := bufio.NewWriter(w)
	name := ""
	if v.Block.Name != "" {
		name = " (" + v.Block.Name + ")"
	}
	what := "is not atomic if the same events come in this order"
	if v.Seen {
		what = "was not atomic in this run"
	}
	fmt.Fprintf(out, "%s, %ss %d to %d%s, %s:\n\n", v.Block.Thread, unit, v.Block.Begin, v.Block.End, name, what)
	writeSteps(out, unit, v.Steps)
	fmt.Fprintln(out)
	var last *Step
	for i := range v.Steps {
		s := &v.Steps[i]
		if !s.Path {
			continue
		}
		if last != nil {
			why := ""
			if last.Thread == s.Thread {
				why = ", by the same thread"
			}
			fmt.Fprintf(out, "  %s at %s %d comes before %s at %s %d%s\n", last.Text, unit, last.Number, s.Text, unit, s.Number,
				why)
		}
		last = s
	}
	if v.Count > 1 {
		fmt.Fprintf(out, "  The same holds for %d more blocks.\n", v.Count-1)
	}
	return out.Flush()
}

// writeSteps writes a run with a column for each thread; what matters most is marked.
func writeSteps(out io.Writer, unit string, steps []Step) {
	var threads []string
	wide := 4
	for _, s := range steps {
		if !slices.Contains(threads, s.Thread) {
			threads = append(threads, s.Thread)
		}
		wide = max(wide, len(s.Text)+2, len(s.Thread))
	}
	wide = min(wide, maxColumn) + 2
	row := func(number string, cell func(thread string) string, place string) {
		var cells strings.Builder
		for _, t := range threads {
			fmt.Fprintf(&cells, "%-*s", wide, cell(t))
		}
		fmt.Fprintln(out, strings.TrimRight(fmt.Sprintf("  %8s  %s%s", number, cells.String(), place), " "))
	}
	row(unit, func(t string) string { return t }, "")
	for _, s := range steps {
		row(fmt.Sprint(s.Number), func(t string) string {
			switch {
			case t != s.Thread:
				return ""
			case s.Path:
				return "* " + s.Text
			}
			return "  " + s.Text
		}, s.Pos)
	}
}

// WriteText explains a pattern that can occur.
func (v *Pattern) WriteText(w io.Writer, unit string) error {
	out := bufio.NewWriter(w)
	what := "can happen in another order of the same events"
	if v.Seen {
		what = "has happened in this run"
	}
	fmt.Fprintf(out, "scenario %d, %s, %s.\n   %s\n", v.Scenario.Number, v.Scenario.Name, what, v.Scenario.Harm)
	fmt.Fprintf(out, "   u: %s, %s %d; u': %s, %s %d\n\n", v.Units[0].what(), unit, v.Units[0].Begin,
		v.Units[1].what(), unit, v.Units[1].Begin)
	writeSteps(out, unit, v.Steps)
	return out.Flush()
}

// what names the code of a block.
func (b *Block) what() string {
	if b.Name == "" {
		return "a block of " + b.Thread
	}
	return b.Name + " in " + b.Thread
}

// WriteText explains a deadlock.
func (d *Deadlock) WriteText(w io.Writer, unit string) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "deadlock (definition 4): these threads wait for each other if the same events come in this "+
		"order.\n\n")
	for i, x := range d.Waits {
		holder := d.Waits[(i+1)%len(d.Waits)].Thread
		fmt.Fprintf(out, "   %s waits at %s%s; %s holds it", x.Thread, x.Text, at(x.Step, unit), holder)
		if x.Held != nil {
			fmt.Fprintf(out, " since %s%s", x.Held.Text, at(*x.Held, unit))
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out)
	writeSteps(out, unit, d.Steps)
	return out.Flush()
}

// WriteText explains a data race.
func (r *Race) WriteText(w io.Writer, unit string) error {
	out := bufio.NewWriter(w)
	what := "can come at the same moment in another order of the same events"
	if r.Seen {
		what = "were ordered by nothing in this run"
	}
	a, b := r.Accesses[0], r.Accesses[1]
	fmt.Fprintf(out, "data race (definition 1): %s of %s%s and %s of %s%s %s.\n\n", a.Text, a.Thread, at(a, unit), b.Text,
		b.Thread, at(b, unit), what)
	writeSteps(out, unit, r.Steps)
	return out.Flush()
}

// WriteText explains an order violation or a missed signal.
func (s *Swap) WriteText(w io.Writer, unit string) error {
	out := bufio.NewWriter(w)
	early, late := s.First, s.Then
	if s.IsMissing {
		early, late = late, early
	}
	fmt.Fprintf(out, "%s (definition %d): %s; %s of %s%s can come before %s of %s%s if the same events come in this "+
		"order.\n\n", s.Class.Title, s.Class.Definition, s.What, early.Text, early.Thread, at(early, unit), late.Text,
		late.Thread, at(late, unit))
	writeSteps(out, unit, s.Steps)
	return out.Flush()
}

// at says where an event is.
func at(s Step, unit string) string {
	if s.Pos == "" {
		return fmt.Sprintf(", %s %d", unit, s.Number)
	}
	return fmt.Sprintf(", %s %d (%s)", unit, s.Number, s.Pos)
}
