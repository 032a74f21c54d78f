package lower

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/channel"
	"github.com/empire-go/empire-go/frontend/pointsto"
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
func (l *lowerer) ownWays(c *channel.Channel, g tag, op channel.Op, at ssa.Instruction, pos token.Pos) []way {
	other := []way{{}}
	if op == channel.Receive {
		other = []way{{ok: truthTag(true)}, {ok: truthTag(false)}}
	}
	switch g.kind {
	case foreign:
		return other
	case companion:
		return l.waysOn(c, g.star, op, at, l.Program.Position(pos))
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
	repeated := reachableFrom(p, func(q esl.Process) bool { return q.Copies > 1 })
	own := map[int]bool{}
	for key, index := range l.channels {
		own[index] = key.star >= 0
	}
	for index := range p.Channels {
		if own[index] && !isBalanced(p, index, repeated) {
			l.settle(p, repeated, index, map[esl.Op]esl.Op{esl.Receive: esl.Send, esl.Send: esl.Receive, esl.ReceiveClosed: esl.CloseChannel})
		}
	}
	for flag := range p.Flags {
		if l.ownFlags[flag] {
			l.settle(p, repeated, flag, map[esl.Op]esl.Op{esl.Await: esl.Set})
		}
	}
}

// isBalanced tells whether every repeated process takes back what it has put into the
// channel, or puts back what it has taken out, as from a lock: then it does for others
// what it does for itself.
func isBalanced(p *esl.Program, ch int, repeated []bool) bool {
	for f, body := range p.Functions {
		for _, st := range body.Body {
			if repeated[f] && st.Arg == ch && (st.Op == esl.CloseChannel || st.Op == esl.ReceiveClosed) {
				return false
			}
		}
	}
	if p.Channels[ch].Capacity == 0 {
		return false
	}
	for _, take := range []esl.Op{esl.Send, esl.Receive} {
		h := &holds{program: p, of: func(st esl.Stmt) effect {
			switch {
			case st.Arg != ch || st.Op != esl.Send && st.Op != esl.Receive:
				return keeps
			case st.Op == take:
				return takes
			}
			return releases
		}}
		if !h.arePassedOn(repeated) {
			return true
		}
	}
	return false
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
				orElse(&p.Functions[f], i, esl.Stmt{Op: esl.Skip, Pos: st.Pos})
			}
		}
	}
}

// orElse lets a function do something else in place of a statement.
func orElse(f *esl.Function, i int, other esl.Stmt) {
	st := f.Body[i]
	body := append(f.Body, esl.Stmt{Op: esl.Return})
	at := len(body)
	next := esl.Stmt{Op: esl.Goto, Targets: []int{i + 1}}
	f.Body = append(body, esl.Stmt{Op: esl.Choice, Targets: []int{at + 1, at + 3}}, st, next, other, next)
	f.Body[i] = esl.Stmt{Op: esl.Goto, Targets: []int{at}}
}
