package atomicity

import (
	"go/types"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/mustalias"
)

// path is a sequence of fields, each by its number: a rune.
type path string

// place is where memory is: fields that lead from what a pointer points to. The root of a package
// variable is that variable.
type place struct {
	root ssa.Value
	path path
}

// numbers gives fields and package variables their numbers.
type numbers struct {
	of  map[types.Object]rune
	all []types.Object
}

// number returns the number of a field or package variable.
func (n *numbers) number(o types.Object) rune {
	if v, ok := o.(*types.Var); ok {
		o = v.Origin()
	}
	if r, ok := n.of[o]; ok {
		return r
	}
	if n.of == nil {
		n.of = map[types.Object]rune{}
	}
	r := rune(len(n.all) + 1)
	if r >= 0xD800 { // no rune is a surrogate
		r += 0x800
	}
	n.of[o] = r
	n.all = append(n.all, o)
	return r
}

// object returns what has a number.
func (n *numbers) object(r rune) types.Object {
	if r >= 0xE000 {
		r -= 0x800
	}
	return n.all[r-1]
}

// fieldOf returns a field of the struct that t is, or points to.
func fieldOf(t types.Type, i int) *types.Var {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.Underlying().(*types.Struct).Field(i)
}

// place returns where an address is.
func (n *numbers) place(address ssa.Value) place {
	if field, ok := address.(*ssa.FieldAddr); ok {
		p := n.place(field.X)
		p.path += path(n.number(fieldOf(field.X.Type(), field.Field)))
		return p
	}
	return place{root: mustalias.BaseKey(address)}
}

// last returns the number of the field or package variable that a place is of; 0 if it is none.
func (n *numbers) last(p place) rune {
	if p.path != "" {
		r, _ := utf8.DecodeLastRuneInString(string(p.path))
		return r
	}
	if g, ok := p.root.(*ssa.Global); ok && g.Object() != nil {
		return n.number(g.Object())
	}
	return 0
}

// relation is how a lock lies to memory that it may guard: by the paths of the two from the smallest
// struct around both, or by that of a lock in a package variable.
type relation struct{ memory, lock path }

// relate returns the relations of memory to a lock. The roots are equal, or that of the lock is the
// package variable with the number; else there is none.
func relate(memory, lock path, sameRoot bool, global rune) (all []relation) {
	if global != 0 {
		return []relation{{"", path(global) + lock}}
	}
	if !sameRoot {
		return nil
	}
	for memory != "" && lock != "" {
		r, size := utf8.DecodeRuneInString(string(memory))
		if !strings.HasPrefix(string(lock), string(r)) {
			break
		}
		memory, lock = memory[size:], lock[size:]
	}
	return []relation{{memory, lock}}
}
