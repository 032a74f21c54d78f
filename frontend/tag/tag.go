package tag

import (
	"encoding/binary"
	"fmt"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/relevance"
)

// Kind says what is known about a value with respect to the stars.
type Kind uint8

const (
	// none: nothing is known; the points-to set decides at each use.
	None Kind = iota
	// foreign: the value could be a star by its points-to set, but on this
	// path it is known to be another object, or contents of another object.
	Foreign
	// object: a pointer to star star, or into it at path (absolute in the
	// memory that holds the star).
	Object
	// contents: a pointer, slice or map that field leads to.
	Contents
	// value: a copy of the struct at path of a star.
	Value
	// truth: a boolean that is known: 0 or 1 in field.
	Truth
	// companion: a pointer to, or to path in, the companion of star star; field is
	// the number of its abstract object.
	Companion
	// nilness: what is known is only whether it is nil: 0 if so, else 1, in
	// field.
	Nilness
	// number: an integer that is known: field.
	Number
	// channelOf: the channel that is object field of the points-to analysis,
	// which is one channel at run time; -1 for nil.
	ChannelOf
	// holder: a pointer to, or to path in, an object that holds star star, or
	// holds none if star is -1; field is the number of its abstract object.
	Holder
	// cell: the address of a variable that is assigned once; parts holds the
	// tag of what is in it.
	Cell
	// closure: a function value; parts holds the tags of its bindings.
	Closure
	// tuple: several values.
	Tuple
	// key: a value that may be a key of a map: its class is field (package keys).
	Key
)

// Tag is what is known about a value. Tags are comparable.
type Tag struct {
	Kind  Kind
	Star  int
	Field int           // contents: index into Subject.Fields; truth, nilness: 0 or 1
	Path  string        // object, value
	parts int           // cell, closure, tuple: index into tagTable.composites, plus one
	Fn    *ssa.Function // closure: its code
}

// Table interns the parts of composite tags, so that equal tags are equal
// values.
type Table struct {
	composites [][]Tag
	index      map[string]int
	numbers    map[Tag]int
}

// NewTable returns a table without composite tags.
func NewTable() *Table { return &Table{index: map[string]int{}, numbers: map[Tag]int{}} }

// Number returns a number that identifies the tag.
func (t *Table) Number(g Tag) int {
	n, ok := t.numbers[g]
	if !ok {
		n = len(t.numbers)
		t.numbers[g] = n
	}
	return n
}

// maxNesting bounds how deep tags contain tags: a recursive function that wraps its
// callback in a new one would have no end of clones.
const maxNesting = 6

// Closure returns the tag of a function value with its code and bindings.
func (t *Table) Closure(fn *ssa.Function, bindings []Tag) Tag {
	if len(bindings) == 0 {
		return Tag{Kind: Closure, Fn: fn}
	}
	for _, b := range bindings {
		if t.depth(b) >= maxNesting {
			return Tag{}
		}
	}
	g := t.Compose(Cell, bindings)
	g.Kind, g.Fn = Closure, fn
	return g
}

// depth returns how deep the tag contains others.
func (t *Table) depth(g Tag) int {
	deepest := 0
	for _, p := range t.Parts(g) {
		deepest = max(deepest, t.depth(p)+1)
	}
	return deepest
}

// Compose returns the tag of kind k, a cell or a tuple, with the given parts. A
// tuple of which nothing is known is none.
func (t *Table) Compose(k Kind, parts []Tag) Tag {
	if k != Cell {
		plain := true
		for _, p := range parts {
			plain = plain && p.Kind == None
		}
		if plain {
			return Tag{}
		}
	}
	var room [64]byte
	key := append(room[:0], byte(k))
	for _, p := range parts {
		key = binary.AppendUvarint(key, uint64(t.Number(p)))
	}
	i, ok := t.index[string(key)]
	if !ok {
		t.composites = append(t.composites, append([]Tag(nil), parts...))
		i = len(t.composites)
		t.index[string(key)] = i
	}
	return Tag{Kind: k, parts: i}
}

