// Package patterns predicts, from one run, the patterns of package scenarios: orders of the accesses of two units of
// work that no order of whole units explains.
//
// Prediction up to the equivalence of traces, as other predictive analyses have it, is useless for them: it keeps
// the order of every two accesses in conflict, and nearly all patterns consist of such pairs, so that a pattern is
// equivalent to nothing but itself. Here the runs are those of package explore, in which a read keeps its write but
// conflicting accesses may change places otherwise: each read has read what it has read in the observed run, except the
// last event of each of the two units. What a unit has read counts only until its value matters no more, as for those
// who watch a run (package automata): a condition that is looked at again after a wait. Critical sections may change
// places, too, so these runs include all reorderings that preserve synchronisation.
//
// Units are compared as they end, with those in the window that have accessed the same; what has been found once
// for some code is not looked for again, and what was looked for in vain a number of times for some code is given up.
package patterns

import (
	"fmt"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/dynamic/predict/explore"
	"github.com/empire-go/empire-go/dynamic/predict/order"
	"github.com/empire-go/empire-go/dynamic/predict/segment"
	"github.com/empire-go/empire-go/scenarios"
)

// Unit is a unit of work.
type Unit struct {
	*segment.Block
	Name string // what it is reported by
	Site uint32 // the caller's
	held []*order.Held
	vars map[uint32]bool // whether it writes them

	number int
	mark   int // the number of the last unit that it was compared with
}

// Match is a pattern that can occur.
type Match struct {
	Scenario scenarios.Scenario
	Pattern  scenarios.Pattern
	Units    [2]*Unit   // u and u'
	Vars     []uint32   // l1, l2
	Events   []order.ID // in the order of the pattern
	Run      []order.ID
}

// Bounds are on the work.
type Bounds struct {
	Runs  int // for each choice of events
	Tries int // choices of events of the same code that may fail
	Units int // that an ending unit is compared with
}

// Defaults are generous for programs with some hundred places of code.
var Defaults = Bounds{Runs: 16, Tries: 8, Units: 64}

// Pass goes over a run.
type Pass struct {
	Given int // choices of events and pairs of units that were given up
	Tried int // choices of events

	h      *order.History
	table  []scenarios.Scenario
	bounds Bounds
	code   func(order.ID) string
	found  func(*Match)
	units  int // how many have ended
	recent []*Unit
	byVar  map[uint32][]*Unit
	known  map[string]bool
	failed map[string]int
	pairs  map[[2]string]bool // of names: explained by scenarios 1 to 11
}

// New returns a pass that calls found for each match, conflict cycles of units that other scenarios explain included.
// Code says where an event is; two with the same are as good as each other.
func New(h *order.History, table []scenarios.Scenario, b Bounds, code func(order.ID) string, found func(*Match)) *Pass {
	return &Pass{h: h, table: table, bounds: b, code: code, found: found, byVar: map[uint32][]*Unit{},
		known: map[string]bool{}, failed: map[string]int{}, pairs: map[[2]string]bool{}}
}

// End compares a unit that has ended with those before.
func (p *Pass) End(b *segment.Block, name string, site uint32) {
	p.units++
	u := &Unit{Block: b, Name: name, Site: site, number: p.units, vars: map[uint32]bool{}, held: guards(p.h, b)}
	var vars []uint32
	for _, i := range b.Accesses {
		e := p.h.Find(order.ID{Thread: b.Thread, Index: i})
		if _, known := u.vars[e.Object]; !known {
			vars = append(vars, e.Object)
		}
		u.vars[e.Object] = u.vars[e.Object] || e.Kind.Writes()
	}
	var others []*Unit
	for _, variable := range vars {
		for _, v := range p.byVar[variable] {
			if v.Thread != u.Thread && v.mark != u.number && (u.vars[variable] || v.vars[variable]) && !u.excludes(v) {
				v.mark = u.number
				others = append(others, v)
			}
		}
		p.byVar[variable] = append(p.byVar[variable], u)
	}
	p.recent = append(p.recent, u)
	slices.SortFunc(others, func(a, b *Unit) int { return b.number - a.number })
	if most := p.bounds.Units; most > 0 && len(others) > most {
		p.Given++
		others = others[:most]
	}
	for _, v := range others {
		p.pair(u, v)
	}
}

// excludes tells whether both units hold one lock throughout: every pattern has events of one unit between those of the
// other.
func (u *Unit) excludes(v *Unit) bool {
	for _, l := range u.held {
		for _, m := range v.held {
			if l.Excludes(m) {
				return true
			}
		}
	}
	return false
}

