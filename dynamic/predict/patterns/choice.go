package patterns

import (
	"slices"

	"github.com/empire-go/empire-go/dynamic/predict/explore"
	"github.com/empire-go/empire-go/dynamic/predict/order"
	"github.com/empire-go/empire-go/scenarios"
)

// choice is a choice of events for the beginning of a pattern.
type choice struct {
	*Pass
	scenario *scenarios.Scenario
	pattern  *scenarios.Pattern
	units    [2]*Unit
	shared   []uint32 // variables, ascending
	key      key      // with the scenario and the names only
	events   []order.ID
	next     [2]int // by unit: how many of its accesses come before the next one that may be chosen
	until    [2]int // by unit: of the first of its accesses at which a read that was chosen matters no more; 0: none
	vars     [2]uint32
	bound    [2]bool
	number   int // of the pattern in the scenario
	steps    int
	most     int  // steps; 0: any
	short    bool // something was left out
}

// choose chooses the next event in all ways.
func (c *choice) choose() {
	if len(c.events) == len(c.pattern.Events) {
		c.try()
		return
	}
	want := c.pattern.Events[len(c.events)]
	who, loc := int(want.Unit), want.Loc-1
	u := c.units[who]
	from, bound, variable, until := c.next[who], c.bound[loc], c.vars[loc], c.until[who]
	defer func() { c.next[who], c.bound[loc], c.vars[loc], c.until[who] = from, bound, variable, until }()
	for _, i := range c.fitting(want) {
		if c.most > 0 && c.steps > c.most {
			c.short = true
			return
		}
		id := order.ID{Thread: u.Thread, Index: u.Accesses[i]}
		object := c.h.Find(id).Object
		c.next[who], c.bound[loc], c.vars[loc], c.until[who] = i+1, true, object, until
		if !bound && c.decided() {
			continue
		}
		if want.Kind == scenarios.Read && u.UntilOf(i) > 0 && (until == 0 || u.UntilOf(i) < until) {
			c.until[who] = u.UntilOf(i)
		}
		c.events = append(c.events, id)
		c.choose()
		c.events = c.events[:len(c.events)-1]
	}
}

// fitting are the places of the accesses that may come next. Of many with the same code these are some: the first ones,
// but of those that begin the pattern as far apart as they are.
func (c *choice) fitting(want scenarios.Event) (all []int) {
	u, from := c.units[want.Unit], c.next[want.Unit]
	if loc := want.Loc - 1; c.bound[loc] {
		all = c.among(nil, u.placesOf(u.at(c.vars[loc])), want)
	} else {
		for _, variable := range c.shared {
			if places := u.placesOf(u.at(variable)); !(c.bound[1-loc] && variable == c.vars[1-loc]) &&
				places[len(places)-1] >= from {
				all = c.among(all, places, want)
			}
		}
		slices.Sort(all)
	}
	if most := c.bounds.Alike; most > 0 && len(all) > most {
		all = c.some(u, all, most)
	}
	return all
}

// among adds those of some places that may come next.
func (c *choice) among(all, places []int, want scenarios.Event) []int {
	u, until := c.units[want.Unit], c.until[want.Unit]
	first, _ := slices.BinarySearch(places, c.next[want.Unit])
	for _, i := range places[first:] {
		if until > 0 && i >= until {
			break
		}
		if c.steps++; c.most > 0 && c.steps > c.most {
			c.short = true
			break
		}
		id := order.ID{Thread: u.Thread, Index: u.Accesses[i]}
		kind := c.h.Find(id).Kind
		if (want.Kind == scenarios.Write && kind.Writes() || want.Kind == scenarios.Read && kind.Reads()) && c.canFollow(id) {
			all = append(all, i)
		}
	}
	return all
}

// some are so many at most of the places with the same code.
func (c *choice) some(u *Unit, all []int, most int) []int {
	code := func(i int) uint32 { return c.h.Find(order.ID{Thread: u.Thread, Index: u.Accesses[i]}).Ref }
	count, nth := map[uint32]int{}, map[uint32]int{}
	for _, i := range all {
		count[code(i)]++
	}
	return slices.DeleteFunc(all, func(i int) bool {
		n, of := nth[code(i)], count[code(i)]
		nth[code(i)]++
		skip := n >= most
		if len(c.events) == 0 {
			skip = of > most && n > 0 && n*most/of == (n-1)*most/of
		}
		c.short = c.short || skip
		return skip
	})
}

// canFollow tells whether an event may come after those that were chosen.
func (c *choice) canFollow(id order.ID) bool {
	for _, before := range c.events {
		if before.Thread != id.Thread && c.h.Find(before).Enter.At(id.Thread) >= id.Index {
			return false
		}
	}
	return !c.isShutOut(id)
}

// isShutOut tells whether the unit of an event has been in the critical section of the event throughout, since before
// one of the other unit that was chosen, and that one is in a critical section of the same lock: no run has both. Most
// choices fail for that reason, and a look at the locks is much less work than the search for a run.
func (c *choice) isShutOut(id order.ID) bool {
	for l := c.h.Find(id).Held; l != nil; l = l.Next {
		isInside := false
		for _, before := range c.events {
			held := c.h.Find(before).Held
			if before.Thread == id.Thread {
				isInside = isInside || held.Has(l.Acquire)
				continue
			}
			for m := held; m != nil && isInside; m = m.Next {
				if l.Excludes(m) {
					return true
				}
			}
		}
	}
	return false
}

// alike is the key of what the variables, and the events of units without a name, have been bound to.
func (c *choice) alike() key {
	k := c.key
	for i := range c.pattern.Locations() {
		k.fields[i] = c.field(c.vars[i])
	}
	if k.fields[0] > k.fields[1] && c.pattern.Locations() == 2 {
		k.fields[0], k.fields[1] = k.fields[1], k.fields[0]
	}
	return k
}

// isNamed tells whether one match is enough for two units and their fields.
func (c *choice) isNamed() bool { return c.units[0].name != 0 && c.units[1].name != 0 }

// decided tells whether nothing more is to be found out about the fields of named units.
func (c *choice) decided() bool {
	if !c.isNamed() || !c.bound[0] || c.pattern.Locations() == 2 && !c.bound[1] {
		return false
	}
	k := c.alike()
	if c.known[k] {
		return true
	}
	if most := c.bounds.Vain; most > 0 && c.failed[k] >= most {
		c.short = true
		return true
	}
	return false
}

// try looks for a run with the events.
func (c *choice) try() {
	alike := c.alike()
	code := alike
	code.pattern = c.number
	for i, id := range c.events {
		code.codes[i] = c.h.Find(id).Ref + 1
	}
	if !c.isNamed() {
		alike = code
	}
	if c.known[alike] {
		return
	}
	if c.bounds.Tries > 0 && c.failed[code] >= c.bounds.Tries || c.isNamed() && c.decided() {
		c.short = true
		return
	}
	c.Tried++
	r := explore.Chain(c.h, c.events, explore.Options{Runs: c.bounds.Runs})
	if r.Verdict != explore.Violation {
		if c.failed[code]++; alike != code {
			c.failed[alike]++
		}
		c.short = c.short || r.Verdict == explore.Bounded
		return
	}
	c.known[alike] = true
	if c.scenario.Number != scenarios.ConflictCycle {
		c.pairs[names(c.units[0].Name, c.units[1].Name)] = true
	}
	c.found(&Match{*c.scenario, *c.pattern, c.units, append([]uint32{}, c.vars[:c.pattern.Locations()]...),
		append([]order.ID{}, c.events...), r.Run})
}
