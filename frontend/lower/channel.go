package lower

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/channel"
	"github.com/empire-go/empire-go/frontend/order"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// way is one way in which an operation on a channel can go.
type way struct {
	stmts []esl.Stmt
	ok    tag.Tag // of a receive: whether it got a value, if that is known
}

// channelWays returns the ways in which an operation on a channel can go; none if
// it waits for ever. Of a channel that is not modelled every result is possible.
func (l *lowerer) channelWays(c *clone, s state, op channel.Op, value ssa.Value, at ssa.Instruction,
	pos token.Pos) []way {
	if ways, ok := l.doneWays(c.node, value, at); ok {
		return ways
	}
	objects := l.Graph.PointsTo(c.node, value).Objects()
	g := l.tagOf(c, s, value)
	if g.Kind == tag.ChannelOf || g.Kind == tag.Companion {
		if g.Field < 0 {
			return nil // a nil channel
		}
		objects = slices.DeleteFunc(objects, func(o *pointsto.Object) bool { return o.ID != g.Field })
	}
	if len(objects) == 1 {
		if join := l.happensBefore.Channels[objects[0]]; join != nil {
			l.Rules.Use(rules.ChannelJoins, true)
			return []way{l.joinWay(join, op, l.Program.Position(pos))}
		}
	}
	unmodelled := len(objects) == 0
	var all []way
	for _, o := range objects {
		switch modelled := l.Kept.Channels[o]; {
		case modelled == nil:
			unmodelled = true
		case modelled.Own:
			all = append(all, l.ownWays(modelled, g, op, pos)...)
		default:
			all = append(all, l.waysOn(modelled, -1, op, l.Program.Position(pos))...)
		}
	}
	if unmodelled {
		l.assume("channel", pos, "this operation never waits, whatever others do: %s", whyUnmodelled(objects))
		all = append(all, way{})
	}
	return all
}

// whyUnmodelled says why a channel orders nothing.
func whyUnmodelled(objects []*pointsto.Object) string {
	if len(objects) == 0 {
		return "which channel it is on is not known"
	}
	return "the channel may be one of several, or is used outside the program"
}

// maxCounted bounds the capacity of channels of which it is counted how many values they hold.
const maxCounted = 8

// waysOn is channelWays on one modelled channel, that of a star if star is not -1.
func (l *lowerer) waysOn(c *channel.Channel, star int, op channel.Op, pos esl.Pos) []way {
	does := func(op esl.Op, arg int, ok bool) way {
		return way{[]esl.Stmt{{Op: op, Arg: arg, Pos: pos}}, tag.TruthTag(ok)}
	}
	counted := c.Capacity >= 0 && c.Capacity <= maxCounted && c.Has(channel.Send)
	var all []way
	switch op {
	case channel.Send:
		if !counted {
			return []way{{ok: tag.TruthTag(true)}}
		}
		return []way{does(esl.Send, l.channel(c, star), true)}
	case channel.Close:
		if counted {
			return []way{does(esl.CloseChannel, l.channel(c, star), true)}
		}
		return []way{does(esl.Set, l.closedFlag(c, star), true)}
	case channel.Receive:
		if counted {
			all = append(all, does(esl.Receive, l.channel(c, star), true))
		} else if c.Has(channel.Send) {
			all = append(all, way{ok: tag.TruthTag(true)})
		}
		switch {
		case !c.Has(channel.Close):
		case counted:
			all = append(all, does(esl.ReceiveClosed, l.channel(c, star), false))
		default:
			all = append(all, does(esl.Await, l.closedFlag(c, star), false))
		}
	}
	return all
}

// joinWay is channelWays for a channel by which goroutines are waited for.
func (l *lowerer) joinWay(join *order.ChannelJoin, op channel.Op, pos esl.Pos) way {
	switch {
	case op != channel.Receive:
		return way{stmts: []esl.Stmt{{Op: esl.Done, Pos: pos}}}
	case len(join.Exits) > 0:
		return way{} // the loop around it is the join
	}
	return way{stmts: []esl.Stmt{{Op: esl.Join, Arg: -1 - join.Group.Index, Pos: pos}}}
}

