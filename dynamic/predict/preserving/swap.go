package preserving

import (
	"maps"
	"slices"

	"github.com/empire-go/empire-go/dynamic/predict/order"
)

// Swap is two operations that came in one order and can come in the other one: after the run, which has the first of
// them, the thread of the second is about to do that.
type Swap struct {
	First, Then order.ID
	Run         []order.ID
	Has         func(order.ID) bool // tells whether the run has an event
}

// mostAlone bounds how many events a thread does alone.
const mostAlone = 500

// Swapped looks for a run in which first, which must never wait, comes before then, though in the observed run it came
// later. Both are about to be done after a sync-preserving run; or, where a lock keeps them apart, after one in which
// neither thread has taken it, from which the one goes on alone until it has let go of its locks, and then the other
// one until it is about to do its operation. Each read on the way reads what it has read in the observed run; so both
// threads do what they have done there. It takes the time of a Closure for each lock that is held.
func Swapped(h *order.History, first, then order.ID) (found Swap, ok bool) {
	if first.Thread == then.Thread || !h.Kept(first) || !h.Kept(then) || enters(h.Find(first), then) {
		return found, false
	}
	starts := []order.ID{then}
	for l := h.HeldAt(then.Thread, then.Index-1); l != nil; l = l.Next {
		if h.Kept(l.Acquire) && l.Acquire.Thread == then.Thread {
			starts = append(starts, l.Acquire)
		}
	}
	for _, start := range starts {
		c := NewClosure(h)
		c.Reach(start)
		c.Reach(first)
		if c.Failed() {
			return found, false
		}
		if c.Has(first) || c.Has(start) {
			continue
		}
		a := aloneAfter(c)
		a.run = append(a.run, first)
		a.done[first] = true
		if e := h.Find(first); e.Kind.Writes() {
			a.writers[e.Object] = first
		}
		for i := first.Index + 1; start != then && i <= h.Last(first.Thread) && len(a.held[first.Thread]) > 0; i++ {
			if !a.does(order.ID{Thread: first.Thread, Index: i}) {
				break
			}
		}
		i := start.Index
		for i < then.Index && a.does(order.ID{Thread: then.Thread, Index: i}) {
			i++
		}
		if i == then.Index {
			has := func(id order.ID) bool { return c.Has(id) || a.done[id] }
			return Swap{first, then, a.run, has}, true
		}
	}
	return found, false
}

// Early looks for a run in which an operation is about to be done before another one, that came before it, has been
// done at all.
func Early(h *order.History, op, before order.ID) (found Swap, ok bool) {
	if op.Thread == before.Thread || !h.Kept(op) || !h.Kept(before) || enters(h.Find(op), before) {
		return found, false
	}
	c := NewClosure(h)
	c.Reach(op)
	if c.Failed() || c.Has(before) || c.Has(op) {
		return found, false
	}
	return Swap{before, op, c.Run(), c.Has}, true
}

// alone is a run that threads go on from one after the other.
type alone struct {
	h       *order.History
	run     []order.ID
	done    map[order.ID]bool   // what was added to the run
	writers map[uint32]order.ID // by variable: the last write in the window
	open    map[uint32][]open   // by lock: the critical sections that are not over
	held    map[int32][]uint32  // by thread: the locks that it has taken in the window or holds from before
}

func aloneAfter(c *Closure) *alone {
	a := &alone{h: c.h, run: c.Run(), done: map[order.ID]bool{}, writers: map[uint32]order.ID{},
		open: map[uint32][]open{}, held: map[int32][]uint32{}}
	for _, id := range a.run {
		if e := c.h.Find(id); e.Kind.Writes() {
			a.writers[e.Object] = id
		}
	}
	for lock, s := range c.sections {
		a.open[lock] = slices.Clone(s.open)
		for _, o := range s.open {
			a.held[o.Thread] = append(a.held[o.Thread], lock)
		}
	}
	maps.DeleteFunc(a.open, func(_ uint32, all []open) bool { return len(all) == 0 })
	return a
}

// does lets a thread do its next event, if it can and the event is the same as in the observed run.
func (a *alone) does(id order.ID) bool {
	if len(a.done) == mostAlone {
		return false
	}
	e := a.h.Find(id)
	switch {
	case e.Kind.IsAccess():
		if e.Kind.Reads() && a.writers[e.Object] != a.seen(e.Writer) {
			return false
		}
		if e.Kind.Writes() {
			a.writers[e.Object] = id
		}
	case e.Kind.Acquires():
		shared := e.Kind == order.ReadAcquire
		if slices.ContainsFunc(a.open[e.Object], func(o open) bool { return !shared || !o.shared }) {
			return false
		}
		a.open[e.Object] = append(a.open[e.Object], open{id, shared, 0})
		a.held[id.Thread] = append(a.held[id.Thread], e.Object)
	case e.Kind == order.Release || e.Kind == order.ReadRelease:
		i := slices.IndexFunc(a.open[e.Object], func(o open) bool { return o.ID == e.Pair })
		if i < 0 || e.Pair.Thread != id.Thread {
			return false
		}
		a.open[e.Object] = slices.Delete(a.open[e.Object], i, i+1)
		if j := slices.Index(a.held[id.Thread], e.Object); j >= 0 {
			a.held[id.Thread] = slices.Delete(a.held[id.Thread], j, j+1)
		}
	default:
		return false // it may wait, or see what others have done
	}
	a.run = append(a.run, id)
	a.done[id] = true
	return true
}

// seen is a write, if it is in the window: what was written before has no name.
func (a *alone) seen(writer order.ID) order.ID {
	if writer.Index > 0 && a.h.Kept(writer) {
		return writer
	}
	return order.ID{}
}
