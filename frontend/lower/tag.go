package lower

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/modref"
)

// tagKind says what is known about a value with respect to the stars.
type tagKind uint8

const (
	// none: nothing is known; the points-to set decides at each use.
	none tagKind = iota
	// foreign: the value could be a star by its points-to set, but on this
	// path it is known to be another object, or contents of another object.
	foreign
	// object: a pointer to star star, or into it at path (absolute in the
	// memory that holds the star).
	object
	// contents: a pointer, slice or map that field leads to.
	contents
	// value: a copy of the struct at path of a star.
	value
	// truth: a boolean that is known: 0 or 1 in field.
	truth
	// companion: a pointer to, or to path in, the companion of star star; field is
	// the number of its abstract object.
	companion
	// nilness: what is known is only whether it is nil: 0 if so, else 1, in
	// field.
	nilness
	// number: an integer that is known: field.
	number
	// channelOf: the channel that is object field of the points-to analysis,
	// which is one channel at run time; -1 for nil.
	channelOf
	// holder: a pointer to, or to path in, an object that holds star star, or
	// holds none if star is -1; field is the number of its abstract object.
	holder
	// cell: the address of a variable that is assigned once; parts holds the
	// tag of what is in it.
	cell
	// closure: a function value; parts holds the tags of its bindings.
	closure
	// tuple: several values.
	tuple
)

// tag is what is known about a value. Tags are comparable.
type tag struct {
	kind  tagKind
	star  int
	field int           // contents: index into Subject.Fields; truth, nilness: 0 or 1
	path  string        // object, value
	parts int           // cell, closure, tuple: index into tagTable.composites, plus one
	fn    *ssa.Function // closure: its code
}

// tagTable interns the parts of composite tags, so that equal tags are equal
// values.
type tagTable struct {
	composites [][]tag
	index      map[string]int
}

func newTagTable() *tagTable { return &tagTable{index: map[string]int{}} }

// maxNesting bounds how deep tags contain tags: a recursive function that wraps its
// callback in a new one would have no end of clones.
const maxNesting = 6

// closure returns the tag of a function value with its code and bindings.
func (t *tagTable) closure(fn *ssa.Function, bindings []tag) tag {
	if len(bindings) == 0 {
		return tag{kind: closure, fn: fn}
	}
	for _, b := range bindings {
		if t.depth(b) >= maxNesting {
			return tag{}
		}
	}
	g := t.compose(cell, bindings)
	g.kind, g.fn = closure, fn
	return g
}

// depth returns how deep the tag contains others.
func (t *tagTable) depth(g tag) int {
	deepest := 0
	for _, p := range t.parts(g) {
		deepest = max(deepest, t.depth(p)+1)
	}
	return deepest
}

// compose returns the tag of kind k, a cell or a tuple, with the given parts. A
// tuple of which nothing is known is none.
func (t *tagTable) compose(k tagKind, parts []tag) tag {
	if k != cell {
		plain := true
		for _, p := range parts {
			plain = plain && p.kind == none
		}
		if plain {
			return tag{}
		}
	}
	key := fmt.Sprint(k, parts)
	i, ok := t.index[key]
	if !ok {
		t.composites = append(t.composites, append([]tag(nil), parts...))
		i = len(t.composites)
		t.index[key] = i
	}
	return tag{kind: k, parts: i}
}

// parts returns the parts of a composite tag, nil for others.
func (t *tagTable) parts(g tag) []tag {
	if g.parts == 0 {
		return nil
	}
	return t.composites[g.parts-1]
}

// part returns part i, the zero tag if there is none.
func (t *tagTable) part(g tag, i int) tag {
	if parts := t.parts(g); i < len(parts) {
		return parts[i]
	}
	return tag{}
}

// Which stars no other goroutine can reach is a set with two bits for each star:
// one for the object, one for what its fields lead to.

// stars returns what can be reached through the tagged value.
func (t *tagTable) stars(g tag) uint {
	switch g.kind {
	case object:
		return modref.ObjectBit(g.star) | modref.ContentsBit(g.star)
	case contents, value:
		return modref.ContentsBit(g.star)
	case holder:
		if g.star >= 0 {
			return modref.ObjectBit(g.star) | modref.ContentsBit(g.star)
		}
	case cell, closure, tuple:
		var all uint
		for _, p := range t.parts(g) {
			all |= t.stars(p)
		}
		return all
	}
	return 0
}

// isDefinite tells whether a value with the tag needs no points-to set to decide
// what it is.
func (g tag) isDefinite() bool { return g.kind != none }

// String names the tag in the names of function clones.
func (t *tagTable) String(g tag, star func(int) string) string {
	switch g.kind {
	case none:
		return "_"
	case foreign:
		return "other"
	case object:
		if g.path != "" {
			return star(g.star) + "." + g.path
		}
		return star(g.star)
	case contents:
		return "in " + star(g.star)
	case value:
		return "copy of " + star(g.star)
	case truth:
		return [...]string{"false", "true"}[g.field]
	case holder:
		if g.star < 0 {
			return "holds none"
		}
		return "holds " + star(g.star)
	case companion:
		return "companion of " + star(g.star)
	case nilness:
		return [...]string{"nil", "not nil"}[g.field]
	case channelOf:
		return "channel"
	case number:
		return fmt.Sprint(g.field)
	}
	var parts []string
	for _, p := range t.parts(g) {
		parts = append(parts, t.String(p, star))
	}
	prefix := ""
	switch g.kind {
	case cell:
		prefix = "&"
	case closure:
		prefix = g.fn.Name()
	}
	return prefix + "(" + strings.Join(parts, ",") + ")"
}
