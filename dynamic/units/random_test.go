package units

import (
	"math/rand/v2"
	"testing"

	"github.com/empire-go/empire-go/dynamic/automata"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
	"github.com/empire-go/empire-go/scenarios"
)

// counting is an engine that counts the units that are open.
type counting struct {
	*automata.Engine
	t    *testing.T
	open map[*automata.Unit]bool
}

func (c *counting) Begin(goroutine uint32, data any) *automata.Unit {
	u := c.Engine.Begin(goroutine, data)
	c.open[u] = true
	return u
}

func (c *counting) Access(u *automata.Unit, a automata.Access) {
	if !c.open[u] {
		c.t.Fatal("an event of a unit that has ended")
	}
	c.Engine.Access(u, a)
}

func (c *counting) End(u *automata.Unit) {
	if !c.open[u] {
		c.t.Fatal("a unit ends twice")
	}
	delete(c.open, u)
	c.Engine.End(u)
}

// TestAnyRecords gives a tracker records in no order that a program could have: it must
// not fail, and end each unit once.
func TestAnyRecords(t *testing.T) {
	kinds := []watch.Kind{watch.Method, watch.Constructor, watch.Direct, watch.Named, watch.None}
	header := &trace.Header{}
	for i := range 20 {
		header.Sites = append(header.Sites, trace.Site{
			Kind: string(kinds[i%5]), Function: string(rune('f' + i%4)), Set: i%3 - 1, Field: string(rune('a' + i%2)),
			Pos: string(rune('p' + i%6))})
	}
	plan := &watch.Plan{Sets: []watch.Set{{Type: "p.T", Fields: []string{"a", "b"}},
		{Fields: []string{"a"}, Vars: []string{"p"}}}}
	plan.Accesses = []watch.Access{{Field: "a", Pos: "p", Passing: true},
		{Field: "b", Pos: "q", Passing: true, Until: []string{"p"}}, {Field: "a", Pos: "r", Counts: true}}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		c := &counting{t: t, open: map[*automata.Unit]bool{}}
		var err error
		if c.Engine, err = automata.New(scenarios.Table, func(*automata.Match) {}); err != nil {
			t.Fatal(err)
		}
		tracker := New(header, plan, c)
		if seed%2 == 0 {
			tracker.ahead = tracker.ahead[:1+r.IntN(10)] // look ahead but a little
		}
		for range 400 {
			e := trace.Event{Goroutine: uint32(1 + r.IntN(4)), Record: trace.Record{
				Op: trace.Op(r.IntN(int(trace.ObjectGone) + 2)), Site: uint32(r.IntN(22)), Object: uint32(r.IntN(5)),
				Arg: uint64(r.IntN(6)),
			}}
			if r.IntN(3) == 0 {
				e.Op = trace.Read + trace.Op(r.IntN(5))
			}
			tracker.Add(e)
		}
		tracker.Close()
		if len(c.open) > 0 {
			t.Fatalf("%d units are open at the end", len(c.open))
		}
	}
}
