package waitfor

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
)

// WriteText tells who waits for whom, and what else went wrong.
func (r *Report) WriteText(w io.Writer, name string) error {
	out := bufio.NewWriter(w)
	others := ""
	if r.Others > 0 {
		others = fmt.Sprintf("; %s had not ended otherwise", goroutines(r.Others))
	}
	fmt.Fprintf(out, "%s: at the end of the run %s waited%s\n", name, goroutines(len(r.Waiting)), others)
	for i, circle := range r.Circles {
		fmt.Fprintf(out, "\n%d. deadlock (definition 4): these goroutines wait for each other.\n\n", i+1)
		for _, g := range circle {
			g.write(out)
		}
	}
	n := len(r.Circles)
	for _, g := range r.Waiting {
		if r.IsInCircle(g) {
			continue
		}
		n++
		class := r.Class(g)
		limit := ", as far as this run went"
		if g.Leaked {
			limit = ""
		}
		fmt.Fprintf(out, "\n%d. %s (definition %d)%s.\n\n", n, headings[class.Name], class.Definition, limit)
		g.write(out)
	}
	for _, s := range r.Spinning {
		n++
		limit := ""
		if !s.Certain {
			limit = ", as far as this run went"
		}
		fmt.Fprintf(out, "\n%d. %s (definition %d)%s.\n\n", n, headings[s.Class().Name], s.Class().Definition, limit)
		s.write(out)
	}
	for _, v := range r.Orders {
		n++
		fmt.Fprintf(out, "\n%d. %s (definition %d): %s.\n\n", n, headings[v.Class.Name], v.Class.Definition, v.What)
		v.write(out)
	}
	for _, leak := range r.Leaked {
		n++
		fmt.Fprintf(out, "\n%d. blocked (definition 9).\n\n   a goroutine in code that is not recorded waits (%s) at %s\n%s",
			n, leak.Status, cmp.Or(leak.Place(), "an unknown place"), isLeaked)
	}
	return out.Flush()
}

// headings are what findings are called: "blocked" is said of a goroutine.
var headings = map[string]string{"blocked": "blocked", "missed-signal": "missed signal", "no-progress": "no progress",
	"livelock": "livelock", "order": "order violation", "data-race": "data race"}

// write tells what a goroutine goes round for.
func (s *Spin) write(out io.Writer) {
	fmt.Fprintf(out, "   %s%s has looked %d times, and has done nothing else\n", s.Name(), startedAt(s.Started), s.Rounds)
	for _, l := range s.Looks {
		fmt.Fprintf(out, "      at %s, at %s\n", l.What, l.At.Pos)
		if l.HeldBy != "" {
			fmt.Fprintf(out, "         %s had it\n", l.HeldBy)
		}
	}
	for _, other := range s.With {
		fmt.Fprintf(out, "      %s goes round as well: each fails to get what the other one has, and lets go of it\n",
			other.Name())
	}
	switch {
	case !s.Certain && s.asks == mayAsk:
		fmt.Fprint(out, "      whether its loop ends by that is not known\n")
	case !s.Certain:
		fmt.Fprint(out, "      others were left who might have changed that\n")
	case len(s.With) == 0:
		fmt.Fprint(out, "      nobody was left who could change that: all others had ended, waited, or went round as well\n")
	}
}

// write tells which operation came in the wrong order, and what came before it.
func (v *Violation) write(out io.Writer) {
	fmt.Fprintf(out, "   %s at %s\n", cmp.Or(v.By, "a goroutine"), v.At.Pos)
	if v.Before != "" {
		fmt.Fprintf(out, "      %s\n", v.Before)
	}
	if v.Message != "" {
		fmt.Fprintf(out, "      it ended the program: %s\n", v.Message)
	}
}

// startedAt says where a goroutine was started, if that is known.
func startedAt(p Place) string {
	if p.Pos == "" {
		return ""
	}
	return ", started at " + p.Pos + ","
}

// isLeaked says what the runtime's leak profile has found of a goroutine.
const isLeaked = "      the runtime's leak profile has it: nothing that runs can reach what it waits for\n"

func goroutines(n int) string {
	if n == 1 {
		return "1 goroutine"
	}
	return fmt.Sprintf("%d goroutines", n)
}

// write tells where a goroutine waits, for whom, and what it holds.
func (g *Goroutine) write(out io.Writer) {
	fmt.Fprintf(out, "   %s%s waits for %s at %s\n", g.Name(), startedAt(g.Started), g.What, g.At.Pos)
	if m := g.Missed; m != nil && m.IsChange {
		fmt.Fprintf(out, "      %s has changed %s, at which it looked before, at %s; nobody has signalled since\n", m.By,
			m.What, m.At.Pos)
	} else if m != nil {
		fmt.Fprintf(out, "      the %s by %s at %s came before, when nobody waited for it\n", m.What, m.By, m.At.Pos)
	}
	if g.Leaked {
		fmt.Fprint(out, isLeaked)
	}
	for _, h := range g.Held {
		ended := ""
		if h.Ended {
			ended = ", and has ended"
		}
		fmt.Fprintf(out, "      %s holds it since %s%s\n", h.By, h.At.Pos, ended)
	}
	for _, other := range g.Behind {
		fmt.Fprintf(out, "      %s waits to write, which keeps readers out\n", other.Name())
	}
	for _, h := range g.Holds {
		kind := ""
		if h.Shared {
			kind = " for reading"
		}
		fmt.Fprintf(out, "      it holds lock %s%s since %s\n", h.Lock, kind, h.At.Pos)
	}
}
