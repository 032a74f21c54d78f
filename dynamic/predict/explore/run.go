package explore

import (
	"slices"

	"github.com/empire-go/empire-go/dynamic/predict/order"
)

// attempt runs the needed events in the observed order, as far as the edges allow, or calmly: with as few context
// switches after the beginning of the block as can be had without a search. What comes before every event that has
// to come earlier than it was observed needs no run: it is one, apart from threads that stop in a critical section.
func (x *explorer) attempt(c *candidate, calm bool) ([]order.ID, *conflict) {
	if open := x.open(c); open != nil {
		return nil, open
	}
	begin := x.h.Start() + x.h.Len()
	for _, e := range c.edges {
		if at := x.h.Number(e.to); at < x.h.Number(e.from) {
			begin = min(begin, at)
		}
	}
	if calm {
		begin = min(begin, x.h.Number(x.own(x.block.Accesses[0])))
	}
	r := &runner{explorer: x, c: c, calm: calm, done: make([]int32, len(c.until)), into: make([][]*edge, len(c.until)),
		writers: map[uint32]order.ID{}, holders: map[uint32][]order.Held{}}
	for i := range c.edges {
		e := c.edges[i].edge
		r.into[e.to.Thread] = append(r.into[e.to.Thread], e)
	}
	for i := range r.done {
		t := int32(i)
		r.done[t] = min(c.until[t], x.h.Until(t, begin))
		for l := x.h.HeldAt(t, r.done[t]); l != nil; l = l.Next {
			r.holders[l.Lock] = append(r.holders[l.Lock], *l)
		}
	}
	r.start = slices.Clone(r.done)
	for {
		e := r.choose()
		if e == nil {
			break
		}
		x.result.Looks += 1 + len(r.done)/4 // threads to choose from
		if found := r.step(e); found != nil {
			return nil, found
		}
	}
	for i := range r.done {
		if r.done[i] < c.until[i] {
			return nil, nil // the edges make a cycle: cannot be
		}
	}
	return append(r.prefix(begin), r.run...), nil
}

// calm is a run with no more context switches than the bound says; nil if none is known.
func (x *explorer) calm(c *candidate, run []order.ID) []order.ID {
	most := x.options.Switches
	if most == 0 || x.switches(run) <= most {
		return run
	}
	if run, _ := x.attempt(c, true); run != nil && x.switches(run) <= most {
		return run
	}
	x.missed = true
	return nil
}

// switches counts the context switches of a run from the first access of the block to the last one.
func (x *explorer) switches(run []order.ID) int {
	n := 0
	begin := slices.Index(run, x.own(x.block.Accesses[0]))
	for i := begin + 1; i < len(run); i++ {
		if run[i].Thread != run[i-1].Thread {
			n++
		}
	}
	return n
}

// runner runs events.
type runner struct {
	*explorer
	c       *candidate
	calm    bool
	start   []int32 // what came before the run, by thread
	done    []int32
	into    [][]*edge // by thread: those that lead to events of it
	writers map[uint32]order.ID
	holders map[uint32][]order.Held
	run     []order.ID
}

// open finds a thread that stops in a critical section of which the lock is needed later.
func (x *explorer) open(c *candidate) *conflict {
	for i := range c.until {
		t := int32(i)
		for l := x.h.HeldAt(t, c.until[t]); l != nil; l = l.Next {
			acquires := x.h.Acquires(l.Lock)
			n := 0
			if x.h.Kept(l.Acquire) {
				at := x.h.Number(l.Acquire)
				n, _ = slices.BinarySearchFunc(acquires, at, func(id order.ID, at int) int { return x.h.Number(id) - at })
				n++
			}
			for _, a := range acquires[n:] {
				e := x.h.Find(a)
				if a.Index > c.until[a.Thread] || l.Shared && e.Kind == order.ReadAcquire {
					continue
				}
				if x.h.Kept(l.Acquire) && e.Pair.Index > 0 && e.Pair.Index <= c.until[e.Pair.Thread] &&
					x.ordered(c, e.Pair, l.Acquire) {
					continue
				}
				return &conflict{first: l.Acquire, second: a}
			}
		}
	}
	return nil
}

