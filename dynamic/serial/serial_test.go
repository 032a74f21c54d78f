package serial

import (
	"math/rand/v2"
	"testing"

	"github.com/empire-go/empire-go/dynamic/trace/std"
)

// oracle is the index of the first event that closes a cycle, or -1, by the definition: edges
// from all pairs of events, and a search after each.
func oracle(events []std.Event) int {
	var (
		of    []int              // transaction of each event
		open  = map[uint32]int{} // transaction of a thread
		depth = map[uint32]int{} // of begins
		edges []map[int]bool     // by transaction
	)
	for i, e := range events {
		t, in := open[e.Thread]
		if !in {
			t = len(edges)
			edges = append(edges, map[int]bool{})
		}
		switch e.Op {
		case std.Begin:
			open[e.Thread] = t
			depth[e.Thread]++
		case std.End:
			if depth[e.Thread]--; depth[e.Thread] == 0 {
				delete(open, e.Thread)
			}
		}
		of = append(of, t)
		for j, before := range events[:i] {
			if of[j] != t && ordered(before, e) {
				edges[of[j]][t] = true
			}
		}
		if reaches(edges, t, t, map[int]bool{}) {
			return i
		}
	}
	return -1
}

// ordered says whether a happens before b, directly, if it comes before it.
func ordered(a, b std.Event) bool {
	same := a.Operand == b.Operand
	switch {
	case a.Thread == b.Thread,
		a.Op == std.Write && (b.Op == std.Read || b.Op == std.Write) && same,
		a.Op == std.Read && b.Op == std.Write && same,
		a.Op == std.Release && b.Op == std.Acquire && same,
		a.Op == std.Fork && a.Operand == b.Thread,
		b.Op == std.Join && b.Operand == a.Thread:
		return true
	}
	return false
}

func reaches(edges []map[int]bool, from, to int, seen map[int]bool) bool {
	for next := range edges[from] {
		if next == to {
			return true
		}
		if !seen[next] {
			seen[next] = true
			if reaches(edges, next, to, seen) {
				return true
			}
		}
	}
	return false
}

// shape is what a random trace is like.
type shape struct {
	threads, locks, variables, length int
	begin, end, lock, fork            int  // weights, of 100
	orderly                           bool // locks are held by one thread, threads forked once before they run
}

func randomShape(r *rand.Rand) shape {
	return shape{
		threads: 2 + r.IntN(5), locks: 1 + r.IntN(2), variables: 1 + r.IntN(6), length: 10 + r.IntN(50),
		begin: 5 + r.IntN(25), end: 5 + r.IntN(25), lock: r.IntN(30), fork: r.IntN(10), orderly: r.IntN(2) == 0,
	}
}

// random is a random trace.
func random(r *rand.Rand, s shape) []std.Event {
	var (
		out    []std.Event
		depth  = make([]int, s.threads)
		held   = make([]int, s.locks) // thread+1
		forked = make([]bool, s.threads)
		joined = make([]bool, s.threads)
	)
	forked[0] = true
	for len(out) < s.length {
		t := r.IntN(s.threads)
		if s.orderly && (!forked[t] || joined[t]) {
			if joined[t] {
				continue
			}
			by := r.IntN(s.threads)
			if !forked[by] || joined[by] {
				continue
			}
			forked[t] = true
			out = append(out, std.Event{Op: std.Fork, Thread: uint32(by), Operand: uint32(t)})
			continue
		}
		e := std.Event{Thread: uint32(t)}
		switch k := r.IntN(100); {
		case k < s.begin:
			e.Op = std.Begin
			depth[t]++
		case k < s.begin+s.end:
			if depth[t] == 0 {
				continue
			}
			depth[t]--
			e.Op = std.End
		case k < s.begin+s.end+s.lock:
			l := r.IntN(s.locks)
			e.Operand = uint32(l)
			e.Op = []std.Op{std.Acquire, std.Release}[r.IntN(2)]
			if s.orderly {
				switch held[l] {
				case 0:
					e.Op, held[l] = std.Acquire, t+1
				case t + 1:
					e.Op, held[l] = std.Release, 0
				default:
					continue
				}
			}
		case k < s.begin+s.end+s.lock+s.fork:
			u := r.IntN(s.threads)
			e.Operand = uint32(u)
			e.Op = []std.Op{std.Fork, std.Join}[r.IntN(2)]
			if s.orderly {
				if !forked[u] || joined[u] || depth[u] > 0 || u == t || u == 0 {
					continue
				}
				e.Op, joined[u] = std.Join, true
			}
		default:
			e.Op = []std.Op{std.Read, std.Read, std.Write}[r.IntN(3)]
			e.Operand = uint32(r.IntN(s.variables))
		}
		out = append(out, e)
	}
	return out
}

// possible leaves out what no run can have where it is, and Check refuses.
func possible(events []std.Event) (out []std.Event) {
	var u std.Unended
	for _, e := range events {
		if u.Add(e) == nil {
			out = append(out, e)
		}
	}
	return out
}

// first is what the checker says.
func first(t *testing.T, c *Checker, events []std.Event) int {
	t.Helper()
	for i, e := range events {
		ok, err := c.Step(e)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return i
		}
	}
	return -1
}

// TestOracle compares the checker with the definition: the first violation is at the same event.
func TestOracle(t *testing.T) {
	violations := 0
	for seed := range uint64(40_000) {
		r := rand.New(rand.NewPCG(seed, 7))
		events := random(r, randomShape(r))
		c := NewChecker()
		c.atMost = r.IntN(20) // sweep often, or seldom
		want, got := oracle(events), first(t, c, events)
		if want != got {
			for i, e := range events {
				t.Logf("%d %v", i, e)
			}
			t.Fatalf("seed %d: the first violation is at event %d, not %d", seed, want, got)
		}
		if want >= 0 {
			violations++
		}
	}
	t.Logf("%d violations", violations)
	if violations < 10_000 || violations > 35_000 {
		t.Errorf("%d violations: too few or too many to say much", violations)
	}
}
