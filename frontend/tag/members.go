package tag

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/rules"
)

// What an owner of a star has in a slice or map leads back to it, if isolate says so: the star
// is in that of its owner, and in that of no other object.

// ofMembers ends the path of a tag of a slice or map with members, in the object that it is of.
const ofMembers = "{}"

// IsOfMembers tells whether the tag is of such a slice or map, or of an element.
func IsOfMembers(g Tag) bool {
	return (g.Kind == Companion || g.Kind == Foreign) && strings.HasSuffix(g.Path, ofMembers)
}

// MembersIn returns those tags that a pointer in the slice or map can have.
func (l *Choices) MembersIn(tags []Tag, container Tag) []Tag {
	w := l.ownerLike(container)
	l.Rules.Use(rules.Members, true)
	found := slices.DeleteFunc(slices.Clone(tags), func(g Tag) bool {
		leads, known := l.leadsToOwner(g, w)
		return known && leads != (container.Kind == Companion)
	})
	if len(found) == 0 {
		return []Tag{{Kind: Foreign}}
	}
	return found
}

// leadsToOwner tells whether what a tag is of leads to the owner by its field, if that is known.
func (l *Choices) leadsToOwner(g Tag, w *isolate.Owner) (leads, known bool) {
	of := w.Of()
	switch {
	case g.Kind == Object && of == nil:
		is := g.Star == w.Star && g.Path == l.Stars.Stars[w.Star].Path
		return is, is
	case g.Kind == Companion && of != nil:
		is := l.ownerOf(g) == of && g.Path == ""
		return is, is
	case g.Kind == Foreign && g.parts != 0 && g.Path == "" && g.Star == w.Star && l.ownerLike(g) == of:
		part := l.tags.Part(g, slices.Index(l.Stars.OwnersFrom(w.Star, of), w))
		return part.Kind == Companion, true
	}
	return false, false
}

// ElementsOf returns the tags of a part of the tuple that a lookup, or a step of a range, in a
// container gives: of an element of type t.
func (l *Choices) ElementsOf(n *pointsto.Node, tuple ssa.Value, part int, container Tag, t types.Type) []Tag {
	if !IsOfMembers(container) {
		return []Tag{l.ElementOf(container, t)}
	}
	for _, r := range *tuple.Referrers() {
		if e, ok := r.(*ssa.Extract); ok && e.Index == part {
			return l.MembersIn(l.Unknown(n, e), container)
		}
	}
	return []Tag{{}}
}
