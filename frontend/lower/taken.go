package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/ownership"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// Contents can be taken out of a field: buf := x.buf; x.buf = nil. From then on the
// field leads elsewhere, and who took them has them alone, but for those that had
// loaded the field before: they have read it, and the field has been written since, so
// that what they do to the contents now is found without an event of who took them.

// maxTaken bounds the locations of which it is followed whether they were replaced.
const maxTaken = 64

// takenBit is the bit of a location in state.replaced, 0 if it has none.
func (l *lowerer) takenBit(at isolate.Location) uint64 {
	if i := at.Star*len(l.Stars.Subject.Fields) + at.Field; i < maxTaken {
		return 1 << i
	}
	l.Rules.SwitchOff(rules.TakenContents)
	return 0
}

// replace returns the state after a store of something new to a field of a star: what
// was loaded from the field before is no contents of it any more.
func (l *lowerer) replace(c *clone, s state, v *ssa.Store, addr tag.Tag) state {
	if addr.Kind != tag.Object || s.private&modref.ObjectBit(addr.Star) != 0 || !ownership.IsEvidentlyNew(v) ||
		!ssaflow.IsPointerLike(v.Val.Type()) {
		return s
	}
	at := l.Stars.FieldsAt(addr.Star, addr.Path)
	if len(at) != 1 || addr.Path != pointsto.JoinPath(
		l.Stars.Stars[addr.Star].Path, l.Stars.Subject.Fields[at[0].Field]) || !l.owners.CanBeTaken(at[0]) {
		return s
	}
	return l.withoutContents(s, l.takenBit(at[0]), v.Val)
}

// withoutContents returns the state in which the locations have been replaced. The
// value, if there is one, is loaded or made after that.
func (l *lowerer) withoutContents(s state, replaced uint64, except ssa.Value) state {
	if replaced == 0 {
		return s
	}
	s.tags = s.tags.Map(func(v ssa.Value, g tag.Tag) tag.Tag {
		if g.Kind == tag.Contents && v != except && l.takenBit(isolate.Location{Star: g.Star, Field: g.Field})&replaced != 0 {
			l.Rules.Use(rules.TakenContents, true)
			return tag.Tag{Kind: tag.Foreign}
		}
		return g
	})
	s.replaced |= replaced
	return s
}
