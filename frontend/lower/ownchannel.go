package lower

import (
	"go/token"

	"github.com/empire-go/empire-go/frontend/channel"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/tag"
)

// Objects that are made again and again, as workers with a channel each, have channels of
// their own: those of the stars are modelled. An operation that may be on one of them, or
// on that of another object, does either.

// channelKey identifies a modelled channel: that of a star, or one that exists once.
type channelKey struct {
	object *pointsto.Object
	star   int // -1 if none
}

// ownWays is channelWays on a channel that each object of the checked type has one of,
// where g is what is known of which one it is.
func (l *lowerer) ownWays(c *channel.Channel, g tag.Tag, op channel.Op, pos token.Pos) []way {
	other := []way{{}}
	if op == channel.Receive {
		other = []way{{ok: tag.TruthTag(true)}, {ok: tag.TruthTag(false)}}
	}
	switch g.Kind {
	case tag.Foreign:
		return other
	case tag.Companion:
		return l.waysOn(c, g.Star, op, l.Program.Position(pos))
	}
	l.assume("channel", pos, "this operation may be on the channel of one object or another")
	for _, own := range l.Stars.CompanionsAt(c.Object) {
		other = append(other, l.waysOn(c, own.Star, op, l.Program.Position(pos))...)
	}
	return other
}

// closedFlag returns the flag that says that a channel is closed, of which nothing else
// is modelled.
func (l *lowerer) closedFlag(c *channel.Channel, star int) int {
	flag := l.flag("closed_" + l.channelName(c, star))
	l.signals[flag] = true
	return flag
}
