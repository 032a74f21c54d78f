package tag

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Choices is what values may be with respect to the stars, by their points-to sets.
type Choices struct {
	*modref.Facts
	values *mustalias.Values
	tags   *Table

	sentinels map[*ssa.Global]bool    // error variables, as far as asked for: see isSentinel
	kept      map[*ssa.Function]bool  // see isKept
	unknown   map[nodeValue][]Tag     // see Unknown
	others    map[pointsto.Cell][]Tag // see othersLike

	// Mixed is told of locks of companions that a pointer may be to which may be to an owner, too.
	Mixed func([]pointsto.Cell)
}

// NewChoices returns the facts about a program; composite tags are interned in the table.
func NewChoices(values *mustalias.Values, table *Table) *Choices {
	return &Choices{Facts: values.Facts, values: values, tags: table, sentinels: map[*ssa.Global]bool{},
		unknown: map[nodeValue][]Tag{}, others: map[pointsto.Cell][]Tag{}}
}

// CompanionIn returns the companion that another one holds where the tag points to.
func (l *Choices) CompanionIn(g Tag) (*isolate.Companion, bool) {
	for _, known := range l.Stars.Companions(g.Star) {
		if known.Object.ID == g.Field {
			return l.Stars.CompanionIn(known, g.Path)
		}
	}
	return nil, false
}

// ReturnedCompanions returns the tags of a result that may be a companion of a star.
func (l *Choices) ReturnedCompanions(callee *pointsto.Node, i int) (all []Tag) {
	for _, b := range callee.Func.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for _, g := range l.CompanionsOf(callee, ret.Results[i]) {
			if !slices.Contains(all, g) {
				all = append(all, g)
			}
		}
	}
	return all
}

// CompanionsOf returns the tags of the companions that a value may be.
func (l *Choices) CompanionsOf(n *pointsto.Node, v ssa.Value) (all []Tag) {
	for _, o := range l.Graph.PointsTo(n, v).Objects() {
		for _, known := range l.Stars.CompanionsAt(o) {
			all = append(all, Tag{Kind: Companion, Star: known.Star, Field: o.ID})
		}
	}
	return all
}

// IsWholeStar tells whether the tag is of a pointer to a star, not into it or into
// what is around it, and not to some element of an array.
func (l *Choices) IsWholeStar(g Tag) bool {
	return g.Kind == Object && g.Path == l.Stars.Stars[g.Star].Path && !strings.Contains(g.Path, "[")
}

// MethodsOf returns those of the callees of an interface's method that can be
// called on what the tag says.
func (l *Choices) MethodsOf(g Tag, callees []*pointsto.Node) []*pointsto.Node {
	var t types.Type
	for o := range l.Stars.Stars[g.Star].Objects {
		t = pointsto.Cell{Object: o, Path: g.Path}.Type() // the same in all
	}
	var all []*pointsto.Node
	for _, callee := range callees {
		recv := callee.Func.Signature.Recv()
		if op, isLock := knowledge.LockOperation(callee.Func); isLock && recv != nil && t != nil {
			reads := op == knowledge.RLock || op == knowledge.RUnlock
			if reads != (g.Field == ReadView) || !reads && !types.Identical(recv.Type(), types.NewPointer(t)) {
				continue
			}
		}
		all = append(all, callee)
	}
	return all
}

// FailsAssertion tells whether the pointer to a star that an interface holds has not
// the methods of another interface: then the assertion gives nil, or panics.
func (l *Choices) FailsAssertion(g Tag, asserted types.Type) bool {
	methods, ok := asserted.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for o := range l.Stars.Stars[g.Star].Objects {
		t := pointsto.Cell{Object: o, Path: g.Path}.Type()
		if t == nil || types.Implements(types.NewPointer(t), methods) {
			return false
		}
	}
	return true
}

// ReturnsWatched tells whether result i of the callee may lead to memory of the atomic set:
// whoever calls it is to know that, rather than whether an error is nil.
func (l *Choices) ReturnsWatched(callee *pointsto.Node, i int) bool {
	for _, b := range callee.Func.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if ok && len(l.RegionsOf(callee, ret.Results[i])) > 0 {
			return true
		}
	}
	return len(l.ReturnedCompanions(callee, i)) > 0
}

