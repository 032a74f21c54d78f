package execute

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Value is what an observer sees of a value of the program.
type Value struct{ v value }

// Equal tells whether two values of one type are equal: pointers, slices, maps, channels and
// functions if they are the same, others as == compares them.
func (v Value) Equal(w Value) bool { return same(v.v, w.v) }

// same is like equal, for values that == does not compare, too.
func same(a, b value) bool {
	switch a := a.(type) {
	case aggregate:
		b, ok := b.(aggregate)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !same(a[i], b[i]) {
				return false
			}
		}
		return true
	case iface:
		b, ok := b.(iface)
		switch {
		case !ok:
			return false
		case a.typ == nil || b.typ == nil:
			return a.typ == nil && b.typ == nil
		}
		return types.Identical(a.typ, b.typ) && same(a.val, b.val)
	case slice:
		b, ok := b.(slice)
		return ok && len(a.cells) == len(b.cells) && cap(a.cells) == cap(b.cells) &&
			(cap(a.cells) == 0 || a.cells[:1][0] == b.cells[:1][0])
	case *closure:
		b, ok := b.(*closure)
		return ok && (a == b || a != nil && b != nil && a.fn != nil && a.fn == b.fn && len(a.env) == 0 && len(b.env) == 0)
	}
	return a == b
}

// IsNil tells whether the value is a nil pointer, slice, map, channel, function or interface.
func (v Value) IsNil() bool {
	switch x := v.v.(type) {
	case *cell:
		return x == nil
	case slice:
		return x.cells == nil
	case *mapping:
		return x == nil
	case *channel:
		return x == nil
	case *closure:
		return x == nil
	case iface:
		return x.typ == nil
	}
	return false
}

// Place returns the place that a pointer, map or channel leads to, or one in an interface;
// for a slice its first element.
func (v Value) Place() (p Place, ok bool) {
	switch x := v.v.(type) {
	case *cell:
		return Place{x}, x != nil
	case *mapping:
		return Place{x}, x != nil
	case *channel:
		return Place{x}, x != nil
	case slice:
		if cap(x.cells) > 0 {
			return Place{x.cells[:1][0]}, true
		}
	case iface:
		return Value{x.val}.Place()
	}
	return Place{}, false
}

// Object returns the object that the value leads to, which may be that of a closure.
func (v Value) Object() (o Object, ok bool) {
	switch x := v.v.(type) {
	case *closure:
		return Object{x}, x != nil && x.origin != nil
	case iface:
		return Value{x.val}.Object()
	}
	p, ok := v.Place()
	if !ok {
		return Object{}, false
	}
	return p.Object(), true
}

// Load returns what is in the place that a pointer leads to; it is no access.
func (v Value) Load() (Value, bool) {
	if c, ok := v.v.(*cell); ok && c != nil {
		return Value{c.get()}, true
	}
	return Value{}, false
}

// Field returns the address of a field, if the value is a pointer to a struct; the field, if it
// is a struct.
func (v Value) Field(i int) (Value, bool) { return v.part(i) }

// Element returns the address of an element, if the value is a slice or a pointer to an array;
// the element, if it is an array.
func (v Value) Element(i int) (Value, bool) {
	if s, ok := v.v.(slice); ok {
		if i < 0 || i >= len(s.cells) {
			return Value{}, false
		}
		return Value{s.cells[i]}, true
	}
	return v.part(i)
}

func (v Value) part(i int) (Value, bool) {
	switch x := v.v.(type) {
	case *cell:
		if x != nil && i >= 0 && i < len(x.parts) {
			return Value{x.parts[i]}, true
		}
	case aggregate:
		if i >= 0 && i < len(x) {
			return Value{x[i]}, true
		}
	case iface:
		return Value{x.val}.part(i)
	}
	return Value{}, false
}

// Int returns the number, if the value is an integer.
func (v Value) Int() (int64, bool) {
	n, ok := v.v.(int64)
	return n, ok
}

// IsTrue tells whether the value is true, or is an atomic that holds true.
func (v Value) IsTrue() bool {
	if a, ok := v.v.(aggregate); ok && len(a) > 0 { // an atomic.Bool is a number behind what keeps it from being copied
		n, isInt := a[len(a)-1].(int64)
		return isInt && n != 0
	}
	return v.v == true
}

// String is the same for two values of two runs that are alike.
func (v Value) String() string {
	switch x := v.v.(type) {
	case iface:
		if x.typ == nil {
			return "nil"
		}
		return fmt.Sprintf("%s(%v)", x.typ, Value{x.val})
	case aggregate:
		var all []string
		for _, e := range x {
			all = append(all, Value{e}.String())
		}
		return "{" + strings.Join(all, " ") + "}"
	case *closure:
		if x != nil && x.fn != nil {
			return x.fn.String()
		}
	case slice:
		if p, ok := v.Place(); ok {
			return fmt.Sprintf("[%d at %v]", len(x.cells), p)
		}
		return "[]"
	}
	if p, ok := v.Place(); ok {
		return "&" + p.String()
	}
	if v.IsNil() {
		return "nil"
	}
	return fmt.Sprint(v.v)
}

