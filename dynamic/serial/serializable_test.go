package serial

import (
	"math/rand/v2"
	"testing"

	"github.com/empire-go/empire-go/dynamic/trace/std"
)

// graph is the transaction graph of a trace, by the definition, one event after the other.
type graph struct {
	events []std.Event
	of     []int
	open   map[uint32]int
	depth  map[uint32]int
	edges  []map[int]bool
}

// add adds an event and says whether it closes no cycle; if it does, the event is taken back.
func (g *graph) add(e std.Event) bool {
	t, in := g.open[e.Thread]
	if !in {
		t = len(g.edges)
		g.edges = append(g.edges, map[int]bool{})
	}
	var added []int
	for j, before := range g.events {
		if from := g.of[j]; from != t && ordered(before, e) && !g.edges[from][t] {
			g.edges[from][t] = true
			added = append(added, from)
		}
	}
	if reaches(g.edges, t, t, map[int]bool{}) {
		for _, from := range added {
			delete(g.edges[from], t)
		}
		return false
	}
	switch e.Op {
	case std.Begin:
		g.open[e.Thread] = t
		g.depth[e.Thread]++
	case std.End:
		if g.depth[e.Thread]--; g.depth[e.Thread] == 0 {
			delete(g.open, e.Thread)
		}
	}
	g.events, g.of = append(g.events, e), append(g.of, t)
	return true
}

// TestSerializable makes traces serializable by leaving out events that close cycles. The
// checker must accept what remains, and reject each beginning of it that is followed by what
// was left out.
func TestSerializable(t *testing.T) {
	type left struct {
		after int
		event std.Event
	}
	dropped := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 9))
		s := randomShape(r)
		s.length = 100 + r.IntN(200)
		if seed%8 == 0 {
			s.threads, s.begin, s.end, s.variables, s.fork = 150, 40, 3, 40, 0
			s.orderly = false
			s.length = 400
		}
		g := &graph{open: map[uint32]int{}, depth: map[uint32]int{}}
		var out []left
		for _, e := range random(r, s) {
			if e.Op == std.End && g.depth[e.Thread] == 0 {
				continue
			}
			if !g.add(e) {
				out = append(out, left{len(g.events), e})
			}
		}
		dropped += len(out)
		c := NewChecker()
		c.atLeast = r.IntN(20)
		c.atMost = c.atLeast
		if got := first(t, c, g.events); got >= 0 {
			t.Fatalf("seed %d: a violation at event %d of a serializable trace", seed, got)
		}
		r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
		for _, l := range out[:min(10, len(out))] {
			c := NewChecker()
			c.atLeast = r.IntN(20)
			c.atMost = c.atLeast
			with := append(g.events[:l.after:l.after], l.event)
			if got := first(t, c, with); got != l.after {
				t.Fatalf("seed %d: the first violation is at event %d, not %d", seed, l.after, got)
			}
		}
	}
	t.Logf("%d events left out", dropped)
	if dropped < 4000 {
		t.Errorf("%d events left out: too few to say much", dropped)
	}
}
