package judge

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
)

// SameValue claims that two registers, or what paths lead to, are equal whenever control comes
// to the instruction and both are set: equal values, the same place, the same object.
type SameValue struct {
	At   ssa.Instruction
	In   Scope
	V, W Path
}

func (f SameValue) String() string {
	return fmt.Sprintf("at %s, %s and %s are equal", where(f.At), f.V, f.W)
}

func (f SameValue) watch(r *run, c *claim) {
	r.onBefore(f.At, f.In, func(a execute.Activation) {
		v, ok := f.V.At(a)
		w, also := f.W.At(a)
		switch {
		case !ok || !also:
		case v.Equal(w):
			c.holds("")
		default:
			c.holds(fmt.Sprintf("they are %v and %v, in %v", v, w, a))
		}
	})
}

// Unchanged claims that what is in a place is the same, from an instruction to the next time that
// the activation comes to another one: then the effect of that has not happened, or has, as Done
// says. Neither instruction writes the place.
type Unchanged struct {
	From, To ssa.Instruction
	In       Scope
	Place    Path // its address, where control comes to From
	Done     bool
}

func (f Unchanged) String() string {
	return fmt.Sprintf("from %s to %s, what is in %s is unchanged", where(f.From), where(f.To), f.Place)
}

func (f Unchanged) watch(r *run, c *claim) {
	type known struct {
		place execute.Place
		value execute.Value
	}
	seen := map[execute.Activation]known{}
	r.onAfter(f.From, f.In, func(a execute.Activation) {
		delete(seen, a)
		v, ok := f.Place.At(a)
		if !ok {
			return
		}
		if place, ok := v.Place(); ok {
			seen[a] = known{place, place.Value()}
		}
	})
	ask := r.onBefore
	if f.Done {
		ask = r.onAfter
	}
	ask(f.To, f.In, func(a execute.Activation) {
		k, ok := seen[a]
		switch now := k.place.Value(); {
		case !ok:
		case now.Equal(k.value):
			c.holds("")
		default:
			c.holds(fmt.Sprintf("%v was %v and is %v, in %v", k.place, k.value, now, a))
		}
	})
}

// MayPointTo claims that what a value leads to is among what May is true for.
type MayPointTo struct {
	Value ssa.Value // a register or a parameter
	In    Scope
	May   func(execute.Place) bool
	Set   string // in words
}

func (f MayPointTo) String() string {
	return fmt.Sprintf("%s in %s points to %s", f.Value.Name(), f.Value.Parent().Name(), f.Set)
}

func (f MayPointTo) watch(r *run, c *claim) {
	check := func(a execute.Activation) {
		v, ok := a.Value(f.Value)
		if !ok {
			return
		}
		place, ok := v.Place()
		switch {
		case !ok:
		case f.May(place):
			c.holds("")
		default:
			c.holds(fmt.Sprintf("it points to %v, in %v", place, a))
		}
	}
	if i, ok := f.Value.(ssa.Instruction); ok {
		r.onAfter(i, f.In, check)
	} else {
		r.onEnter(f.Value.Parent(), f.In, check)
	}
}

// MayCall claims that what a call, go or defer statement activates is among what May is true for.
type MayCall struct {
	Site ssa.CallInstruction
	In   Scope // of the caller
	May  func(callee *ssa.Function) bool
	Set  string // in words
}

func (f MayCall) String() string { return fmt.Sprintf("%s calls %s", where(f.Site), f.Set) }

func (f MayCall) watch(r *run, c *claim) {
	r.entered = append(r.entered, func(a execute.Activation) {
		if a.Call() != f.Site {
			return
		}
		caller, ok := a.Caller()
		if !ok {
			caller, _, ok = a.Goroutine().By()
		}
		switch {
		case !ok || !f.In.has(caller):
		case f.May(a.Function()):
			c.holds("")
		default:
			c.holds("it calls " + a.String())
		}
	})
}

// NotNil claims that a register or parameter is not nil, once it is set.
type NotNil struct {
	Value ssa.Value
	In    Scope
}

func (f NotNil) String() string {
	return fmt.Sprintf("%s in %s is never nil", f.Value.Name(), f.Value.Parent().Name())
}

func (f NotNil) watch(r *run, c *claim) {
	check := func(a execute.Activation) {
		v, ok := a.Value(f.Value)
		switch {
		case !ok:
		case v.IsNil():
			c.holds("it is, in " + a.String())
		default:
			c.holds("")
		}
	}
	if i, ok := f.Value.(ssa.Instruction); ok {
		r.onAfter(i, f.In, check)
	} else {
		r.onEnter(f.Value.Parent(), f.In, check)
	}
}

// WrittenOnce claims that no part of an object that an instruction makes is written twice.
type WrittenOnce struct {
	Site ssa.Instruction
	In   Scope                    // of the activation that makes it
	Part func(execute.Place) bool // the only part that is meant; nil: all
	Name string                   // of the part, in words
}

func (f WrittenOnce) String() string {
	return fmt.Sprintf("%s what %s makes is written at most once", f.Name, where(f.Site))
}

func (f WrittenOnce) watch(r *run, c *claim) {
	seen := map[execute.Place]bool{}
	r.access = append(r.access, func(g execute.Goroutine, p execute.Place, kind int) {
		o := p.Object()
		if kind == execute.Read || o.Site() != f.Site || f.Part != nil && !f.Part(p) {
			return
		}
		if maker, ok := o.Maker(); !ok || !f.In.has(maker) {
			return
		}
		why := ""
		if seen[p] {
			why = fmt.Sprintf("goroutine %d writes %v again", g.Number(), p)
		}
		seen[p] = true
		c.holds(why)
	})
}
