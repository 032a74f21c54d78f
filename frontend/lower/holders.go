package lower

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// Whether an object of the site of a holder holds the star is decided when it is
// made, and known of a pointer to it like what is known of pointers to stars.

// holderTags returns the tags that a pointer to such an object can have when that is made:
// whether it holds the star, and what its flags are; nil if it is none.
func (l *lowerer) holderTags(o *pointsto.Object) []tag.Tag {
	if o == nil {
		return nil
	}
	h, flags := l.holders[o], l.flagsOf(o.ID)
	if h == nil && len(flags) == 0 {
		return nil
	}
	all := []tag.Tag{{Kind: tag.Holder, Star: -1, Field: o.ID}}
	if h != nil {
		all = append([]tag.Tag{{Kind: tag.Holder, Star: h.Star, Field: o.ID}}, all...)
	}
	if len(flags) == 0 {
		return all
	}
	var with []tag.Tag
	for _, g := range all {
		for _, values := range flagValues(flags) {
			with = append(with, l.tags.With(g, values))
		}
	}
	return with
}

// flagValues returns the values that the flags of an object can have together.
func flagValues(flags []isolate.Flag) [][]tag.Tag {
	all := [][]tag.Tag{nil}
	for _, flag := range flags {
		values := []tag.Tag{tag.TruthTag(true), tag.TruthTag(false)}
		switch {
		case flag.Grows:
			values = []tag.Tag{{}}
		case flag.Store == nil:
			values = values[1:]
		}
		var next [][]tag.Tag
		for _, known := range all {
			for _, value := range values {
				next = append(next, append(slices.Clip(known), value))
			}
		}
		all = next
	}
	return all
}

// allocHolder lowers the allocation of an object that may become a holder; ok is
// false if it cannot.
func (l *lowerer) allocHolder(c *clone, s state, v *ssa.Alloc) (outcomes []outcome, ok bool) {
	tags := l.holderTags(l.Graph.ObjectAt(c.node, v))
	return l.results(s, v, tags), tags != nil
}

// fillsHolder tells whether the store can be executed in the state: the object that
// it initialises is the holder that it was taken for when it was made.
func (l *lowerer) fillsHolder(c *clone, v *ssa.Store, addr, stored tag.Tag) bool {
	if addr.Kind == tag.Holder && stored.Kind == tag.Truth {
		for i, flag := range l.flagsOf(addr.Field) {
			if flag.Store == v && !flag.Grows {
				return l.tags.Part(addr, i) == stored
			}
		}
	}
	h := l.holderOf(addr)
	if h == nil || v != h.Store {
		return true
	}
	if stored.Kind == tag.None && slices.ContainsFunc(l.choices.Unknown(c.node, v.Val), func(g tag.Tag) bool {
		return g.Kind == tag.Object && g.Star == h.Star
	}) {
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
	var found *pointsto.Object
	for _, b := range callee.Func.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for _, c := range l.Graph.PointsTo(callee, ret.Results[i]).Cells() {
			if c.Path != "" || found != nil && found != c.Object {
				return nil
			}
			found = c.Object
		}
	}
	return l.holderTags(found)
}

// flagAt returns what is loaded from a flag of an object.
func (l *lowerer) flagAt(load *ssa.UnOp, at tag.Tag) (g tag.Tag, ok bool) {
	for i, flag := range l.flagsOf(at.Field) {
		if flag.Path == at.Path && flag.Grows {
			return l.tags.Part(at, i), l.Rules.Use(rules.GrownFlags, l.isGrown(at, i))
		}
		if flag.Path == at.Path && (!isInConstructor(load.X) || flag.Store == nil || ssaflow.Precedes(flag.Store, load)) {
			return l.tags.Part(at, i), l.Rules.Use(rules.FrozenFlags, true)
		}
	}
	return tag.Tag{}, false
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
