package cooperable

import (
	"slices"

	"github.com/empire-go/empire-go/dynamic/events"
)

// cell is the state of an object: the accesses that later ones may have to follow, in the order of time, of
// each thread and mode the last one. An access that changes the state stands for all that it follows.
type cell struct{ accesses []access }

type access struct {
	Step
	mode events.Mode
	open bool // it closed a cycle: it follows none of those before it
}

// key names a cell.
func key(e events.Event) uint64 { return uint64(e.Op.Kind())<<60 | e.Object }

// repeats tells whether the transaction of a step has made an access before that had to follow the same.
func (c *cell) repeats(now Step, mode events.Mode) bool {
	of := now.Of
	for i := len(c.accesses) - 1; i >= 0; i-- {
		a := &c.accesses[i]
		switch {
		case a.Of == of && (a.mode == mode || a.mode == events.Change):
			if a.mode == mode && !a.open {
				a.Event = now.Event
			}
			return !a.open
		case a.Of.Thread != of.Thread && a.mode.Conflict(mode):
			return false
		}
	}
	return false
}

// since are the accesses that are later than a thread's own last one in a mode, and whether that one is open.
func (c *cell) since(thread uint32, mode events.Mode) (later []access, open bool) {
	for i := len(c.accesses) - 1; i >= 0; i-- {
		if a := c.accesses[i]; a.Of.Thread == thread && (a.mode == mode || a.mode == events.Change) {
			return c.accesses[i+1:], a.open
		}
	}
	return c.accesses, false
}

// put records an access.
func (c *cell) put(a access) {
	if a.mode == events.Change && !a.open {
		clear(c.accesses)
		c.accesses = append(c.accesses[:0], a)
		return
	}
	i := slices.IndexFunc(c.accesses, func(b access) bool { return b.Of.Thread == a.Of.Thread && b.mode == a.mode })
	if i >= 0 {
		c.accesses = slices.Delete(c.accesses, i, i+1)
	}
	c.accesses = append(c.accesses, a)
}
