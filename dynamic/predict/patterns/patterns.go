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
// Units are compared as they end, with those in the window that have accessed the same, but not with those that hold
// the same lock throughout. Events that locks keep from following each other are not chosen: in a program in which
// most is guarded that leaves few choices for which a run has to be looked for. A pattern that leaves a unit
// and comes back to it needs no look where that unit is known to be atomic in all of these runs. How much is looked
// at is bounded (Bounds): what has been found once for two units and their fields is not looked for again, of many
// events with the same code some are taken, and what was looked for in vain for some time is given up, and counted.
package patterns

import (
	"cmp"
	"slices"

	"github.com/empire-go/empire-go/dynamic/predict/order"
	"github.com/empire-go/empire-go/dynamic/predict/segment"
	"github.com/empire-go/empire-go/scenarios"
)

// Unit is a unit of work.
type Unit struct {
	*segment.Block
	Name string // what it is reported by
	Site uint32 // the caller's

	held   []*order.Held
	vars   []touched // ascending
	places []int     // of the accesses, by variable
	atomic bool      // in all runs, as long as others are what they are
	name   uint32    // the number of the name
	number int
	mark   int // the number of the last unit that it was compared with
}

// touched is what a unit does to a variable.
type touched struct {
	variable      uint32
	from, to      int32 // the places of the accesses, in those of the unit
	reads, writes bool
}

// placesOf are those of the accesses to a variable, ascending.
func (u *Unit) placesOf(t *touched) []int { return u.places[t.from:t.to] }

// touch is what the unit has accessed.
func (p *Pass) touch(u *Unit) {
	all, variables := p.accesses[:0], 0
	for place, i := range u.Accesses {
		e := p.h.Find(order.ID{Thread: u.Thread, Index: i})
		all = append(all, uint64(e.Object)<<32|uint64(place)) // ascending by the variable, then by the place
	}
	slices.Sort(all)
	for i, a := range all {
		if i == 0 || a>>32 != all[i-1]>>32 {
			variables++
		}
	}
	p.accesses = all
	u.vars = make([]touched, 0, variables)
	u.places = make([]int, len(all))
	for i, a := range all {
		variable, place := uint32(a>>32), int(uint32(a))
		if i == 0 || u.vars[len(u.vars)-1].variable != variable {
			u.vars = append(u.vars, touched{variable: variable, from: int32(i)})
		}
		t := &u.vars[len(u.vars)-1]
		u.places[i], t.to = place, int32(i+1)
		kind := p.h.Find(order.ID{Thread: u.Thread, Index: u.Accesses[place]}).Kind
		t.reads, t.writes = t.reads || kind.Reads(), t.writes || kind.Writes()
	}
}

// at is what the unit does to a variable, nil for nothing.
func (u *Unit) at(variable uint32) *touched {
	compare := func(t touched, v uint32) int { return cmp.Compare(t.variable, v) }
	i, ok := slices.BinarySearchFunc(u.vars, variable, compare)
	if !ok {
		return nil
	}
	return &u.vars[i]
}

// guarded are units that access a variable and hold a lock throughout, or none.
type guarded struct {
	by     *order.Held // nil: none
	thread int32       // of all of them; several: they are of more than one
	units  []visitor
}

// several threads.
const several = -1

