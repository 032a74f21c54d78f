package serial

import (
	"math/rand/v2"
	"slices"
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
		releases(a.Op) && acquires(b.Op) && same, releases(a.Op) && b.Op == std.ReadAcquire && same,
		a.Op == std.ReadRelease && acquires(b.Op) && same,
		a.Op == std.Notify && isWait(b.Op) && same, isWait(a.Op) && b.Op == std.Notify && same,
		isMessage(a.Op) && isMessage(b.Op) && same,
		a.Op == std.Fork && a.Operand == b.Thread,
		b.Op == std.Join && b.Operand == a.Thread:
		return true
	}
	return false
}

func acquires(op std.Op) bool  { return op == std.Acquire || op == std.Postwait }
func releases(op std.Op) bool  { return op == std.Release || op == std.Prewait }
func isWait(op std.Op) bool    { return op == std.Prewait || op == std.Postwait }
func isMessage(op std.Op) bool { return slices.Contains(messages, op) }

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
	others                            int  // of 100 operations on locks: so many are others, and on channels
	orderly                           bool // locks are held by one thread, threads forked once before they run
}

func randomShape(r *rand.Rand) shape {
	return shape{
		threads: 2 + r.IntN(5), locks: 1 + r.IntN(2), variables: 1 + r.IntN(6), length: 10 + r.IntN(50),
		begin: 5 + r.IntN(25), end: 5 + r.IntN(25), lock: r.IntN(30), fork: r.IntN(10), orderly: r.IntN(2) == 0,
		others: r.IntN(3) * 40,
	}
}

var messages = []std.Op{std.Send, std.Receive, std.Close, std.Presend, std.Postsend}

// others are the operations that only this program's traces have.
var others = append([]std.Op{std.ReadAcquire, std.ReadRelease, std.ReadAcquire, std.ReadRelease, std.Prewait,
	std.Postwait, std.Notify}, messages...)

// possible is an operation that the state of the locks allows, in place of one that it does not; 0: none.
func (s shape) possible(r *rand.Rand, e std.Event, held, reading, waiting []int) std.Event {
	t, l := int(e.Thread), int(e.Operand)
	bit := 1 << t
	if w := waiting[t]; w > 0 { // it does nothing but wait
		if e.Op != std.Postwait || held[w-1] != 0 || reading[w-1] != 0 {
			return std.Event{}
		}
		e.Operand, held[w-1], waiting[t] = uint32(w-1), t+1, 0
		return e
	}
	switch {
	case e.Op == std.Notify, isMessage(e.Op):
	case e.Op == std.Prewait && held[l] == t+1:
		held[l], waiting[t] = 0, l+1
	case (e.Op == std.ReadAcquire || e.Op == std.ReadRelease) && held[l] == 0:
		if e.Op = std.ReadAcquire; reading[l]&bit != 0 {
			e.Op = std.ReadRelease
		}
		reading[l] ^= bit
	case held[l] == 0 && reading[l] == 0:
		e.Op, held[l] = std.Acquire, t+1
	case held[l] == t+1:
		e.Op, held[l] = std.Release, 0
	default:
		return std.Event{}
	}
	return e
}

// random is a random trace.
func random(r *rand.Rand, s shape) []std.Event {
	var (
		out     []std.Event
		depth   = make([]int, s.threads)
		held    = make([]int, s.locks)   // thread+1
		reading = make([]int, s.locks)   // bits of threads
		waiting = make([]int, s.threads) // for a lock, +1
		forked  = make([]bool, s.threads)
		joined  = make([]bool, s.threads)
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
			if r.IntN(100) < s.others {
				e.Op = others[r.IntN(len(others))]
			}
			if s.orderly {
				if e = s.possible(r, e, held, reading, waiting); e.Op == 0 {
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