// Place is memory for one value, a map with its elements, or a channel: what is accessed. Two
// are == if they are the same.
type Place struct{ p any } // *cell, *mapping, *channel

// Object returns the object that the place is part of.
func (p Place) Object() Object {
	switch x := p.p.(type) {
	case *cell:
		return Object{x.mem}
	case *mapping:
		return Object{x.mem}
	case *channel:
		return Object{x}
	}
	return Object{}
}

// Value returns what is there; nil for a map and a channel.
func (p Place) Value() Value {
	if c, ok := p.p.(*cell); ok {
		return Value{c.get()}
	}
	return Value{}
}

// Type returns the type of what is there; nil for a map and a channel.
func (p Place) Type() types.Type {
	if c, ok := p.p.(*cell); ok {
		return c.typ
	}
	return nil
}

// IsLock tells whether it is a lock that somebody has come to.
func (p Place) IsLock() bool {
	c, ok := p.p.(*cell)
	if !ok {
		return false
	}
	_, ok = c.state.(*lockState)
	return ok
}

// IsChannel tells whether it is a channel.
func (p Place) IsChannel() bool {
	_, ok := p.p.(*channel)
	return ok
}

// IsIn tells whether the place is another one, or a part of it.
func (p Place) IsIn(outer Place) bool {
	if p == outer {
		return true
	}
	c, ok := outer.p.(*cell)
	if !ok || c.parts == nil {
		return false
	}
	for _, part := range c.parts {
		if p.IsIn(Place{part}) {
			return true
		}
	}
	return false
}

// Leaves returns the parts of a struct or an array that are none themselves, or else the place.
func (p Place) Leaves() []Place {
	c, ok := p.p.(*cell)
	if !ok || c.parts == nil {
		return []Place{p}
	}
	var all []Place
	for _, part := range c.parts {
		all = append(all, Place{part}.Leaves()...)
	}
	return all
}

// Path says which part of the object the place is: numbers of fields and elements.
func (p Place) Path() []int {
	c, ok := p.p.(*cell)
	if !ok {
		return nil
	}
	var find func(parts []*cell) []int
	find = func(parts []*cell) []int {
		for i, part := range parts {
			if part == c {
				return []int{i}
			}
			if path := find(part.parts); path != nil {
				return append([]int{i}, path...)
			}
		}
		return nil
	}
	path := find(c.mem.root)
	if len(path) > 0 && len(c.mem.root) == 1 && !c.mem.root[0].elem {
		return path[1:]
	}
	return path
}

func (p Place) String() string {
	name := p.Object().String()
	for _, i := range p.Path() {
		name += fmt.Sprintf(".%d", i)
	}
	return name
}

// Object is what one allocation makes: memory, a map, a channel or a closure. Two are == if they
// are the same.
type Object struct{ o any } // *memory, *channel, *closure

func (o Object) origin() *origin {
	switch x := o.o.(type) {
	case *memory:
		return x.origin
	case *channel:
		return x.origin
	case *closure:
		return x.origin
	}
	return nil
}

// Site returns the instruction that made the object; nil for a package variable, and for what a
// function that is built in has made outside all activations.
func (o Object) Site() ssa.Instruction {
	if from := o.origin(); from != nil {
		return from.site
	}
	return nil
}

// Maker returns the activation that made it.
func (o Object) Maker() (a Activation, ok bool) {
	from := o.origin()
	if from == nil || from.frame == nil {
		return Activation{}, false
	}
	return Activation{from.frame}, true
}

// Global returns the package variable that the object is; nil for others.
func (o Object) Global() *ssa.Global {
	if from := o.origin(); from != nil {
		return from.global
	}
	return nil
}

// Number is one that no other object has; in a run that went the same way before, the object has
// the same one. It is 0 for package variables.
func (o Object) Number() int {
	if from := o.origin(); from != nil {
		return from.number
	}
	return 0
}

func (o Object) String() string {
	if from := o.origin(); from != nil && from.global != nil {
		return from.global.String()
	}
	if from := o.origin(); from != nil && from.site != nil {
		if v, ok := from.site.(ssa.Value); ok {
			return fmt.Sprintf("object %d (%s in %s)", from.number, v.Name(), from.site.Parent().Name())
		}
	}
	return fmt.Sprintf("object %d", o.Number())
}
