package lower

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// known returns the tag, or what the points-to set says if it is none.
func (l *lowerer) known(c *clone, v ssa.Value, g tag.Tag) []tag.Tag {
	if g.Kind != tag.None {
		return []tag.Tag{g}
	}
	return l.choices.Unknown(c.node, v)
}

// tagOf returns the tag of an operand.
func (l *lowerer) tagOf(c *clone, s state, v ssa.Value) tag.Tag {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value != nil && v.Value.Kind() == constant.Bool {
			return tag.TruthTag(constant.BoolVal(v.Value))
		}
		if _, isChan := v.Type().Underlying().(*types.Chan); isChan {
			return tag.Tag{Kind: tag.ChannelOf, Field: -1}
		}
		return tag.Tag{}
	case *ssa.Function:
		return l.choices.Closure(v, nil)
	case *ssa.Global:
		for k, star := range l.Stars.Stars {
			for o := range star.Objects {
				if o.Site == v {
					return tag.Tag{Kind: tag.Object, Star: k, Path: l.Stars.PathOf(k, pointsto.Cell{Object: o})}
				}
			}
		}
		return tag.Tag{}
	}
	if g := s.tags.Of(v); g.Kind != tag.Key {
		return g
	}
	return tag.Tag{} // see carried
}

// derived returns the tag of a value computed from one operand without a choice.
func (l *lowerer) derived(c *clone, s state, v ssa.Value) tag.Tag {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		g := l.tagOf(c, s, v.X)
		switch g.Kind {
		case tag.Object:
			return l.choices.Within(g, modref.FieldName(v.X.Type(), v.Field))
		case tag.Foreign:
			if g == (tag.Tag{Kind: tag.Foreign}) {
				return g
			}
			fallthrough
		case tag.Holder, tag.Companion:
			g.Path = pointsto.JoinPath(g.Path, modref.FieldName(v.X.Type(), v.Field))
		case tag.Contents:
			if !l.LeadsTo(c.node, v, isolate.Location{Star: g.Star, Field: g.Field}) {
				return tag.Tag{} // of what guards itself
			}
		}
		return g
	case *ssa.Slice:
		g := l.tagOf(c, s, v.X)
		if g.Kind == tag.Holder || g.Kind == tag.Companion {
			return tag.Tag{}
		}
		if g.Kind == tag.Object && !l.choices.IsAround(g) { // of an array inside the star
			if l.Races {
				return g // it is the array, not what a field leads to
			}
			if fields := l.Stars.FieldsAt(g.Star, g.Path); len(fields) > 0 {
				return tag.Tag{Kind: tag.Contents, Star: g.Star, Field: fields[0].Field}
			}
			return tag.Tag{}
		}
		return g
	case *ssa.MakeChan:
		return l.made(c, v)
	case *ssa.ChangeType:
		return l.carried(c, s, v.X)
	case *ssa.ChangeInterface:
		if g := l.carried(c, s, v.X); g.Kind != tag.Nilness {
			return g
		}
		return tag.Tag{}
	case *ssa.MakeInterface:
		return l.carried(c, s, v.X)
	case *ssa.Convert:
		return l.tagOf(c, s, v.X)
	case *ssa.SliceToArrayPointer:
		return l.tagOf(c, s, v.X)
	}
	return tag.Tag{}
}

// fieldOf returns the tag of a field of a struct value.
func (l *lowerer) fieldOf(c *clone, s state, v *ssa.Field) tag.Tag {
	g := l.tagOf(c, s, v.X)
	if g.Kind != tag.Value {
		return tag.Tag{}
	}
	g.Path = pointsto.JoinPath(g.Path, modref.FieldName(v.X.Type(), v.Field))
	if _, isStruct := v.Type().Underlying().(*types.Struct); isStruct {
		return g
	}
	if companion, ok := l.companionAt(c, v, g); ok {
		return companion
	}
	if fields := l.Stars.FieldsAt(g.Star, g.Path); len(fields) > 0 &&
		l.LeadsTo(c.node, v, isolate.Location{Star: g.Star, Field: fields[0].Field}) {
		return tag.Tag{Kind: tag.Contents, Star: g.Star, Field: fields[0].Field}
	}
	return tag.Tag{}
}

// loaded returns the tags that a value loaded through an address with tag g can
// have.
func (l *lowerer) loaded(c *clone, v ssa.Value, g tag.Tag) []tag.Tag {
	if g.Kind == tag.Cell {
		return l.known(c, v, l.tags.Part(g, 0))
	}
	if _, isStruct := v.Type().Underlying().(*types.Struct); isStruct {
		if g.Kind == tag.Object {
			return []tag.Tag{{Kind: tag.Value, Star: g.Star, Path: g.Path}}
		}
		return []tag.Tag{{}}
	}
	if g.Kind == tag.Holder {
		return l.holders.Held(c.node, v, g)
	}
	if tag.IsOfMembers(g) {
		return l.choices.MembersIn(l.choices.Unknown(c.node, v), g)
	}
	if owner := l.choices.OwnerAt(v, g); owner.Kind != tag.None {
		return []tag.Tag{owner}
	}
	tags := l.choices.Unknown(c.node, v)
	if len(tags) != 1 || tags[0].Kind != tag.None {
		return tags // it can be a star itself
	}
	switch g.Kind {
	case tag.Companion:
		if inner, ok := l.choices.CompanionIn(g); ok {
			return []tag.Tag{{Kind: tag.Companion, Star: g.Star, Field: inner.Object.ID}}
		}
	case tag.Object:
		if companion, ok := l.companionAt(c, v, g); ok {
			return []tag.Tag{companion}
		}
		if l.keys.IsLockSlice(g.Star, g.Path) {
			return []tag.Tag{g}
		}
		for _, at := range l.Stars.FieldsAt(g.Star, l.ofAnyElement(g.Path)) {
			if l.LeadsTo(c.node, v, at) {
				return []tag.Tag{{Kind: tag.Contents, Star: at.Star, Field: at.Field, Path: l.keys.Led(at.Field, g.Path)}}
			}
		}
	case tag.Contents:
		if l.LeadsTo(c.node, v, isolate.Location{Star: g.Star, Field: g.Field}) {
			g.Path = l.keys.Led(g.Field, g.Path)
			return []tag.Tag{g}
		}
	case tag.Foreign:
		if l.keys.IsOwn(v) || l.LeadsToCompanion(c.node, v) || l.LeadsOnlyToOwned(c.node, v) && !l.IsFromOthers(c.node, v) {
			return []tag.Tag{{Kind: tag.Foreign}} // contents of an object that is not the star
		}
	case tag.None:
		if l.IsOthersOwn(c.node, v) {
			return []tag.Tag{{Kind: tag.Foreign}}
		}
	}
	return tags
}

// isOtherThan tells whether edge i of a phi is an object that is no star, and leads to nothing of
// one, while the phi may be one, as the head of a list is none of the nodes behind it.
func (l *lowerer) isOtherThan(c *clone, s state, phi *ssa.Phi, i int) bool {
	if !ssaflow.IsPointerLike(phi.Type()) || l.tagOf(c, s, phi.Edges[i]).Kind != tag.None {
		return false
	}
	return ssaflow.Remember(l.others, phiEdge{c.node, phi, i}, func() bool {
		return l.choices.Unknown(c.node, phi)[0].Kind == tag.Object && l.choices.IsOther(c.node, phi.Edges[i])
	})
}

// phiEdge is an edge of a phi of a call-graph node.
type phiEdge struct {
	node *pointsto.Node
	phi  *ssa.Phi
	edge int
}
