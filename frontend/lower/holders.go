package lower

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/tag"
)

// Whether an object of the site of a holder holds the star is decided when it is
// made, and known of a pointer to it like what is known of pointers to stars.

// holderTag returns the tag of a pointer to an object that holds the star, or does
// not.
func (l *lowerer) holderTag(h *isolate.Holder, holds bool) tag.Tag {
	g := tag.Tag{Kind: tag.Holder, Star: -1, Field: h.Object.ID}
	if holds {
		g.Star = h.Star
	}
	return g
}

// allocHolder lowers the allocation of an object that may become a holder; ok is
// false if it cannot.
func (l *lowerer) allocHolder(c *clone, s state, v *ssa.Alloc) (outcomes []outcome, ok bool) {
	h := l.holders[l.Graph.ObjectAt(c.node, v)]
	if h == nil {
		return nil, false
	}
	return l.results(s, v, []tag.Tag{l.holderTag(h, true), l.holderTag(h, false)}), true
}

// fillsHolder tells whether the store can be executed in the state: the object that
// it initialises is the holder that it was taken for when it was made.
func (l *lowerer) fillsHolder(c *clone, v *ssa.Store, addr, stored tag.Tag) bool {
	h := l.holderOf(addr)
	if h == nil || v != h.Store {
		return true
	}
	if stored.Kind == tag.None && slices.ContainsFunc(l.choices.Unknown(c.node, v.Val), func(g tag.Tag) bool { return g.Kind == tag.Object && g.Star == h.Star }) {
		l.badHolders[h.Object] = true
		l.lost = true
		return true
	}
	isStar := stored.Kind == tag.Object && stored.Star == h.Star && stored.Path == l.Stars.Stars[h.Star].Path
	return isStar == (addr.Star >= 0)
}

// holderOf returns the field that a tag of kind holder is about, nil for others.
func (l *lowerer) holderOf(g tag.Tag) *isolate.Holder {
	if g.Kind != tag.Holder {
		return nil
	}
	return l.holdersByID[g.Field]
}

// held returns the tags of what is loaded from a place in a holder.
func (l *lowerer) held(c *clone, v ssa.Value, g tag.Tag) []tag.Tag {
	tags := l.choices.Unknown(c.node, v)
	h := l.holderOf(g)
	if h == nil || g.Path != h.Path {
		return tags
	}
	star := tag.Tag{Kind: tag.Object, Star: h.Star, Path: l.Stars.Stars[h.Star].Path}
	if g.Star >= 0 {
		return []tag.Tag{star}
	}
	tags = slices.DeleteFunc(slices.Clone(tags), func(g tag.Tag) bool { return g.Kind == tag.Object && g.Star == h.Star })
	if len(tags) == 0 {
		return []tag.Tag{{Kind: tag.Foreign}}
	}
	return tags
}

// returnedHolders returns the tags of a result that is a pointer to an object that
// may be a holder; nil if it may be something else.
func (l *lowerer) returnedHolders(callee *pointsto.Node, i int) []tag.Tag {
	if len(l.holders) == 0 {
		return nil
	}
	var found *isolate.Holder
	for _, b := range callee.Func.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for _, c := range l.Graph.PointsTo(callee, ret.Results[i]).Cells() {
			h := l.holders[c.Object]
			if h == nil || c.Path != "" || found != nil && found != h {
				return nil
			}
			found = h
		}
	}
	if found == nil {
		return nil
	}
	return []tag.Tag{l.holderTag(found, true), l.holderTag(found, false)}
}

// setHolders takes the holders for this round, without those of which it has turned
// out not to be evident what they are given.
func (l *lowerer) setHolders(bad map[*pointsto.Object]bool) {
	l.badHolders = maps.Clone(bad)
	l.holders, l.holdersByID = map[*pointsto.Object]*isolate.Holder{}, map[int]*isolate.Holder{}
	for o, h := range l.Stars.Holders {
		if !bad[o] {
			l.holders[o], l.holdersByID[o.ID] = h, h
		}
	}
}
