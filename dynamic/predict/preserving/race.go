package preserving

import (
	"slices"

	"github.com/empire-go/empire-go/dynamic/predict/order"
)

// Race is two accesses that can both be done next after a run.
type Race struct {
	Accesses [2]order.ID
	Run      []order.ID // after which they are next, in the window
}

// Races looks for data races in a window, and calls found with the first one of each two threads, variable and kinds of
// access. It tells how many of these were given up. Two accesses race if one of them writes and one of them is not
// atomic. For each two threads and variable the time is that of one Closure (POPL 2021).
func Races(h *order.History, isAtomic func(order.ID) bool, b Bounds, found func(Race)) (given int) {
	steps := 0
	for v := range h.Variables() {
		all := h.Accesses(uint32(v))
		for i := range all {
			for j := range i {
				one, other := split(h, all[i], isAtomic), split(h, all[j], isAtomic)
				for x := range one {
					for y := range other {
						if (x|y)&writes == 0 || x&y&atomic != 0 || len(one[x]) == 0 || len(other[y]) == 0 {
							continue
						}
						if steps > b.Steps {
							given++
							continue
						}
						steps += race(h, one[x], other[y], found)
					}
				}
			}
		}
	}
	return given
}

const writes, atomic = 1, 2

// split sorts accesses of a thread by what they do.
func split(h *order.History, a order.Accesses, isAtomic func(order.ID) bool) (all [4][]order.ID) {
	add := func(index int32, does int) {
		id := order.ID{Thread: a.Thread, Index: index}
		if isAtomic(id) {
			does |= atomic
		}
		all[does] = append(all[does], id)
	}
	for _, index := range a.Writes {
		add(index, writes)
	}
	for _, index := range a.Reads {
		if !h.Find(order.ID{Thread: a.Thread, Index: index}).Kind.Writes() {
			add(index, 0)
		}
	}
	return all
}

// race looks for the first two of two lists of accesses that can be reached together. One that is in the closure of
// some is in that of all later ones.
func race(h *order.History, one, other []order.ID, found func(Race)) (steps int) {
	c := NewClosure(h)
	for len(one) > 0 && len(other) > 0 {
		steps++
		a, b := h.Find(one[0]), h.Find(other[0])
		switch {
		case !enters(a, b.ID) && !enters(b, a.ID):
			c.Reach(a.ID)
			c.Reach(b.ID)
			if c.Failed() {
				return steps + c.steps
			}
			if !c.Has(a.ID) && !c.Has(b.ID) {
				found(Race{[2]order.ID{a.ID, b.ID}, c.Run()})
				return steps + c.steps
			}
			one, other = beyond(c, one), beyond(c, other)
		case enters(a, b.ID):
			other = other[1:]
		default:
			one = one[1:]
		}
	}
	return steps + c.steps
}

// enters tells whether a thread has come to an event only after another event.
func enters(e *order.Event, id order.ID) bool { return e.Enter.At(id.Thread) >= id.Index }

// beyond is the accesses of a list that are not in the set.
func beyond(c *Closure, all []order.ID) []order.ID {
	i := slices.IndexFunc(all, func(id order.ID) bool { return !c.Has(id) })
	if i < 0 {
		return nil
	}
	return all[i:]
}