// ContentsOf returns the tags of contents that a pointer may lead to.
func (l *Choices) ContentsOf(n *pointsto.Node, v ssa.Value) []Tag {
	var all []Tag
	for _, at := range l.RegionsOf(n, v) {
		all = append(all, Tag{Kind: Contents, Star: at.Star, Field: at.Field})
	}
	return all
}

// CellsOf returns what a pointer with the tag may point to: one to the object of a holder to that, and to nothing else.
func (l *Choices) CellsOf(n *pointsto.Node, pointer ssa.Value, g Tag) []pointsto.Cell {
	cells := l.Graph.PointsTo(n, pointer).Cells()
	if g.Kind != Holder {
		return cells
	}
	return slices.DeleteFunc(cells, func(c pointsto.Cell) bool { return c.Object.ID != g.Field })
}

// IsAround tells whether the tag is of memory around the star, of which the star is
// a part.
func (l *Choices) IsAround(g Tag) bool {
	path := l.Stars.Stars[g.Star].Path
	return g.Path != path && pointsto.IsWithin(path, g.Path)
}

// Within returns the tag of a part of the memory that g points to. Several stars may
// lie in one memory (two fields of a struct): the tag names the one that the part
// belongs to.
func (l *Choices) Within(g Tag, part string) Tag {
	g.Path = pointsto.JoinPath(g.Path, part)
	memory := l.Stars.Stars[g.Star]
	if pointsto.Overlaps(g.Path, memory.Path) {
		return g
	}
	for k, other := range l.Stars.Stars {
		if maps.Equal(other.Objects, memory.Objects) && pointsto.IsWithin(g.Path, other.Path) {
			g.Star = k
			return g
		}
	}
	return g
}

// nodeValue is a value of the function of a node.
type nodeValue struct {
	node  *pointsto.Node
	value ssa.Value
}

// Unknown returns the tags that a value of unknown origin can have: each star that
// its points-to set allows, and none of them unless the set holds nothing else.
func (l *Choices) Unknown(n *pointsto.Node, v ssa.Value) []Tag {
	if !ssaflow.IsPointerLike(v.Type()) {
		return []Tag{{}}
	}
	if _, isFunc := v.Type().Underlying().(*types.Signature); isFunc {
		return []Tag{{}}
	}
	return slices.Clip(ssaflow.Remember(l.unknown, nodeValue{n, v}, func() []Tag {
		return l.starsIn(l.Graph.PointsTo(n, v).Cells())
	}))
}

// starsIn returns the tags of a pointer that points to one of the cells.
func (l *Choices) starsIn(cells []pointsto.Cell) []Tag {
	var tags []Tag
	others := false
	for _, cell := range cells {
		stars := l.Stars.StarsAt(cell)
		if len(stars) == 0 {
			others = true
		}
		for _, k := range stars {
			path := l.Stars.PathOf(k, cell)
			if !l.isPlaceOf(k, stars, path) {
				continue
			}
			if g := (Tag{Kind: Object, Star: k, Path: path}); !slices.Contains(tags, g) { // of several abstract objects
				tags = append(tags, g)
			}
			others = others || !l.Stars.Stars[k].Single
		}
	}
	if owners := l.ownersIn(cells); len(owners) > 0 {
		tags, others = append(tags, owners...), true
	}
	if len(tags) == 0 {
		return l.othersElsewhere(cells)
	}
	// What is not a star may still be contents of one.
	for _, cell := range cells {
		for _, at := range l.Stars.RegionsAt(cell) {
			if g := (Tag{Kind: Contents, Star: at.Star, Field: at.Field}); !slices.Contains(tags, g) {
				tags = append(tags, g)
			}
		}
	}
	if others {
		tags = append(tags, l.OthersIn(cells)...)
	}
	return tags
}

// isPlaceOf tells whether star k is the one, of those in the same memory, to name
// for a pointer to the path: the path lies in it, or it is the first of those that
// the path lies around or beside.
func (l *Choices) isPlaceOf(k int, stars []int, path string) bool {
	if pointsto.IsWithin(path, l.Stars.Stars[k].Path) {
		return true
	}
	for _, other := range stars {
		if pointsto.IsWithin(path, l.Stars.Stars[other].Path) {
			return false
		}
	}
	for _, other := range stars {
		if l.Stars.Stars[other].Path != l.Stars.Stars[k].Path {
			return other == k || k < other
		}
	}
	return true
}

