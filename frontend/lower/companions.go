package lower

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/lockset"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/order"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// companionAt returns the tag of what is loaded from, or copied out of, the field of
// a star that holds its companion.
func (l *lowerer) companionAt(c *clone, v ssa.Value, g tag.Tag) (tag.Tag, bool) {
	known, ok := l.Stars.CompanionAt(g.Star, g.Path)
	if !ok || !slices.Contains(l.Graph.PointsTo(c.node, v).Objects(), known.Object) {
		return tag.Tag{}, false
	}
	return tag.Tag{Kind: tag.Companion, Star: g.Star, Field: known.Object.ID}, true
}

// companionLock returns the key of the lock that a pointer into a companion points
// to.
func (l *lowerer) companionLock(c *clone, g tag.Tag, receiver ssa.Value) (key lockKey, ok bool) {
	for _, cell := range l.Graph.PointsTo(c.node, receiver).Cells() {
		if cell.Object.ID != g.Field || cell.Path != g.Path {
			continue
		}
		if l.Kept.Locks[cell] {
			return lockKey{star: -1, cell: cell}, true
		}
		return lockKey{star: g.Star, cell: cell}, !strings.Contains(g.Path, "[]")
	}
	return lockKey{}, false
}

// companionOfCond returns the lock of a condition variable, in a star or its companion, that
// has a lock that is a companion; g is the tag of the field.
func (l *lowerer) companionOfCond(g tag.Tag) (lock int, ok bool) {
	inner, ok := l.Stars.CompanionAt(g.Star, pointsto.JoinPath(g.Path, "L"))
	if !ok {
		return 0, false
	}
	key := lockKey{star: g.Star, cell: pointsto.Cell{Object: inner.Object}}
	if l.Kept.Locks[key.cell] {
		key.star = -1
	}
	return l.lockIndex(key, lockset.KindOf(inner.Object.Type)), !l.ambiguous[key]
}

// stepTogether lowers the making of memory that has companions, or of one of these: nil if it is none. With the first
// of them it is decided whether they are the star and its companions.
func (l *lowerer) stepTogether(c *clone, s state, instr ssa.Instruction) []outcome {
	v := ssaflow.AsValue(instr)
	at := slices.Index(l.together, v)
	if v == nil || at < 0 {
		return nil
	}
	if at > 0 {
		g := s.tags.Of(v)
		if g.Kind == tag.Object {
			s.private |= modref.ObjectBit(g.Star) | modref.ContentsBit(g.Star)
		}
		return one(nil, s.with(v, g))
	}
	yes, no := s, s
	for _, w := range l.together {
		o := l.Graph.ObjectAt(c.node, w)
		if w != l.Stars.Subject.Local {
			yes = yes.with(w, tag.Tag{Kind: tag.Companion, Field: o.ID})
			no = no.with(w, tag.Tag{Kind: tag.Foreign})
			continue
		}
		yes = yes.with(w, tag.Tag{Kind: tag.Object, Path: l.Stars.PathOf(0, pointsto.Cell{Object: o})})
		no = no.with(w, tag.Tag{Kind: tag.Foreign})
	}
	if v == l.Stars.Subject.Local {
		yes.private |= modref.ObjectBit(0) | modref.ContentsBit(0)
	}
	return []outcome{{[]esl.Stmt{l.takeToken(0, instr)}, yes}, {nil, no}}
}

// stepMake lowers the making of a map or slice that is the watched memory, of which there may be others: nil if it is
// none.
func (l *lowerer) stepMake(c *clone, s state, instr ssa.Instruction) []outcome {
	v := ssaflow.AsValue(instr)
	if v == nil || v != l.Stars.Subject.Local || l.Stars.Stars[0].Single {
		return nil
	}
	switch v.(type) {
	case *ssa.MakeMap, *ssa.MakeSlice:
		return []outcome{l.makesStar(c, outcome{state: s}, v, instr), {nil, s.with(v, tag.Tag{Kind: tag.Foreign})}}
	}
	return nil
}

// makesStar returns an outcome in which the value is the star, which is memory that a function makes.
func (l *lowerer) makesStar(c *clone, o outcome, v ssa.Value, at ssa.Instruction) outcome {
	path := l.Stars.PathOf(0, pointsto.Cell{Object: l.Graph.ObjectAt(c.node, v)})
	s := o.state.with(v, tag.Tag{Kind: tag.Object, Path: path})
	s.private |= modref.ObjectBit(0) | modref.ContentsBit(0)
	return outcome{append(o.stmts[:len(o.stmts):len(o.stmts)], l.takeToken(0, at)), s}
}

// appended returns the outcomes of a call of append whose new array is the star, or may be: else what it returns is
// what it was handed.
func (l *lowerer) appended(c *clone, all []outcome, v, handed ssa.Value, at ssa.Instruction) []outcome {
	if v == nil || v != l.Stars.Subject.Local || l.Stars.Stars[0].Single {
		return all
	}
	isOther := !slices.ContainsFunc(l.Graph.PointsTo(c.node, handed).Cells(), func(cell pointsto.Cell) bool {
		return len(l.Stars.StarsAt(cell)) > 0
	})
	var made []outcome
	for _, o := range all {
		made = append(made, l.makesStar(c, o, v, at))
		if isOther {
			o.state = o.state.with(v, tag.Tag{Kind: tag.Foreign})
		}
		made = append(made, o)
	}
	return made
}

// isStartedFor tells whether a goroutine that begins with such arguments is one that the own group of the star waits
// for: it has the group at hand; or it is started by the group, and has something of the star.
func (l *lowerer) isStartedFor(args tag.Tag, byGroup bool, group *order.JoinGroup) bool {
	switch args.Kind {
	case tag.Companion:
		return byGroup || args.Field == group.Cell.Object.ID
	case tag.Object:
		return byGroup
	}
	return slices.ContainsFunc(l.tags.Parts(args), func(g tag.Tag) bool { return l.isStartedFor(g, byGroup, group) })
}
