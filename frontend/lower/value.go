package lower

import (
	"go/constant"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// known returns the tag, or what the points-to set says if it is none.
func (l *lowerer) known(c *clone, v ssa.Value, g tag) []tag {
	if g.kind != none {
		return []tag{g}
	}
	return l.unknown(c.node, v)
}

// tagOf returns the tag of an operand.
func (l *lowerer) tagOf(c *clone, s state, v ssa.Value) tag {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value != nil && v.Value.Kind() == constant.Bool {
			return truthTag(constant.BoolVal(v.Value))
		}
		if _, isChan := v.Type().Underlying().(*types.Chan); isChan {
			return tag{kind: channelOf, field: -1}
		}
		return tag{}
	case *ssa.Function:
		return l.tags.closure(v, nil)
	case *ssa.Global:
		for k, star := range l.Stars.Stars {
			for o := range star.Objects {
				if o.Site == v {
					return tag{kind: object, star: k, path: l.Stars.PathOf(k, pointsto.Cell{Object: o})}
				}
			}
		}
		return tag{}
	}
	return s.tags[v]
}

// truthTag is the tag of a known boolean.
func truthTag(b bool) tag {
	if b {
		return tag{kind: truth, field: 1}
	}
	return tag{kind: truth}
}

// derived returns the tag of a value computed from one operand without a choice.
func (l *lowerer) derived(c *clone, s state, v ssa.Value) tag {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		g := l.tagOf(c, s, v.X)
		switch g.kind {
		case object:
			return l.within(g, modref.FieldName(v.X.Type(), v.Field))
		case holder, companion:
			g.path = pointsto.JoinPath(g.path, modref.FieldName(v.X.Type(), v.Field))
		case contents:
			if !l.leadsTo(c.node, v, isolate.Location{Star: g.star, Field: g.field}) {
				return tag{} // of what guards itself
			}
		}
		return g
	case *ssa.Slice:
		g := l.tagOf(c, s, v.X)
		if g.kind == holder || g.kind == companion {
			return tag{}
		}
		if g.kind == object && !l.isAround(g) { // of an array inside the star
			if fields := l.Stars.FieldsAt(g.star, g.path); len(fields) > 0 {
				return tag{kind: contents, star: g.star, field: fields[0].Field}
			}
			return tag{}
		}
		return g
	case *ssa.MakeChan:
		return l.made(c, v)
	case *ssa.ChangeType:
		return l.tagOf(c, s, v.X)
	case *ssa.ChangeInterface:
		if g := l.tagOf(c, s, v.X); g.kind != nilness {
			return g
		}
		return tag{}
	case *ssa.MakeInterface:
		return l.tagOf(c, s, v.X)
	case *ssa.Convert:
		return l.tagOf(c, s, v.X)
	case *ssa.SliceToArrayPointer:
		return l.tagOf(c, s, v.X)
	}
	return tag{}
}

// isAround tells whether the tag is of memory around the star, of which the star is
// a part.
func (l *lowerer) isAround(g tag) bool {
	path := l.Stars.Stars[g.star].Path
	return g.path != path && pointsto.IsWithin(path, g.path)
}

// within returns the tag of a part of the memory that g points to. Several stars may
// lie in one memory (two fields of a struct): the tag names the one that the part
// belongs to.
func (l *lowerer) within(g tag, part string) tag {
	g.path = pointsto.JoinPath(g.path, part)
	memory := l.Stars.Stars[g.star]
	if pointsto.IsWithin(g.path, memory.Path) || pointsto.IsWithin(memory.Path, g.path) {
		return g
	}
	for k, other := range l.Stars.Stars {
		if maps.Equal(other.Objects, memory.Objects) && pointsto.IsWithin(g.path, other.Path) {
			g.star = k
			return g
		}
	}
	return g
}

// fieldOf returns the tag of a field of a struct value.
func (l *lowerer) fieldOf(c *clone, s state, v *ssa.Field) tag {
	g := l.tagOf(c, s, v.X)
	if g.kind != value {
		return tag{}
	}
	g.path = pointsto.JoinPath(g.path, modref.FieldName(v.X.Type(), v.Field))
	if _, isStruct := v.Type().Underlying().(*types.Struct); isStruct {
		return g
	}
	if companion, ok := l.companionAt(c, v, g); ok {
		return companion
	}
	if fields := l.Stars.FieldsAt(g.star, g.path); len(fields) > 0 && l.leadsTo(c.node, v, isolate.Location{Star: g.star, Field: fields[0].Field}) {
		return tag{kind: contents, star: g.star, field: fields[0].Field}
	}
	return tag{}
}

// loaded returns the tags that a value loaded through an address with tag g can
// have.
func (l *lowerer) loaded(c *clone, v ssa.Value, g tag) []tag {
	if g.kind == cell {
		return l.known(c, v, l.tags.part(g, 0))
	}
	if _, isStruct := v.Type().Underlying().(*types.Struct); isStruct {
		if g.kind == object {
			return []tag{{kind: value, star: g.star, path: g.path}}
		}
		return []tag{{}}
	}
	if g.kind == holder {
		return l.held(c, v, g)
	}
	tags := l.unknown(c.node, v)
	if len(tags) != 1 || tags[0].kind != none {
		return tags // it can be a star itself
	}
	switch g.kind {
	case companion:
		if inner, ok := l.companionIn(g); ok {
			return []tag{{kind: companion, star: g.star, field: inner.Object.ID}}
		}
	case object:
		if companion, ok := l.companionAt(c, v, g); ok {
			return []tag{companion}
		}
		for _, at := range l.Stars.FieldsAt(g.star, g.path) {
			if l.leadsTo(c.node, v, at) {
				return []tag{{kind: contents, star: at.Star, field: at.Field}}
			}
		}
	case contents:
		if l.leadsTo(c.node, v, isolate.Location{Star: g.star, Field: g.field}) {
			return []tag{g}
		}
	case foreign:
		if l.leadsToCompanion(c.node, v) || l.leadsOnlyToOwned(c.node, v) && !l.isFromOthers(c.node, v) {
			return []tag{g} // contents of an object that is not the star
		}
	}
	return tags
}

