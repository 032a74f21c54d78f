package units

import (
	"slices"

	"github.com/empire-go/empire-go/dynamic/automata"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// access gives an access to the units that it belongs to.
func (t *Tracker) access(g *goroutine, a *ahead) {
	s := t.site(a.Site)
	t.stats.Accesses++
	g.accesses++
	if g.top != nil {
		t.stats.Depth += uint64(g.top.Depth)
	}
	if a.private {
		t.stats.Private++
		return
	}
	kind := automata.Kind(a.Op - trace.Read)
	switch a.Op {
	case trace.AtomicRead:
		kind = automata.Read
	case trace.AtomicWrite:
		kind = automata.Write
	}
	if s.counts {
		if kind == automata.Read {
			return // the first half of the increment
		}
		kind = automata.Increment
	}
	if !g.target.valid || g.target.object != a.Object || g.target.set != uint16(s.set) {
		t.aim(g, a.Object, s)
	}
	event := automata.Access{
		Location: automata.Location{Object: a.Object, Set: uint16(s.set), Field: s.field},
		Kind:     kind, Token: s.token, Forgets: s.forgets, Index: t.index,
		Ref: automata.Ref{Site: a.Site, Stack: g.top},
	}
	for _, u := range g.target.units {
		t.sink.Access(u, event)
	}
}

// aim finds the units that accesses of a goroutine to an object belong to.
func (t *Tracker) aim(g *goroutine, object uint32, s *site) {
	g.target = target{object, uint16(s.set), true, g.target.units[:0]}
	add := func(f *Frame, on uint32) {
		if u := t.unit(g, f, on, s.set); !slices.Contains(g.target.units, u) {
			g.target.units = append(g.target.units, u)
		}
	}
	if f, on := t.outermost(g.top, object, s.set); f != nil {
		add(f, on)
	}
	for f := g.top; f != nil; f = f.Parent {
		if f.set != s.set || !slices.Contains(f.with, object) {
			continue
		}
		// The object has joined the units that f is, or is a part of.
		switch f.kind {
		case watch.Method:
			if whole, on := t.outermost(g.top, f.object, s.set); whole != nil && f.object != object {
				add(whole, on)
			}
		case watch.Constructor:
			add(outerConstructor(f), 0)
		case watch.Direct:
			for _, base := range f.stretch.direct {
				if whole, on := t.outermost(g.top, base, s.set); whole != nil && base != object {
					add(whole, on)
				}
			}
		}
	}
}

// outermost returns the outermost frame that is a unit on an object, for a set, and the
// object that the unit is known by. A function that accesses the object itself is no more than
// what it calls as long as no two goroutines are known to use the object.
func (t *Tracker) outermost(top *Frame, object uint32, set int) (found *Frame, on uint32) {
	var direct *Frame
	for f := top; f != nil; f = f.Parent {
		switch {
		case f.set != set:
		case f.kind == watch.Constructor && slices.Contains(f.made, object):
			found, on = f, 0
		case f.kind == watch.Named, f.object == object && object != 0:
			found, on = f, object
		case slices.Contains(f.stretch.direct, object):
			if direct = f; t.object(object).shared {
				found, on = f, object
			}
		}
	}
	if found == nil {
		return direct, object
	}
	return found, on
}

// outerConstructor returns the outermost of the constructors that have called each other.
func outerConstructor(f *Frame) *Frame {
	outer := f
	for p := f.Parent; p != nil && p.kind == watch.Constructor; p = p.Parent {
		if p.set == f.set {
			outer = p
		}
	}
	return outer
}

// unit returns the unit that a frame is on an object.
func (t *Tracker) unit(g *goroutine, f *Frame, on uint32, set int) *automata.Unit {
	for _, u := range f.units {
		if of := u.Data.(*Unit); of.Object == on && of.Set == set {
			return u
		}
	}
	u := t.sink.Begin(g.number, &Unit{f, on, set, f.stretch.begin})
	for _, child := range f.stretch.forked {
		t.sink.Fork(u, child)
	}
	f.units = append(f.units, u)
	return u
}
