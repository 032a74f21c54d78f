package lower

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// An object of another type that gets a star as one of its fields when it is made,
// and keeps it, is a holder: a worker with a buffer of its own. Whether an object of
// such a site holds the star is decided when it is made, and known of a pointer to
// it like what is known of pointers to stars.

// holderField is a field of the objects of one site that may hold a star.
type holderField struct {
	object *pointsto.Object
	path   string
	star   int
	store  *ssa.Store // the only one to the field, where the object is made
}

// findHolders returns the holder fields of the program, one for each object at
// most. Those in bad are left out: what they are given is not evident.
func (l *lowerer) findHolders(bad map[*pointsto.Object]bool) map[*pointsto.Object]*holderField {
	holders := map[*pointsto.Object]*holderField{}
	for k, star := range l.Stars.Stars {
		if star.Single {
			continue
		}
		for _, n := range l.Graph.Nodes() {
			for _, b := range n.Func.Blocks {
				for _, instr := range b.Instrs {
					if h := l.holderAt(n, instr, k); h != nil && holders[h.object] == nil && !bad[h.object] {
						holders[h.object] = h
					}
				}
			}
		}
	}
	if len(holders) > 0 {
		l.dropRewritten(holders)
	}
	return holders
}

// holderAt returns the holder field that the instruction initialises with a value
// that may be star k, nil if it does no such thing.
func (l *lowerer) holderAt(n *pointsto.Node, instr ssa.Instruction, k int) *holderField {
	store, ok := instr.(*ssa.Store)
	if !ok || !isPointerLike(store.Val.Type()) {
		return nil
	}
	made, path := allocOfField(store.Addr)
	if made == nil || path == "" || made.Block() != store.Block() || isUsedBefore(made, store) {
		return nil
	}
	object := l.Graph.ObjectAt(n, made)
	if object == nil || len(l.Stars.Regions(object)) > 0 || len(l.Stars.StarsAt(pointsto.Cell{Object: object})) > 0 {
		return nil
	}
	for _, c := range l.Graph.PointsTo(n, store.Val).Cells() {
		if slices.Contains(l.Stars.StarsAt(c), k) && c.Path == l.Stars.Stars[k].Path {
			return &holderField{object, path, k, store}
		}
	}
	return nil
}

// allocOfField returns the allocation whose field the address is, and the path of
// the field in it.
func allocOfField(address ssa.Value) (*ssa.Alloc, string) {
	path := ""
	for {
		switch v := address.(type) {
		case *ssa.FieldAddr:
			path = pointsto.JoinPath(fieldName(v.X.Type(), v.Field), path)
			address = v.X
		case *ssa.Alloc:
			return v, path
		default:
			return nil, ""
		}
	}
}

// isUsedBefore tells whether an instruction between the allocation and the store, in
// their block, does anything with the object but fill its fields.
func isUsedBefore(made *ssa.Alloc, store *ssa.Store) bool {
	var operands []*ssa.Value
	for _, instr := range made.Block().Instrs {
		if instr == ssa.Instruction(store) {
			return false
		}
		if _, isField := instr.(*ssa.FieldAddr); isField {
			continue
		}
		operands = instr.Operands(operands[:0])
		for _, o := range operands {
			if *o == ssa.Value(made) {
				return true
			}
			if field, ok := (*o).(*ssa.FieldAddr); ok {
				filled, isStore := instr.(*ssa.Store)
				if of, _ := allocOfField(field); of == made && (!isStore || filled.Val == *o) {
					return true
				}
			}
		}
	}
	return true
}

// dropRewritten removes the fields that another store may write to.
func (l *lowerer) dropRewritten(holders map[*pointsto.Object]*holderField) {
	for _, n := range l.Graph.Nodes() {
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				store, ok := instr.(*ssa.Store)
				if !ok || !fresh.HoldsPointers(store.Val.Type()) {
					continue
				}
				for _, c := range l.Graph.PointsTo(n, store.Addr).Cells() {
					if h := holders[c.Object]; h != nil && store != h.store && (pointsto.IsWithin(h.path, c.Path) || pointsto.IsWithin(c.Path, h.path)) {
						delete(holders, c.Object)
					}
				}
			}
		}
	}
}

// holderTag returns the tag of a pointer to an object that holds the star, or does
// not.
func (l *lowerer) holderTag(h *holderField, holds bool) tag {
	g := tag{kind: holder, star: -1, field: h.object.ID}
	if holds {
		g.star = h.star
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
	return l.results(s, v, []tag{l.holderTag(h, true), l.holderTag(h, false)}), true
}

// fillsHolder tells whether the store can be executed in the state: the object that
// it initialises is the holder that it was taken for when it was made.
func (l *lowerer) fillsHolder(c *clone, v *ssa.Store, addr, stored tag) bool {
	h := l.holderOf(addr)
	if h == nil || v != h.store {
		return true
	}
	if stored.kind == none && slices.ContainsFunc(l.unknown(c.node, v.Val), func(g tag) bool { return g.kind == object && g.star == h.star }) {
		l.badHolders[h.object] = true
		l.lost = true
		return true
	}
	isStar := stored.kind == object && stored.star == h.star && stored.path == l.Stars.Stars[h.star].Path
	return isStar == (addr.star >= 0)
}

// holderOf returns the field that a tag of kind holder is about, nil for others.
func (l *lowerer) holderOf(g tag) *holderField {
	if g.kind != holder {
		return nil
	}
	return l.holdersByID[g.field]
}

// held returns the tags of what is loaded from a place in a holder.
func (l *lowerer) held(c *clone, v ssa.Value, g tag) []tag {
	tags := l.unknown(c.node, v)
	h := l.holderOf(g)
	if h == nil || g.path != h.path {
		return tags
	}
	star := tag{kind: object, star: h.star, path: l.Stars.Stars[h.star].Path}
	if g.star >= 0 {
		return []tag{star}
	}
	tags = slices.DeleteFunc(slices.Clone(tags), func(g tag) bool { return g.kind == object && g.star == h.star })
	if len(tags) == 0 {
		return []tag{{kind: foreign}}
	}
	return tags
}

// returnedHolders returns the tags of a result that is a pointer to an object that
// may be a holder; nil if it may be something else.
func (l *lowerer) returnedHolders(callee *pointsto.Node, i int) []tag {
	if len(l.holders) == 0 {
		return nil
	}
	var found *holderField
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
	return []tag{l.holderTag(found, true), l.holderTag(found, false)}
}

// setHolders finds the holder fields for this round.
func (l *lowerer) setHolders(bad map[*pointsto.Object]bool) {
	l.badHolders = maps.Clone(bad)
	l.holders, l.holdersByID = l.findHolders(bad), map[int]*holderField{}
	for o, h := range l.holders {
		l.holdersByID[o.ID] = h
	}
}