// channel returns the index of the channel in the model.
func (l *lowerer) channel(c *channel.Channel, star int) int {
	key := channelKey{c.Object, star}
	index, known := l.channels[key]
	if !known {
		index = len(l.channelList)
		l.channels[key] = index
		l.channelList = append(l.channelList, esl.Channel{
			Name: l.channelName(c, star), Capacity: c.Capacity, Pos: l.Program.Position(c.Object.Site.Pos()),
		})
	}
	return index
}

// channelName returns a name for the channel that no other one has.
func (l *lowerer) channelName(c *channel.Channel, star int) string {
	key := channelKey{c.Object, star}
	name, known := l.channelNames[key]
	if !known {
		base := order.VariableOf(c.Object.Site)
		if star >= 0 {
			base = l.Stars.Stars[star].Name + "." + base
		}
		taken := slices.Collect(maps.Values(l.channelNames))
		name = base
		for i := 2; slices.Contains(taken, name); i++ {
			name = fmt.Sprintf("%s_%d", base, i)
		}
		l.channelNames[key] = name
	}
	return name
}

// made returns the tag of a channel that is made: of a modelled one, which it is.
func (l *lowerer) made(c *clone, v *ssa.MakeChan) tag.Tag {
	if o := l.Graph.ObjectAt(c.node, v); l.Kept.Channels[o] != nil && !l.Kept.Channels[o].Own {
		return tag.Tag{Kind: tag.ChannelOf, Field: o.ID}
	}
	return tag.Tag{}
}

// stepSend lowers a send.
func (l *lowerer) stepSend(c *clone, s state, v *ssa.Send) []outcome {
	s.private &^= l.escaping(c, s, v.X)
	return fork(l.channelWays(c, s, channel.Send, v.Chan, v, v.Pos()), s)
}

// closeCall lowers a call of close.
func (l *lowerer) closeCall(c *clone, s state, at ssa.CallInstruction) []outcome {
	return fork(l.channelWays(c, s, channel.Close, at.Common().Args[0], at, at.Pos()), s)
}

// fork returns an outcome for each way.
func fork(ways []way, s state) []outcome {
	var all []outcome
	for _, w := range ways {
		all = append(all, outcome{w.stmts, s})
	}
	return all
}

// stepReceive lowers a receive.
func (l *lowerer) stepReceive(c *clone, s state, v *ssa.UnOp) []outcome {
	var all []outcome
	for _, w := range l.channelWays(c, s, channel.Receive, v.X, v, v.Pos()) {
		if v.CommaOk {
			all = append(all, outcome{w.stmts, s.with(v, l.tags.Compose(tag.Tuple, []tag.Tag{{}, w.ok}))})
			continue
		}
		for _, g := range l.choices.Unknown(c.node, v) {
			all = append(all, outcome{w.stmts, s.with(v, g)})
		}
	}
	return all
}

// stepSelect lowers a select statement: each of its cases begins with the
// operation. A default is possible at any time.
func (l *lowerer) stepSelect(c *clone, s state, v *ssa.Select) []outcome {
	for _, st := range v.States {
		if st.Send != nil {
			s.private &^= l.escaping(c, s, st.Send)
		}
	}
	var all []outcome
	add := func(w way, index int) {
		all = append(all, outcome{w.stmts, s.with(v, l.tags.Compose(tag.Tuple, []tag.Tag{tag.NumberTag(index), w.ok}))})
	}
	for i, st := range v.States {
		op := channel.Receive
		if st.Dir == types.SendOnly {
			op = channel.Send
		}
		for _, w := range l.channelWays(c, s, op, st.Chan, v, st.Pos) {
			add(w, i)
		}
	}
	if !v.Blocking {
		add(way{}, -1)
	}
	return all
}

// compared returns what is known of the comparison of a known integer with a
// constant, or of a value with nil, as a tag.
func (l *lowerer) compared(c *clone, s state, v *ssa.BinOp) tag.Tag {
	x := l.tagOf(c, s, v.X)
	k, isConst := v.Y.(*ssa.Const)
	if x.Kind != tag.Number || !isConst || k.Value == nil {
		if g := l.comparedToNil(c, s, v); g.Kind != tag.None {
			return g
		}
		return l.comparedObjects(c, s, v)
	}
	switch v.Op {
	case token.EQL:
		return tag.TruthTag(ssaflow.IsInt(k, int64(x.Field)))
	case token.NEQ:
		return tag.TruthTag(!ssaflow.IsInt(k, int64(x.Field)))
	}
	return tag.Tag{}
}
