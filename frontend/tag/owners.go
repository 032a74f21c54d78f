package tag

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// A pointer to an owner of a star (isolate.Owner) has a tag like that to a companion. Which of
// the objects of its site the owner is is not decided when they are made, but where
// pointers to them are loaded: each may be one to the owner or to another one, and that from
// the frozen field of the star is. As the field is frozen in all objects of its site, a pointer
// to another one than the star leads to the owner always or never: its tag says which.

// OwnerTag returns the tag of a pointer to a path in the owner.
func OwnerTag(w *isolate.Owner, path string) Tag {
	return Tag{Kind: Companion, Star: w.Star, Field: w.Object.ID, Path: path}
}

// IsOfOwner tells whether the tag is of a pointer to an owner.
func (l *Choices) IsOfOwner(g Tag) bool { return l.ownerOf(g) != nil }

// ownerOf returns the owner that the tag is of, nil if it is of none.
func (l *Choices) ownerOf(g Tag) *isolate.Owner {
	for _, w := range l.Stars.Owners() {
		if g.Kind == Companion && w.Object.ID == g.Field && w.Star == g.Star {
			return w
		}
	}
	return nil
}

// OwnerAt returns the tag of what is loaded from an address if that is a field that leads to
// owners; else none.
func (l *Choices) OwnerAt(v ssa.Value, address Tag) Tag {
	if !ssaflow.IsPointerLike(v.Type()) {
		return Tag{}
	}
	var w *isolate.Owner
	switch address.Kind {
	case Object:
		w = l.Stars.OwnerAt(address.Star, address.Path)
	case Companion:
		of := l.ownerOf(address)
		if of != nil && of.HasMembers(address.Path) {
			address.Path += ofMembers
			return address
		}
		if of != nil {
			w = l.Stars.OwnerIn(of, address.Path)
		}
	case Foreign:
		if of := l.ownerLike(address); of != nil && of.HasMembers(address.Path) {
			address.Path += ofMembers
			return address
		}
		g, _ := l.ownerOfOther(address)
		return g
	}
	if w == nil {
		return Tag{}
	}
	return OwnerTag(w, w.Inner)
}

// ownerOfOther returns the tag of what a field of another object than the star, or an owner,
// leads to, as far as the tag of the field's address says that.
func (l *Choices) ownerOfOther(address Tag) (g Tag, ok bool) {
	if address.parts == 0 {
		return Tag{}, false
	}
	for i, w := range l.Stars.OwnersFrom(address.Star, l.ownerLike(address)) {
		if w.Path == address.Path {
			return l.tags.Part(address, i), true
		}
	}
	return Tag{}, false
}

// ownerLike returns the owner of whose site the object is that a tag is of, nil if it is of that
// of the star.
func (l *Choices) ownerLike(g Tag) *isolate.Owner {
	return l.ownerOf(Tag{Kind: Companion, Star: g.Star, Field: g.Field})
}

// Others returns the tags of a pointer to another object than the star, or than an owner, of
// its site: one for each combination of what the fields lead to.
func (l *Choices) Others(k int, of *isolate.Owner) []Tag {
	fields := l.Stars.OwnersFrom(k, of)
	if len(fields) == 0 && of == nil {
		return []Tag{{Kind: Foreign}}
	}
	g := Tag{Kind: Foreign, Star: k}
	if of != nil {
		g.Field = of.Object.ID
	}
	all := [][]Tag{nil}
	for _, w := range fields {
		var next [][]Tag
		for _, known := range all {
			for _, part := range append(l.Others(k, w), OwnerTag(w, w.Inner)) {
				next = append(next, append(slices.Clip(known), part))
			}
		}
		all = next
	}
	var tags []Tag
	for _, parts := range all {
		if len(parts) > 0 {
			g.parts = l.tags.Compose(Cell, parts).parts
		}
		tags = append(tags, g)
	}
	return tags
}

// OthersIn returns the tags of a pointer to one of the cells that is to no star or owner.
func (l *Choices) OthersIn(cells []pointsto.Cell) []Tag {
	var tags []Tag
	for _, cell := range cells {
		for _, g := range ssaflow.Remember(l.others, cell, func() []Tag { return l.othersLike(cell) }) {
			if !slices.Contains(tags, g) {
				tags = append(tags, g)
			}
		}
	}
	return tags
}

// othersElsewhere is othersIn for a pointer that can be to no star or owner: of most nothing is
// known.
func (l *Choices) othersElsewhere(cells []pointsto.Cell) []Tag {
	if len(l.Stars.Owners()) > 0 {
		if tags := l.OthersIn(cells); len(tags) > 0 && !slices.Contains(tags, Tag{Kind: Foreign}) {
			return tags
		}
	}
	return []Tag{{}}
}

// othersLike returns the tags of a pointer to the cell if it is in no star or owner.
func (l *Choices) othersLike(cell pointsto.Cell) []Tag {
	for _, w := range l.Stars.Owners() {
		if cell.Path == "" && types.Identical(cell.Object.Type, w.Object.Type) && l.Stars.Leads(cell.Object, w.Star, w) {
			return l.Others(w.Star, w)
		}
		star := l.Stars.Stars[w.Star]
		if cell.Path == star.Path && l.isLikeStar(w.Star, cell.Object.Type) && l.Stars.Leads(cell.Object, w.Star, nil) {
			return l.Others(w.Star, nil)
		}
	}
	return []Tag{{Kind: Foreign}}
}

// isLikeStar tells whether one of the objects that a star may be has the type.
func (l *Choices) isLikeStar(star int, t types.Type) bool {
	for o := range l.Stars.Stars[star].Objects {
		if types.Identical(o.Type, t) {
			return true
		}
	}
	return false
}

// ownersIn returns the tags of the owners that a pointer to one of the cells may be to. If it
// may be to a companion of a star as well, the locks of that are not modelled.
func (l *Choices) ownersIn(cells []pointsto.Cell) (all []Tag) {
	for _, cell := range cells {
		if w := l.Stars.OwnerOf(cell.Object); w != nil {
			all = append(all, OwnerTag(w, cell.Path))
		}
	}
	if len(all) > 0 {
		for _, cell := range cells {
			if l.Stars.IsCompanion(cell.Object) {
				l.Mixed(l.Graph.Under(cell.Object, cell.Path))
			}
		}
	}
	return all
}

// HasOwner tells whether the store can be executed in the state: what it gives an object is
// what its field leads to.
func (l *Choices) HasOwner(store *ssa.Store, addr, stored Tag) bool {
	if stored.Kind != Companion && stored.Kind != Foreign || stored == (Tag{Kind: Foreign}) {
		return true // of the last one it may also be nil
	}
	if !isolate.IsOnlyStore(store) {
		return true
	}
	var holds Tag
	switch addr.Kind {
	case Object:
		holds = l.OwnerAt(store.Val, addr)
	case Foreign:
		holds, _ = l.ownerOfOther(addr)
	}
	switch {
	case holds.Kind == None:
		return true
	case holds.Kind == Foreign && stored.Kind == Foreign:
		return holds.parts == 0 || stored.parts == 0 || holds == stored
	}
	return holds == stored
}
