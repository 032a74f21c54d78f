package lower

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/channel"
	"github.com/empire-go/empire-go/frontend/notes"
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
func (l *lowerer) ownWays(c *channel.Channel, g tag.Tag, op channel.Op, at ssa.Instruction, pos token.Pos) []way {
	other := []way{{}}
	if op == channel.Receive {
		other = []way{{ok: tag.TruthTag(true)}, {ok: tag.TruthTag(false)}}
	}
	switch g.Kind {
	case tag.Foreign:
		return other
	case tag.Companion:
		return l.waysOn(c, g.Star, op, at, l.Program.Position(pos))
	}
	l.assume("channel", pos, "this operation may be on the channel of one object or another")
	for _, own := range l.Stars.CompanionsAt(c.Object) {
		other = append(other, l.waysOn(c, own.Star, op, at, l.Program.Position(pos))...)
	}
	return other
}

// closedFlag returns the flag that says that a channel is closed, of which nothing else
// is modelled.
func (l *lowerer) closedFlag(c *channel.Channel, star int) int {
	flag := l.flag("closed_" + l.channelName(c, star))
	if star >= 0 {
		l.ownFlags[flag] = true
	}
	return flag
}

// settleOwnChannels finds out which operations on the channels of stars are executed by
// processes of which the model has only a few: what a goroutine that it does not have
// does, may have been done at any time, so that its partner goes on without it. (For
// other channels, it is known before.)
func (l *lowerer) settleOwnChannels(p *esl.Program) {
	repeated := notes.ReachableFrom(p, func(q esl.Process) bool { return q.Copies > 1 })
	own := map[int]bool{}
	for key, index := range l.channels {
		own[index] = key.star >= 0
	}
	for index := range p.Channels {
		if own[index] && !notes.IsBalanced(p, index, repeated) {
			l.settle(p, repeated, index, map[esl.Op]esl.Op{esl.Receive: esl.Send, esl.Send: esl.Receive, esl.ReceiveClosed: esl.CloseChannel})
		}
	}
	for flag := range p.Flags {
		if l.ownFlags[flag] {
			l.settle(p, repeated, flag, map[esl.Op]esl.Op{esl.Await: esl.Set})
		}
	}
}

// settle lets the operations on something pass whose partners a repeated process executes.
func (l *lowerer) settle(p *esl.Program, repeated []bool, arg int, partners map[esl.Op]esl.Op) {
	loose := map[esl.Op]bool{}
	for f, body := range p.Functions {
		for _, st := range body.Body {
			for op, partner := range partners {
				if repeated[f] && st.Op == partner && st.Arg == arg {
					loose[op] = true
				}
			}
		}
	}
	for f := range p.Functions {
		for i, st := range p.Functions[f].Body {
			if st.Arg == arg && loose[st.Op] {
				notes.OrElse(&p.Functions[f], i, esl.Stmt{Op: esl.Skip, Pos: st.Pos})
			}
		}
	}
}