// choose is the event that comes next: of those that can, the one that was first in the observed run. In a calm run
// the block begins when nothing else can go on, and then the thread goes on that ran last, as long as it can.
func (r *runner) choose() *order.Event {
	var best *order.Event
	at := 0
	first := r.own(r.block.Accesses[0])
	for i := range r.done {
		if r.done[i] == r.c.until[i] {
			continue
		}
		e := r.h.Find(order.ID{Thread: int32(i), Index: r.done[i] + 1})
		n := r.h.Number(e.ID)
		if r.calm && e.ID == first {
			n += r.h.Len()
		}
		if r.calm && r.done[first.Thread] >= first.Index && e.Thread == r.run[len(r.run)-1].Thread {
			n = -1
		}
		if (best == nil || n < at) && r.ready(e) {
			best, at = e, n
		}
	}
	return best
}

// ready tells whether all that must come before the next event of a thread has come. What comes before the beginning
// of an edge has come when that has.
func (r *runner) ready(e *order.Event) bool {
	clock := r.clock(r.c, e)
	for t := range min(clock.Len(), len(r.done)) {
		if t != int(e.Thread) && clock.At(int32(t)) > r.done[t] {
			return false
		}
	}
	for _, f := range r.into[e.Thread] {
		if f.to.Index == e.Index && f.from.Index > r.done[f.from.Thread] {
			return false
		}
	}
	return true
}

// step runs an event; if it is no run any more it says why.
func (r *runner) step(e *order.Event) *conflict {
	if e.Kind.Reads() && !r.c.isFree(e.ID) {
		writer := e.Writer
		if writer.Index > 0 && !r.h.Kept(writer) {
			writer = order.ID{}
		}
		if seen := r.writer(e.Object); seen != writer {
			return &conflict{read: e.ID, write: seen, writer: e.Writer}
		}
	}
	switch {
	case e.Kind.Writes():
		r.writers[e.Object] = e.ID
	case e.Kind.Acquires():
		shared := e.Kind == order.ReadAcquire
		for _, l := range r.holders[e.Object] {
			if !l.Shared || !shared {
				return r.overlap(l.Acquire, e.ID)
			}
		}
		r.holders[e.Object] = append(r.holders[e.Object], order.Held{Acquire: e.ID, Lock: e.Object, Shared: shared})
	case e.Kind == order.Release || e.Kind == order.ReadRelease:
		r.holders[e.Object] = slices.DeleteFunc(r.holders[e.Object], func(l order.Held) bool { return l.Acquire == e.Pair })
	}
	r.done[e.Thread]++
	r.run = append(r.run, e.ID)
	return nil
}

// overlap is the conflict of two critical sections, the one first that was observed first.
func (r *runner) overlap(a, b order.ID) *conflict {
	if r.h.Kept(a) && r.h.Number(b) < r.h.Number(a) {
		a, b = b, a
	}
	return &conflict{first: a, second: b}
}

// writer is the last write of a variable.
func (r *runner) writer(variable uint32) order.ID {
	if w, ok := r.writers[variable]; ok {
		return w
	}
	var last order.ID
	at := -1
	for _, a := range r.h.Accesses(variable) {
		if i, _ := slices.BinarySearch(a.Writes, r.start[a.Thread]+1); i > 0 {
			w := order.ID{Thread: a.Thread, Index: a.Writes[i-1]}
			if n := r.h.Number(w); n > at {
				last, at = w, n
			}
		}
	}
	r.writers[variable] = last
	return last
}

// prefix are the needed events before a number, as they were observed.
func (r *runner) prefix(begin int) []order.ID {
	var all []order.ID
	for n := r.h.Start(); n < begin; n++ {
		if e := r.h.Event(n); e.Index <= r.c.until[e.Thread] {
			all = append(all, e.ID)
		}
	}
	return all
}