// Parts returns the parts of a composite tag, nil for others.
func (t *Table) Parts(g Tag) []Tag {
	if g.parts == 0 {
		return nil
	}
	return t.composites[g.parts-1]
}

// Part returns part i, the zero tag if there is none.
func (t *Table) Part(g Tag, i int) Tag {
	if parts := t.Parts(g); i < len(parts) {
		return parts[i]
	}
	return Tag{}
}

// Which stars no other goroutine can reach is a set with two bits for each star:
// one for the object, one for what its fields lead to.

// Stars returns what can be reached through the tagged value.
func (t *Table) Stars(g Tag) uint {
	switch g.Kind {
	case Object:
		return modref.ObjectBit(g.Star) | modref.ContentsBit(g.Star)
	case Contents, Value:
		return modref.ContentsBit(g.Star)
	case Holder:
		if g.Star >= 0 {
			return modref.ObjectBit(g.Star) | modref.ContentsBit(g.Star)
		}
	case Cell, Closure, Tuple:
		var all uint
		for _, p := range t.Parts(g) {
			all |= t.Stars(p)
		}
		return all
	}
	return 0
}

// IsDefinite tells whether a value with the tag needs no points-to set to decide
// what it is.
func (g Tag) IsDefinite() bool { return g.Kind != None }

// String names the tag in the names of function clones.
func (t *Table) String(g Tag, star func(int) string) string {
	switch g.Kind {
	case None:
		return "_"
	case Foreign:
		return "other"
	case Object:
		if g.Path != "" {
			return star(g.Star) + "." + g.Path
		}
		return star(g.Star)
	case Contents:
		return "in " + star(g.Star)
	case Value:
		return "copy of " + star(g.Star)
	case Truth:
		return [...]string{"false", "true"}[g.Field]
	case Holder:
		if g.Star < 0 {
			return "holds none"
		}
		return "holds " + star(g.Star)
	case Companion:
		return "companion of " + star(g.Star)
	case Nilness:
		return [...]string{"nil", "not nil"}[g.Field]
	case ChannelOf:
		return "channel"
	case Number:
		return fmt.Sprint(g.Field)
	case Key:
		return fmt.Sprint("key ", g.Field)
	}
	var parts []string
	for _, p := range t.Parts(g) {
		parts = append(parts, t.String(p, star))
	}
	prefix := ""
	switch g.Kind {
	case Cell:
		prefix = "&"
	case Closure:
		prefix = g.Fn.Name()
	}
	return prefix + "(" + strings.Join(parts, ",") + ")"
}

// NumberTag is the tag of a known integer.
func NumberTag(n int) Tag { return Tag{Kind: Number, Field: n} }

// readView is the field of the tag of a lock that is taken for reading: of the
// Locker that RWMutex.RLocker returns.
const ReadView = 1

// NilnessTag is the tag of a value of which only this is known.
func NilnessTag(isNil bool) Tag {
	if isNil {
		return Tag{Kind: Nilness}
	}
	return Tag{Kind: Nilness, Field: 1}
}

// TagOfDecisive returns the tag of a decisive result.
func TagOfDecisive(d relevance.Decisive) Tag {
	if d.IsBool {
		return TruthTag(d.Is)
	}
	return NilnessTag(d.Is)
}

// With returns the tag with parts.
func (t *Table) With(g Tag, parts []Tag) Tag {
	g.parts = t.Compose(Cell, parts).parts
	return g
}

// HasParts tells whether the tag has parts.
func (g Tag) HasParts() bool { return g.parts != 0 }

// TruthTag is the tag of a known boolean.
func TruthTag(b bool) Tag {
	if b {
		return Tag{Kind: Truth, Field: 1}
	}
	return Tag{Kind: Truth}
}