// isFromOthers tells whether the value may be loaded from memory that is neither that of
// objects as the stars nor what they lead to, and where what they hold may be kept, too.
func (l *lowerer) isFromOthers(n *pointsto.Node, v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	return ok && slices.ContainsFunc(l.Graph.PointsTo(n, load.X).Cells(), func(c pointsto.Cell) bool {
		return len(l.Stars.StarsAt(c)) == 0 && len(l.Stars.Regions(c.Object)) == 0 && !l.Stars.HoldsItsOwn(c)
	})
}

// leadsTo tells whether v may point to memory that the location leads to.
func (l *lowerer) leadsTo(n *pointsto.Node, v ssa.Value, at isolate.Location) bool {
	if !ssaflow.IsPointerLike(v.Type()) {
		return false
	}
	for _, cell := range l.Graph.PointsTo(n, v).Cells() {
		for _, r := range l.Stars.RegionsAt(cell) {
			if r == at {
				return true
			}
		}
	}
	return false
}

// leadsOnlyToOwned tells whether v may point to contents of stars, and only to
// those that no two objects share.
func (l *lowerer) leadsOnlyToOwned(n *pointsto.Node, v ssa.Value) bool {
	regions := l.regionsOf(n, v)
	if len(regions) == 0 {
		return false
	}
	for _, o := range l.Graph.PointsTo(n, v).Objects() {
		if len(l.Stars.Regions(o)) > 0 && !l.Stars.OwnsTree(o) {
			return false
		}
	}
	return true
}

// unknown returns the tags that a value of unknown origin can have: each star that
// its points-to set allows, and none of them unless the set holds nothing else.
func (l *lowerer) unknown(n *pointsto.Node, v ssa.Value) []tag {
	if !ssaflow.IsPointerLike(v.Type()) {
		return []tag{{}}
	}
	if _, isFunc := v.Type().Underlying().(*types.Signature); isFunc {
		return []tag{{}}
	}
	return l.starsIn(l.Graph.PointsTo(n, v).Cells())
}

// starsIn returns the tags of a pointer that points to one of the cells.
func (l *lowerer) starsIn(cells []pointsto.Cell) []tag {
	var tags []tag
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
			tags = append(tags, tag{kind: object, star: k, path: path})
			others = others || !l.Stars.Stars[k].Single
		}
	}
	if len(tags) == 0 {
		return []tag{{}}
	}
	// What is not a star may still be contents of one.
	for _, cell := range cells {
		for _, at := range l.Stars.RegionsAt(cell) {
			if g := (tag{kind: contents, star: at.Star, field: at.Field}); !slices.Contains(tags, g) {
				tags = append(tags, g)
			}
		}
	}
	if others {
		tags = append(tags, tag{kind: foreign})
	}
	return tags
}

// isPlaceOf tells whether star k is the one, of those in the same memory, to name
// for a pointer to the path: the path lies in it, or it is the first of those that
// the path lies around or beside.
func (l *lowerer) isPlaceOf(k int, stars []int, path string) bool {
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

// unknownInput is unknown for a parameter or captured variable: for the address of
// a variable it asks what the variable holds.
func (l *lowerer) unknownInput(n *pointsto.Node, v ssa.Value) []tag {
	captured, ok := v.(*ssa.FreeVar)
	if !ok {
		return l.unknown(n, v)
	}
	pointer, ok := captured.Type().Underlying().(*types.Pointer)
	stores := 0
	if !ok || !ssaflow.IsPointerLike(pointer.Elem()) || !ssaflow.OnlyLoaded(captured, &stores) {
		return l.unknown(n, v)
	}
	var held []pointsto.Cell
	for _, cell := range l.Graph.PointsTo(n, v).Cells() {
		alloc, ok := cell.Object.Site.(*ssa.Alloc)
		if !ok || !l.values.Function(alloc.Parent()).OnceCells[alloc] {
			return l.unknown(n, v)
		}
		held = append(held, l.Graph.Contents(cell).Cells()...)
	}
	var tags []tag
	for _, g := range l.starsIn(held) {
		if g.kind == none {
			return []tag{{}}
		}
		tags = append(tags, l.tags.compose(cell, []tag{g}))
	}
	return tags
}

// elementOf returns the tag of an element of type t of a container with tag g: a
// part of the same contents if its type allows that; nothing is known otherwise.
func (l *lowerer) elementOf(c *clone, g tag, t types.Type) tag {
	if g.kind != contents {
		return tag{}
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if l.Stars.IsContentsType(u.Elem()) {
			return g
		}
	case *types.Slice, *types.Map:
		return g
	}
	return tag{}
}
