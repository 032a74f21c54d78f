package judge

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
)

// Private claims that whenever control comes to the instruction, no other goroutine can reach
// the object that the value leads to, neither can one through package variables.
type Private struct {
	At    ssa.Instruction
	In    Scope
	Value Path
}

func (f Private) String() string {
	return fmt.Sprintf("at %s only the goroutine itself can reach what %s leads to", where(f.At), f.Value)
}

func (f Private) watch(r *run, c *claim) {
	r.onBefore(f.At, f.In, func(a execute.Activation) {
		if o, ok := f.Value.object(a); ok && !c.isOver() {
			c.holds(reachedBeside(a, o))
		}
	})
}

// object returns the object that the path's end leads to.
func (p Path) object(a execute.Activation) (o execute.Object, ok bool) {
	v, ok := p.At(a)
	if !ok {
		return o, false
	}
	return v.Object()
}

// reachedBeside says who else can reach the object than the goroutine of the activation.
func reachedBeside(a execute.Activation, o execute.Object) string {
	if !o.IsShared() {
		return ""
	}
	g := a.Goroutine()
	if o.IsGlobal(g) {
		return fmt.Sprintf("package variables lead to %v, in %v", o, a)
	}
	for _, other := range g.Others() {
		if o.IsReachedBy(other) {
			return fmt.Sprintf("goroutine %d can reach %v, in %v", other.Number(), o, a)
		}
	}
	return ""
}

// PrivateUntil claims that from an instruction to the next time that the activation comes to
// another one, no other goroutine can reach the object that the value leads to, or, if Used is
// set, that none accesses it. It claims nothing of what does not come there.
type PrivateUntil struct {
	From, Until ssa.Instruction
	In          Scope
	Value       Path // where control comes to From
	Used        bool
}

func (f PrivateUntil) String() string {
	what := "can reach"
	if f.Used {
		what = "accesses"
	}
	span := fmt.Sprintf("from %s to %s", where(f.From), where(f.Until))
	return fmt.Sprintf("%s no other goroutine %s what %s leads to", span, what, f.Value)
}

func (f PrivateUntil) watch(r *run, c *claim) {
	type watched struct {
		object execute.Object
		why    string
	}
	all := map[execute.Activation]*watched{}
	r.onBefore(f.Until, f.In, func(a execute.Activation) {
		w := all[a]
		if w == nil {
			return
		}
		if w.why == "" && !f.Used {
			w.why = reachedBeside(a, w.object)
		}
		c.holds(w.why)
		delete(all, a)
	})
	r.onBefore(f.From, f.In, func(a execute.Activation) {
		delete(all, a)
		o, ok := f.Value.object(a)
		if !ok || c.isOver() {
			return
		}
		w := &watched{object: o}
		if !f.Used {
			w.why = reachedBeside(a, o)
		}
		all[a] = w
	})
	r.onLeave(f.From.Parent(), f.In, func(a execute.Activation) { delete(all, a) })
	r.access = append(r.access, func(g execute.Goroutine, p execute.Place, kind int) {
		for a, w := range all {
			if w.why == "" && g != a.Goroutine() && p.Object() == w.object {
				w.why = fmt.Sprintf("goroutine %d accesses %v, in %v", g.Number(), p, a)
			}
		}
	})
}

// Frozen claims that a part of the objects that an instruction makes is not written when others
// than who writes it can reach the object.
type Frozen struct {
	Site ssa.Instruction
	In   Scope // of the activation that makes the object
	Part func(execute.Place) bool
	Name string // of the part, in words
}

func (f Frozen) String() string {
	return fmt.Sprintf("%s of what %s makes is not written when others can reach it", f.Name, where(f.Site))
}

func (f Frozen) watch(r *run, c *claim) {
	r.onAfter(f.Site, f.In, func(execute.Activation) { c.checks++ })
	r.access = append(r.access, func(g execute.Goroutine, p execute.Place, kind int) {
		o := p.Object()
		if kind == execute.Read || o.Site() != f.Site || c.isOver() || !f.Part(p) {
			return
		}
		if maker, ok := o.Maker(); !ok || !f.In.has(maker) {
			return
		}
		if a, ok := g.Top(); ok {
			if why := reachedBeside(a, o); why != "" {
				c.holds(fmt.Sprintf("goroutine %d writes %v, and %s", g.Number(), p, why))
			}
		}
	})
}

// OwnedBy claims that an object which an instruction makes is never put into fields of two objects of
// a type: the fields themselves, not what they lead to. An object of the type that nobody can reach any
// more does not count: a copy has taken its place.
type OwnedBy struct {
	Site   ssa.Instruction
	In     Scope // of the activation that makes it
	Holder *types.Named
}

func (f OwnedBy) String() string {
	return fmt.Sprintf("no two objects of type %s share what %s makes", f.Holder.Obj().Name(), where(f.Site))
}

func (f OwnedBy) watch(r *run, c *claim) {
	holders := map[execute.Object]execute.Place{}
	put := func(a execute.Activation, v execute.Value, holder execute.Place) {
		o, ok := v.Object()
		if !ok || o.Site() != f.Site {
			return
		}
		if maker, ok := o.Maker(); !ok || !f.In.has(maker) {
			return
		}
		other, known := holders[o]
		holders[o] = holder
		if known && other != holder && isAlive(a, other.Object()) {
			c.holds(fmt.Sprintf("%v is put into %v and into %v", o, other, holder))
			return
		}
		c.holds("")
	}
	r.stores = append(r.stores, func(a execute.Activation, store *ssa.Store) {
		v, ok := a.Value(store.Val)
		base := f.holderOf(store.Addr)
		if !ok || base == nil {
			return
		}
		address, _ := a.Value(base)
		holder, ok := address.Place()
		if !ok {
			return
		}
		put(a, v, holder)
		for i := 0; base == store.Addr; i++ {
			part, ok := v.Field(i)
			if !ok {
				break
			}
			put(a, part, holder)
		}
	})
}

// isAlive tells whether a goroutine can reach the object.
func isAlive(a execute.Activation, o execute.Object) bool {
	return o.IsReachedBy(a.Goroutine()) || reachedBeside(a, o) != ""
}

// holderOf returns the pointer to the object of the type that an address is in; nil if it is in none.
func (f OwnedBy) holderOf(address ssa.Value) ssa.Value {
	for {
		if p, ok := address.Type().Underlying().(*types.Pointer); ok && types.Identical(p.Elem(), f.Holder) {
			return address
		}
		switch v := address.(type) {
		case *ssa.FieldAddr:
			address = v.X
		case *ssa.IndexAddr:
			address = v.X
		default:
			return nil
		}
	}
}