// Slide forgets units that begin before the window.
func (p *Pass) Slide() {
	keep := p.recent[:0]
	p.byVar = map[uint32][]*Unit{}
	for _, u := range p.recent {
		if p.h.Kept(order.ID{Thread: u.Thread, Index: u.Accesses[0]}) {
			keep = append(keep, u)
			for variable := range u.vars {
				p.byVar[variable] = append(p.byVar[variable], u)
			}
		}
	}
	p.recent = keep
}

// Explained tells whether two units have one of scenarios 1 to 11: then their conflict cycles are nothing new.
func (p *Pass) Explained(u, v string) bool { return p.pairs[names(u, v)] }

func names(u, v string) [2]string { return [2]string{min(u, v), max(u, v)} }

// guards are the locks that a block holds throughout.
func guards(h *order.History, b *segment.Block) (all []*order.Held) {
	end := h.HeldAt(b.Thread, b.Accesses[len(b.Accesses)-1])
	for l := h.HeldAt(b.Thread, b.Accesses[0]); l != nil; l = l.Next {
		if end.Has(l.Acquire) {
			all = append(all, l)
		}
	}
	return all
}

// pair looks for the patterns of two units.
func (p *Pass) pair(u, v *Unit) {
	for _, s := range p.table {
		for n := range s.Patterns {
			c := choice{Pass: p, scenario: &s, pattern: &s.Patterns[n], units: [2]*Unit{u, v}}
			c.choose()
			c = choice{Pass: p, scenario: &s, pattern: &s.Patterns[n], units: [2]*Unit{v, u}}
			c.choose()
		}
	}
}

// choice is a choice of events for the beginning of a pattern.
type choice struct {
	*Pass
	scenario *scenarios.Scenario
	pattern  *scenarios.Pattern
	units    [2]*Unit
	events   []order.ID
	next     [2]int // by unit: how many of its accesses come before the next one that may be chosen
	until    [2]int // by unit: of the first of its accesses at which a read that was chosen matters no more; 0: none
	vars     [2]uint32
	bound    [2]bool
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
	for i := from; i < len(u.Accesses) && (until == 0 || i < until); i++ {
		id := order.ID{Thread: u.Thread, Index: u.Accesses[i]}
		e := c.h.Find(id)
		fits := e.Kind.Reads()
		if want.Kind == scenarios.Write {
			fits = e.Kind.Writes()
		}
		if !fits || bound && e.Object != variable || !bound && c.bound[1-loc] && e.Object == c.vars[1-loc] {
			continue
		}
		if _, shared := c.units[1-who].vars[e.Object]; !shared || !c.canFollow(id) {
			continue
		}
		c.next[who], c.bound[loc], c.vars[loc], c.until[who] = i+1, true, e.Object, until
		if want.Kind == scenarios.Read && u.UntilOf(i) > 0 && (until == 0 || u.UntilOf(i) < until) {
			c.until[who] = u.UntilOf(i)
		}
		c.events = append(c.events, id)
		c.choose()
		c.events = c.events[:len(c.events)-1]
	}
}

// canFollow tells whether an event may come after the last one that was chosen.
func (c *choice) canFollow(id order.ID) bool {
	for _, before := range c.events {
		if before.Thread != id.Thread && c.h.Find(before).Enter.At(id.Thread) >= id.Index {
			return false
		}
	}
	return true
}

// key names the code of the choice.
func (c *choice) key() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s %s", c.scenario.Number, c.units[0].Name, c.units[1].Name)
	for i, id := range c.events {
		fmt.Fprintf(&b, "|%v %s", c.pattern.Events[i], c.code(id))
	}
	return b.String()
}

// try looks for a run with the events.
func (c *choice) try() {
	key := c.key()
	if c.known[key] {
		return
	}
	if c.bounds.Tries > 0 && c.failed[key] >= c.bounds.Tries {
		c.Given++
		return
	}
	c.Tried++
	r := explore.Chain(c.h, c.events, explore.Options{Runs: c.bounds.Runs})
	if r.Verdict != explore.Violation {
		if c.failed[key]++; r.Verdict == explore.Bounded {
			c.Given++
		}
		return
	}
	c.known[key] = true
	m := &Match{*c.scenario, *c.pattern, c.units, append([]uint32{}, c.vars[:c.pattern.Locations()]...),
		append([]order.ID{}, c.events...), r.Run}
	if c.scenario.Number != scenarios.ConflictCycle {
		c.pairs[names(c.units[0].Name, c.units[1].Name)] = true
	}
	c.found(m)
}
