package cooperable

import (
	"container/heap"

	"github.com/empire-go/empire-go/dynamic/events"
)

// Serial finds an order of the transactions of a trace that explains what was seen: the trace in which they run
// one after the other has all conflicting events in the same order. It is to be told of all edges and steps.
type Serial struct {
	of    map[*Transaction]*serial
	order int
}

// serial is a transaction with its events.
type serial struct {
	number int // in the order of the first events
	events []events.Event
	yields bool // a yield that the trace does not have begins it
	after  []*serial
	wait   int // for how many others
}

// Options are those with which a trace is to be checked.
func (s *Serial) Options(o Options) Options {
	s.of = map[*Transaction]*serial{}
	o.Edge, o.Step = s.edge, s.step
	return o
}

func (s *Serial) get(t *Transaction) *serial {
	x := s.of[t]
	if x == nil {
		x = &serial{number: len(s.of)}
		s.of[t] = x
	}
	return x
}

func (s *Serial) edge(from, to *Transaction) {
	a, b := s.get(from), s.get(to)
	a.after = append(a.after, b)
	b.wait++
}

func (s *Serial) step(of *Transaction, e events.Event) {
	x := s.get(of)
	if len(x.events) == 0 {
		s.order++
		x.number, x.yields = s.order, of.Added
	}
	x.events = append(x.events, e)
}

// Write gives the events in a serial order; inferred tells that a yield that the trace does not have comes
// before the event. It returns false if there is no such order.
func (s *Serial) Write(write func(e events.Event, inferred bool) error) (bool, error) {
	var ready ready
	for _, x := range s.of {
		if x.wait == 0 {
			ready = append(ready, x)
		}
	}
	heap.Init(&ready)
	left := len(s.of)
	for ; len(ready) > 0; left-- {
		x := heap.Pop(&ready).(*serial)
		for i, e := range x.events {
			if err := write(e, i == 0 && x.yields); err != nil {
				return false, err
			}
		}
		for _, y := range x.after {
			if y.wait--; y.wait == 0 {
				heap.Push(&ready, y)
			}
		}
	}
	return left == 0, nil
}

// ready is a heap of transactions that may come next.
type ready []*serial

func (r ready) Len() int           { return len(r) }
func (r ready) Less(i, j int) bool { return r[i].number < r[j].number }
func (r ready) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *ready) Push(x any)        { *r = append(*r, x.(*serial)) }
func (r *ready) Pop() any {
	n := len(*r) - 1
	x := (*r)[n]
	*r = (*r)[:n]
	return x
}
