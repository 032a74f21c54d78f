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
	if !t.isShared(g, a.Object, s) {
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

// isShared tells whether another goroutine can reach an object. That the goroutine is the
// first one to be seen at it does not mean that it has made it: it is sure to have if it
// was alone, or is in a constructor of the type.
func (t *Tracker) isShared(g *goroutine, number uint32, s *site) bool {
	o := t.object(number)
	switch {
	case o.published:
	case s.static:
		o.published = true
	case o.owner == 0 && (!t.forked || g.isConstructing(number, s.set)):
		o.owner = g.number
		g.fresh = append(g.fresh, number)
	case o.owner != g.number:
		o.published = true
	}
	return o.published
}

// isConstructing tells whether the object was seen for the first time in a constructor that
// is running.
func (g *goroutine) isConstructing(object uint32, set int) bool {
	for f := g.top; f != nil; f = f.Parent {
		if f.set == set && slices.Contains(f.made, object) {
			return !slices.Contains(f.with, object)
		}
	}
	return false
}

// aim finds the units that accesses of a goroutine to an object belong to.
func (t *Tracker) aim(g *goroutine, object uint32, s *site) {
	g.target = target{object, uint16(s.set), true, g.target.units[:0]}
	add := func(f *Frame, on uint32) {
		if u := t.unit(g, f, on, s.set); !slices.Contains(g.target.units, u) {
			g.target.units = append(g.target.units, u)
		}
	}
	if f, on := outermost(g.top, object, s.set); f != nil {
		add(f, on)
	}
	for f := g.top; f != nil; f = f.Parent {
		if f.set != s.set || !slices.Contains(f.with, object) {
			continue
		}
		// The object has joined the units that f is, or is a part of.
		switch f.kind {
		case watch.Method:
			if whole, on := outermost(g.top, f.object, s.set); whole != nil && f.object != object {
				add(whole, on)
			}
		case watch.Constructor:
			add(outerConstructor(f), 0)
		case watch.Direct:
			for _, base := range f.stretch.direct {
				if whole, on := outermost(g.top, base, s.set); whole != nil && base != object {
					add(whole, on)
				}
			}
		}
	}
}

// outermost returns the outermost frame that is a unit on an object, for a set, and the
// object that the unit is known by.
func outermost(top *Frame, object uint32, set int) (found *Frame, on uint32) {
	for f := top; f != nil; f = f.Parent {
		switch {
		case f.set != set:
		case f.kind == watch.Constructor && slices.Contains(f.made, object):
			found, on = f, 0
		case f.kind == watch.Named, f.object == object && object != 0, slices.Contains(f.stretch.direct, object):
			found, on = f, object
		}
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