// visitor is a unit that accesses a variable.
type visitor struct {
	*Unit
	writes bool
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

// Bounds are on the work. A zero is none.
type Bounds struct {
	Runs  int // for each choice of events
	Tries int // choices of events of the same code that may fail
	Vain  int // choices of events of two named units and their fields that may fail
	Alike int // events of the same code that are tried in one place of a pattern
	Units int // that an ending unit is compared with
	Steps int // for two units: events that are looked at
	Often int // steps for all units with the same two names; after these a tenth of Steps is left for two units
}

// Defaults are generous for programs with some hundred places of code.
var Defaults = Bounds{Runs: 16, Tries: 8, Vain: 256, Alike: 8, Units: 64, Steps: 20_000, Often: 400_000}

// key is what two matches have in common of which one is enough: the fields of named units, else the code.
type key struct {
	scenario int
	pattern  int // its number in the scenario, with the code
	names    [2]uint32
	fields   [2]uint32
	codes    [4]uint32
}

// Pass goes over a run.
type Pass struct {
	Given int // choices of events and pairs of units that were given up
	Tried int // choices of events

	h      *order.History
	table  []scenarios.Scenario
	facts  [][]facts // by scenario and pattern
	bounds Bounds
	field  func(variable uint32) uint32
	found  func(*Match)
	units  int // how many have ended
	recent []*Unit
	byVar  [][]guarded // by variable
	used   []uint32    // variables that have some
	names  map[string]uint32
	known  map[key]bool
	failed map[key]int
	given  map[key]bool // something was left out
	spent  map[[2]uint32]int
	pairs  map[[2]string]bool // of names: explained by scenarios 1 to 11

	accesses []uint64 // see touch
	both     sharing  // of the pair that is looked at
}

// New returns a pass that calls found for each match, conflict cycles of units that other scenarios explain included.
// The Ref of an event says where it is in the code; two with the same are as good as each other, and so are two
// variables with the same field.
func New(h *order.History, table []scenarios.Scenario, b Bounds, field func(variable uint32) uint32,
	found func(*Match)) *Pass {
	p := &Pass{h: h, table: table, bounds: b, field: field, found: found,
		names: map[string]uint32{"": 0}, known: map[key]bool{}, failed: map[key]int{}, given: map[key]bool{},
		spent: map[[2]uint32]int{}, pairs: map[[2]string]bool{}}
	for _, s := range table {
		var all []facts
		for _, pattern := range s.Patterns {
			f := facts{leaves: [2]bool{leaves(pattern, scenarios.U), leaves(pattern, scenarios.V)}}
			for _, e := range pattern.Events {
				need := &f.needs[e.Loc-1]
				need.uses |= use(e.Unit, e.Kind == scenarios.Read, e.Kind == scenarios.Write)
				need.count[e.Unit]++
			}
			all = append(all, f)
		}
		p.facts = append(p.facts, all)
	}
	return p
}

// facts are what patterns are tried for.
type facts struct {
	leaves [2]bool   // whether it leaves u and comes back to it, and u'
	needs  [2]demand // of each location
}

// demand is what two units have to do to a variable, and how many accesses of each that takes.
type demand struct {
	uses  uses
	count [2]int
}

// covers tells whether they do enough.
func (d demand) covers(need demand) bool {
	return d.uses&need.uses == need.uses && d.count[0] >= need.count[0] && d.count[1] >= need.count[1]
}

// uses are what two units do to a variable.
type uses uint8

func use(who scenarios.Unit, reads, writes bool) (u uses) {
	if reads {
		u |= 1 << (2 * who)
	}
	if writes {
		u |= 2 << (2 * who)
	}
	return u
}

// sharing are the variables of two units, with what u and u' do to them.
type sharing struct {
	vars     []uint32
	does     []demand
	from, to [2]int // of u and u': the places of the first and the last access to one of them
}

// set finds the variables that both units access.
func (s *sharing) set(u, v *Unit) {
	s.vars, s.does = s.vars[:0], s.does[:0]
	s.from, s.to = [2]int{len(u.Accesses), len(v.Accesses)}, [2]int{}
	for i, j := 0, 0; i < len(u.vars) && j < len(v.vars); {
		a, b := &u.vars[i], &v.vars[j]
		switch {
		case a.variable < b.variable:
			i++
		case a.variable > b.variable:
			j++
		default:
			all := [2][]int{u.placesOf(a), v.placesOf(b)}
			s.vars = append(s.vars, a.variable)
			s.does = append(s.does, demand{use(scenarios.U, a.reads, a.writes) | use(scenarios.V, b.reads, b.writes),
				[2]int{len(all[0]), len(all[1])}})
			for who, places := range all {
				s.from[who] = min(s.from[who], places[0])
				s.to[who] = max(s.to[who], places[len(places)-1])
			}
			i, j = i+1, j+1
		}
	}
}

// allow tells whether the variables allow what a pattern needs of its locations.
func (s *sharing) allow(needs [2]demand) bool {
	for i, one := range s.does {
		if !one.covers(needs[0]) {
			continue
		}
		if needs[1].uses == 0 {
			return true
		}
		for j, other := range s.does {
			if i != j && other.covers(needs[1]) {
				return true
			}
		}
	}
	return false
}

// leaves tells whether there is a path from an event of a unit, by conflicts and on in a unit, through the other unit
// to a later event of it. Then no run in which the unit is atomic has the pattern.
func leaves(p scenarios.Pattern, unit scenarios.Unit) bool {
	n := len(p.Events)
	follows := make([][]bool, n) // transitively
	for i := n - 1; i >= 0; i-- {
		follows[i] = make([]bool, n)
		for j := i + 1; j < n; j++ {
			a, b := p.Events[i], p.Events[j]
			if a.Unit != b.Unit && (a.Loc != b.Loc || a.Kind == scenarios.Read && b.Kind == scenarios.Read) {
				continue
			}
			follows[i][j] = true
			for k := range n {
				follows[i][k] = follows[i][k] || follows[j][k]
			}
		}
	}
	for i, a := range p.Events {
		for j, b := range p.Events {
			for k, c := range p.Events {
				if a.Unit == unit && b.Unit != unit && c.Unit == unit && follows[i][j] && follows[j][k] {
					return true
				}
			}
		}
	}
	return false
}

// End compares a unit that has ended with those before. Whether it is atomic is known from elsewhere.
func (p *Pass) End(b *segment.Block, name string, site uint32, atomic bool) {
	p.units++
	u := &Unit{Block: b, Name: name, Site: site, number: p.units, held: guards(p.h, b, 0, len(b.Accesses)-1),
		atomic: atomic}
	var ok bool
	if u.name, ok = p.names[name]; !ok {
		u.name = uint32(len(p.names))
		p.names[name] = u.name
	}
	p.touch(u)
	var others []*Unit
	for i := range u.vars {
		t := &u.vars[i]
		for int(t.variable) >= len(p.byVar) {
			p.byVar = append(p.byVar, make([][]guarded, max(64, len(p.byVar)))...)
		}
		for i := range p.byVar[t.variable] {
			g := &p.byVar[t.variable][i]
			if g.thread == u.Thread || u.isKeptOut(g.by) {
				continue
			}
			for _, v := range g.units {
				if v.Thread == u.Thread || v.mark == u.number || !t.writes && !v.writes {
					continue
				}
				if v.mark = u.number; !u.excludes(v.Unit) {
					others = append(others, v.Unit)
				}
			}
		}
		p.visit(u, t)
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

// visit notes that a unit accesses a variable, with those that hold the same lock throughout: most variables have one
// lock, and no unit that holds it needs a look at any of the others.
func (p *Pass) visit(u *Unit, t *touched) {
	var by *order.Held
	if len(u.held) > 0 {
		by = u.held[0]
	}
	all := p.byVar[t.variable]
	i := slices.IndexFunc(all, func(g guarded) bool {
		return g.by == by || g.by != nil && by != nil && g.by.Lock == by.Lock && g.by.Shared == by.Shared
	})
	if i < 0 {
		if len(all) == 0 {
			p.used = append(p.used, t.variable)
		}
		i, all = len(all), slices.Grow(all, 1)[:len(all)+1] // with the memory of one that was there before
		all[i] = guarded{by: by, thread: u.Thread, units: all[i].units[:0]}
		p.byVar[t.variable] = all
	}
	g := &all[i]
	if g.units = append(g.units, visitor{u, t.writes}); g.thread != u.Thread {
		g.thread = several
	}
}

// isKeptOut tells whether the unit holds a lock throughout that excludes another one.
func (u *Unit) isKeptOut(by *order.Held) bool {
	return by != nil && slices.ContainsFunc(u.held, func(l *order.Held) bool { return l.Excludes(by) })
}

// excludes tells whether both units hold one lock throughout: every pattern has events of one unit between those of the
// other.
func (u *Unit) excludes(v *Unit) bool { return slices.ContainsFunc(v.held, u.isKeptOut) }

// excludes tells whether two units hold one lock throughout what both of them access, and so all of them that a pattern
// can have.
func (s *sharing) excludes(h *order.History, u, v *Unit) bool {
	for _, l := range guards(h, u.Block, s.from[0], s.to[0]) {
		for _, m := range guards(h, v.Block, s.from[1], s.to[1]) {
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
	for _, variable := range p.used {
		all := p.byVar[variable]
		for i := range all {
			clear(all[i].units)
		}
		p.byVar[variable] = all[:0]
	}
	p.used = p.used[:0]
	for _, u := range p.recent {
		if p.h.Kept(order.ID{Thread: u.Thread, Index: u.Accesses[0]}) {
			keep = append(keep, u)
			for i := range u.vars {
				p.visit(u, &u.vars[i])
			}
		}
	}
	clear(p.recent[len(keep):])
	p.recent = keep
}

// Explained tells whether two units have one of scenarios 1 to 11: then their conflict cycles are nothing new.
func (p *Pass) Explained(u, v string) bool { return p.pairs[names(u, v)] }

func names(u, v string) [2]string { return [2]string{min(u, v), max(u, v)} }

// guards are the locks that a block holds from one access to another one.
func guards(h *order.History, b *segment.Block, from, to int) (all []*order.Held) {
	end := h.HeldAt(b.Thread, b.Accesses[to])
	for l := h.HeldAt(b.Thread, b.Accesses[from]); l != nil; l = l.Next {
		if end.Has(l.Acquire) {
			all = append(all, l)
		}
	}
	return all
}

// pair looks for the patterns of two units.
func (p *Pass) pair(u, v *Unit) {
	named := [2]uint32{min(u.name, v.name), max(u.name, v.name)}
	steps := p.bounds.Steps
	if most := p.bounds.Often; most > 0 && p.spent[named] >= most {
		steps /= 10
	}
	total := 0
	both := &p.both
	if both.set(u, v); both.excludes(p.h, u, v) {
		return
	}
	for _, units := range [2][2]*Unit{{u, v}, {v, u}} {
		both.set(units[0], units[1])
		for n := range p.table {
			s := &p.table[n]
			for i, f := range p.facts[n] {
				if f.leaves[0] && units[0].atomic || f.leaves[1] && units[1].atomic || !both.allow(f.needs) {
					continue
				}
				c := choice{Pass: p, scenario: s, pattern: &s.Patterns[i], units: units, shared: both.vars, number: i,
					most: steps, key: key{scenario: s.Number, names: named}}
				c.choose()
				total += c.steps
				if c.short && !p.given[c.key] {
					p.given[c.key] = true
					p.Given++
				}
			}
		}
	}
	p.spent[named] += total
}