// UnknownInput is unknown for a parameter or captured variable: for the address of
// a variable it asks what the variable holds.
func (l *Choices) UnknownInput(n *pointsto.Node, v ssa.Value) []Tag {
	captured, ok := v.(*ssa.FreeVar)
	if !ok {
		return l.Unknown(n, v)
	}
	pointer, ok := captured.Type().Underlying().(*types.Pointer)
	stores := 0
	if !ok || !ssaflow.IsPointerLike(pointer.Elem()) || !ssaflow.OnlyLoaded(captured, &stores) {
		return l.Unknown(n, v)
	}
	for _, cell := range l.Graph.PointsTo(n, v).Cells() {
		alloc, ok := cell.Object.Site.(*ssa.Alloc)
		if !ok || !l.values.Function(alloc.Parent()).IsSettled(alloc) {
			return l.Unknown(n, v)
		}
	}
	return l.variables(n, v)
}

// variables returns the tags of a variable at an address, by what it may hold.
func (l *Choices) variables(n *pointsto.Node, address ssa.Value) (tags []Tag) {
	for _, g := range l.heldAt(n, address) {
		if g.Kind == None {
			return []Tag{{}}
		}
		tags = append(tags, l.tags.Compose(Cell, []Tag{g}))
	}
	return tags
}

// heldAt returns the tags of what a variable at an address may hold.
func (l *Choices) heldAt(n *pointsto.Node, address ssa.Value) []Tag {
	var held []pointsto.Cell
	for _, cell := range l.Graph.PointsTo(n, address).Cells() {
		held = append(held, l.Graph.Contents(cell).Cells()...)
	}
	return l.starsIn(held)
}

// Passed returns the tag of a parameter to which a value is passed of which nothing is known. By what all callers pass,
// it may be a star; if what this one passes is none, and leads to none, it is another object.
func (l *Choices) Passed(caller *pointsto.Node, v ssa.Value, callee *pointsto.Node, parameter *ssa.Parameter) Tag {
	if caller == nil || !l.mayBeStar(callee, parameter) || !l.IsOther(caller, v) || l.mayHold(caller, v) {
		return Tag{}
	}
	return Tag{Kind: Foreign}
}

// mayHold tells whether a value may point to an object that holds stars.
func (l *Choices) mayHold(n *pointsto.Node, v ssa.Value) bool {
	return slices.ContainsFunc(l.Graph.PointsTo(n, v).Objects(), func(o *pointsto.Object) bool {
		return l.Stars.Holders[o] != nil
	})
}

// Held returns the tag of a variable to which a value is assigned of which nothing is known: as Passed, by all that is
// assigned to it.
func (l *Choices) Held(n *pointsto.Node, v ssa.Value, variable *ssa.Alloc) Tag {
	if !ssaflow.IsPointerLike(v.Type()) || !l.IsOther(n, v) || l.mayHold(n, v) {
		return Tag{}
	}
	if !slices.ContainsFunc(l.heldAt(n, variable), func(g Tag) bool { return g.Kind == Object }) {
		return Tag{}
	}
	return Tag{Kind: Foreign}
}

// IsOther tells whether a value points to objects that are no stars, and leads to nothing of one.
func (l *Choices) IsOther(n *pointsto.Node, v ssa.Value) bool {
	return l.IsPlain(n, v) && !l.LeadsToCompanion(n, v) && len(l.Graph.PointsTo(n, v).Cells()) > 0
}

// mayBeStar tells whether a parameter of which nothing is known may be a star, or another object.
func (l *Choices) mayBeStar(callee *pointsto.Node, parameter *ssa.Parameter) bool {
	all := l.UnknownInput(callee, parameter)
	return slices.Contains(all, Tag{Kind: Foreign}) &&
		slices.ContainsFunc(all, func(g Tag) bool { return g.Kind == Object })
}

// ElementOf returns the tag of an element of type t of a container with tag g: a
// part of the same contents if its type allows that; nothing is known otherwise.
func (l *Choices) ElementOf(g Tag, t types.Type) Tag {
	if g.Kind != Contents {
		return Tag{}
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if l.Stars.IsContentsType(u.Elem()) {
			return g
		}
	case *types.Slice, *types.Map:
		return g
	}
	return Tag{}
}
