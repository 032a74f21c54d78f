// Package preserving predicts deadlocks and data races from one run: those of its sync-preserving reorderings. These
// are the runs in which each thread does a beginning of what it has done, each read reads what it has read, and the
// critical sections of a lock keep their order, as far as they are there (Mathur, Pavlogiannis and Viswanathan, POPL
// 2021, for races; Tunç, Mathur, Pavlogiannis and Viswanathan, PLDI 2023, for deadlocks).
//
// Such a run is a set of events that is closed, in the order of the observed run: so it is found without a search, and
// what is found is real. A reordering in which critical sections change places is looked at only for two operations
// that are to come in the other order, and then only the last sections of their threads.
//
//	closure   what must be there if some events are
//	deadlock  threads that wait for each other's locks
//	race      two accesses that nothing keeps apart
//	swap      two operations that can come in the order in which they did not come
//
// What comes before an event is told by package order, so that messages, conditions and joins are kept, too.
package preserving

import (
	"slices"

	"github.com/empire-go/empire-go/dynamic/predict/order"
)

// Closure is a closed set of events: the least one with the events that were added, and all from before the window. It
// only grows. The time for all that is added is linear in the events that come in, times the threads.
type Closure struct {
	h        *order.History
	until    []int32 // by thread: the index of its last event in the set
	done     []int32 // up to which it has been looked at
	sections map[uint32]*sections
	failed   bool
	steps    int // events that were looked at
}

// sections are the critical sections of a lock of which some event is in the set.
type sections struct {
	open           []open // those that are not known to be over
	any, exclusive int    // the latest acquire, and the latest that is not for reading
}

type open struct {
	order.ID
	shared bool
	number int // before those of the window: -1
}

// NewClosure returns the set of what comes before the window.
func NewClosure(h *order.History) *Closure {
	c := &Closure{h: h, sections: map[uint32]*sections{}}
	for t := range int32(h.Threads()) {
		c.until, c.done = append(c.until, h.Base(t)), append(c.done, h.Base(t))
		for l := h.HeldAt(t, h.Base(t)); l != nil; l = l.Next {
			s := c.of(l.Lock)
			s.open = append(s.open, open{l.Acquire, l.Shared, -1})
		}
	}
	return c
}

func (c *Closure) of(lock uint32) *sections {
	s := c.sections[lock]
	if s == nil {
		s = &sections{any: -1, exclusive: -1}
		c.sections[lock] = s
	}
	return s
}

// Has tells whether an event is in the set. All are, if it is no run.
func (c *Closure) Has(id order.ID) bool { return c.failed || id.Index <= c.until[id.Thread] }

// Failed tells whether no run has the set.
func (c *Closure) Failed() bool { return c.failed }

// Reach adds what must be there when a thread is about to do an event.
func (c *Closure) Reach(id order.ID) {
	c.raise(id.Thread, id.Index-1)
	c.after(c.h.Find(id).Enter)
	c.close()
}

func (c *Closure) raise(thread, index int32) { c.until[thread] = max(c.until[thread], index) }

func (c *Closure) after(before *order.Clock) {
	for t := range int32(before.Len()) {
		c.raise(t, before.At(t))
	}
}

// close adds what must be there, until nothing is missing.
func (c *Closure) close() {
	for more := true; more && !c.failed; {
		more = false
		for t := range int32(len(c.until)) {
			for c.done[t] < c.until[t] && !c.failed {
				more = true
				c.done[t]++
				c.steps++
				c.take(c.h.Find(order.ID{Thread: t, Index: c.done[t]}))
			}
		}
	}
}

// take takes in an event. What must come before the last event of a thread comes before all that it does.
func (c *Closure) take(e *order.Event) {
	if e.Index == c.until[e.Thread] {
		c.after(e.Before)
	}
	switch {
	case e.Kind.Acquires():
		s, shared, n := c.of(e.Object), e.Kind == order.ReadAcquire, c.h.Number(e.ID)
		if s.any = max(s.any, n); !shared {
			s.exclusive = max(s.exclusive, n)
		}
		s.open = append(s.open, open{e.ID, shared, n})
		c.end(s)
	case e.Kind == order.Release || e.Kind == order.ReadRelease:
		s := c.of(e.Object)
		s.open = slices.DeleteFunc(s.open, func(o open) bool { return o.ID == e.Pair })
	}
}

// end ends the critical sections that another one follows: their releases must be there.
func (c *Closure) end(s *sections) {
	s.open = slices.DeleteFunc(s.open, func(o open) bool {
		if o.number >= s.exclusive && (o.shared || o.number >= s.any) {
			return false
		}
		release, known := c.h.ReleaseOf(o.ID)
		if !known {
			c.failed = true
			return false
		}
		c.raise(release.Thread, release.Index)
		return true
	})
}

// Run returns the events of the window that are in the set, in the order of the observed run: it is one.
func (c *Closure) Run() (all []order.ID) {
	for n := c.h.Start(); n < c.h.Start()+c.h.Len(); n++ {
		if e := c.h.Event(n); c.Has(e.ID) {
			all = append(all, e.ID)
		}
	}
	return all
}
