package cooperable

import (
	"flag"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/empire-go/empire-go/dynamic/events"
)

// TestSerial checks the serial traces of random ones with the yields that are inferred: they have the same events,
// with all conflicting ones in the same order, and threads take turns only at yields.
func TestSerial(t *testing.T) {
	eachRandom(t, func(text []byte, list []events.Event) {
		index := map[events.Event]int{}
		for i, e := range list {
			index[e] = i
		}
		s := &Serial{}
		c := New(s.Options(Options{Infer: true}))
		for _, e := range list {
			c.Add(e)
		}
		var order []events.Event
		begun, blocks := map[uint32]bool{}, map[uint32]int{}
		ok, _ := s.Write(func(e events.Event, inferred bool) error {
			yields := inferred || e.Yields() && blocks[e.Thread] == 0 || !begun[e.Thread] || e.Op == events.End
			if n := len(order); !yields && order[n-1].Thread != e.Thread {
				t.Errorf("others run before event %d, where there is no yield, in\n%s", index[e], text)
			}
			begun[e.Thread] = true
			switch e.Op {
			case events.BlockBegin:
				blocks[e.Thread]++
			case events.BlockEnd:
				blocks[e.Thread]--
			}
			order = append(order, e)
			return nil
		})
		if !ok || len(order) != len(list) {
			t.Errorf("%d of %d events have an order in\n%s", len(order), len(list), text)
		}
		for i, e := range order {
			for _, f := range order[:i] {
				if index[f] > index[e] && events.Conflict(e, f) {
					t.Errorf("event %d comes before %d, which it follows, in\n%s", index[f], index[e], text)
				}
			}
		}
	})
}

var memoryTurns = flag.Int("turns", 200_000, "how long the trace of TestMemory is: five events each")

// TestMemory checks that what is kept does not grow with the trace: a main that never yields starts workers that
// come to an end, on variables and locks that are used again and again.
func TestMemory(t *testing.T) {
	const workers, variables = 16, 1000
	turns := *memoryTurns
	c := New(Options{})
	number, heap := 0, [2]uint64{}
	r := rand.New(rand.NewPCG(1, 2))
	add := func(e events.Event) {
		number++
		e.Number, e.Place = number, uint32(e.Op)
		c.Add(e)
	}
	for w := range uint32(workers) {
		add(events.Event{Op: events.Fork, Object: uint64(w + 1)})
	}
	for i := range turns {
		w := 1 + r.Uint32N(workers)
		add(events.Event{Op: events.Yield, Thread: w})
		for _, op := range []events.Op{events.Lock, events.Read, events.Write, events.Unlock} {
			object := uint64(7)
			if op.Kind() == events.Variable {
				object = r.Uint64N(variables)
			}
			add(events.Event{Op: op, Thread: w, Object: object})
		}
		if i == turns/4 || i == turns-1 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			heap[i/(turns-1)] = m.HeapAlloc
		}
	}
	if heap[1] > heap[0]+heap[0]/4+1<<20 {
		t.Errorf("%d bytes at the end, %d after a quarter", heap[1], heap[0])
	}
	if s := c.Stats(); s.Cells > variables+1 || s.Violations > 0 {
		t.Errorf("%+v", s)
	}
	t.Logf("%d events: %d KiB after a quarter, %d KiB at the end", number, heap[0]>>10, heap[1]>>10)
}
