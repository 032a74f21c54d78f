package waitfor

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
)

// WriteText tells who waits for whom.
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
		limit := ", as far as this run went"
		if g.Leaked {
			limit = ""
		}
		fmt.Fprintf(out, "\n%d. blocked (definition 9)%s.\n\n", n, limit)
		g.write(out)
	}
	for _, leak := range r.Leaked {
		n++
		fmt.Fprintf(out, "\n%d. blocked (definition 9).\n\n   a goroutine in code that is not recorded waits (%s) at %s\n%s",
			n, leak.Status, cmp.Or(leak.Place(), "an unknown place"), isLeaked)
	}
	return out.Flush()
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
	started := ""
	if g.Started.Pos != "" {
		started = ", started at " + g.Started.Pos + ","
	}
	fmt.Fprintf(out, "   %s%s waits for %s at %s\n", g.Name(), started, g.What, g.At.Pos)
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
