package tag

import (
	"context"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Holders is what is known of objects that others are told apart by: whether an object of the
// site of a holder (isolate.Holder) holds the star, and what its flags are, booleans that are not
// changed once others can reach the object (isolate.Flag). Both are decided when the object is
// made, and known of a pointer to it like what is known of pointers to stars.
type Holders struct {
	*Choices
	ctx  context.Context
	bad  map[*pointsto.Object]bool            // see Drop
	all  map[*pointsto.Object]*isolate.Holder // without those that were bad at Begin
	byID map[int]*isolate.Holder

	frozen *isolate.Frozen // of the stars; nil until it is asked for
	flags  *isolate.Flags  // of other objects; nil until they are asked for
}

// NewHolders returns the facts, of which none is found out before it is asked for.
func NewHolders(ctx context.Context, choices *Choices) *Holders {
	return &Holders{Choices: choices, ctx: ctx, bad: map[*pointsto.Object]bool{}}
}

// Drop notes that it is not evident what a holder is given. It counts from the next Begin on.
func (l *Holders) Drop(h *isolate.Holder) { l.bad[h.Object] = true }

// Begin takes all holders, without those that were dropped.
func (l *Holders) Begin() {
	l.all, l.byID = map[*pointsto.Object]*isolate.Holder{}, map[int]*isolate.Holder{}
	for o, h := range l.Stars.Holders {
		if !l.bad[o] {
			l.all[o], l.byID[o.ID] = h, h
		}
	}
}

// Flags returns the flags of an object, by its ID.
func (l *Holders) Flags(id int) []isolate.Flag {
	if l.flags == nil {
		l.flags = l.Stars.FindFlags(l.ctx)
	}
	return l.flags.Of(id)
}

// TagsOf returns the tags that a pointer to such an object can have when that is made:
// whether it holds the star, and what its flags are; nil if it is none.
func (l *Holders) TagsOf(o *pointsto.Object) []Tag {
	if o == nil {
		return nil
	}
	h, flags := l.all[o], l.Flags(o.ID)
	if h == nil && len(flags) == 0 {
		return nil
	}
	all := []Tag{{Kind: Holder, Star: -1, Field: o.ID}}
	if h != nil {
		all = append([]Tag{{Kind: Holder, Star: h.Star, Field: o.ID}}, all...)
	}
	if len(flags) == 0 {
		return all
	}
	var with []Tag
	for _, g := range all {
		for _, values := range flagValues(flags) {
			with = append(with, l.tags.With(g, values))
		}
	}
	return with
}

// flagValues returns the values that the flags of an object can have together.
func flagValues(flags []isolate.Flag) [][]Tag {
	all := [][]Tag{nil}
	for _, flag := range flags {
		values := []Tag{TruthTag(true), TruthTag(false)}
		switch {
		case flag.Grows:
			values = []Tag{{}}
		case flag.Store == nil:
			values = values[1:]
		}
		all = Combine(all, values)
	}
	return all
}

// Fills tells whether a store can be executed where the tags of its address and of what is stored
// are these: the object that it initialises is the holder that it was taken for when it was made.
// Evident is false if it cannot be told what the holder is given.
func (l *Holders) Fills(n *pointsto.Node, v *ssa.Store, addr, stored Tag) (fills, evident bool) {
	if addr.Kind == Holder && stored.Kind == Truth {
		for i, flag := range l.Flags(addr.Field) {
			if flag.Store == v && !flag.Grows {
				return l.tags.Part(addr, i) == stored, true
			}
		}
	}
	h := l.HolderOf(addr)
	if h == nil || v != h.Store {
		return true, true
	}
	if stored.Kind == None && slices.ContainsFunc(l.Unknown(n, v.Val), func(g Tag) bool {
		return g.Kind == Object && g.Star == h.Star
	}) {
		return true, false
	}
	isStar := stored.Kind == Object && stored.Star == h.Star && stored.Path == l.Stars.Stars[h.Star].Path
	return isStar == (addr.Star >= 0), true
}

// HolderOf returns the field that a tag of kind holder is about, nil for others.
func (l *Holders) HolderOf(g Tag) *isolate.Holder {
	if g.Kind != Holder {
		return nil
	}
	return l.byID[g.Field]
}

// Held returns the tags of what is loaded from a place in a holder.
func (l *Holders) Held(n *pointsto.Node, v ssa.Value, g Tag) []Tag {
	tags := l.Unknown(n, v)
	h := l.HolderOf(g)
	if h == nil || g.Path != h.Path {
		return tags
	}
	star := Tag{Kind: Object, Star: h.Star, Path: l.Stars.Stars[h.Star].Path}
	if g.Star >= 0 {
		return []Tag{star}
	}
	tags = slices.DeleteFunc(slices.Clone(tags), func(g Tag) bool { return g.Kind == Object && g.Star == h.Star })
	if len(tags) == 0 {
		return []Tag{{Kind: Foreign}}
	}
	return tags
}

// returnedHolders returns the tags of a result that is a pointer to an object that
// may be a holder; nil if it may be something else.
func (l *Holders) returnedHolders(callee *pointsto.Node, i int) []Tag {
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
	return l.TagsOf(found)
}

// FlagAt returns what is loaded from a flag of an object.
func (l *Holders) FlagAt(load *ssa.UnOp, at Tag) (g Tag, ok bool) {
	for i, flag := range l.Flags(at.Field) {
		if flag.Path == at.Path && flag.Grows {
			return l.tags.Part(at, i), l.Rules.Use(rules.GrownFlags, l.IsGrown(at, i))
		}
		if flag.Path == at.Path && (!ssaflow.IsFieldOfLocal(load.X) || flag.Store == nil ||
			ssaflow.Precedes(flag.Store, load)) {
			return l.tags.Part(at, i), l.Rules.Use(rules.FrozenFlags, true)
		}
	}
	return Tag{}, false
}
