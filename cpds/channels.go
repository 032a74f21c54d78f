package cpds

import (
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// A buffered channel is a finite component: how many values are in it, and whether
// it is closed. On an unbuffered one a Send and a Receive are one action of two
// threads; it has a component only for being closed.

// channelOp is an operation on a channel.
type channelOp struct {
	op      esl.Op
	channel int
}

// unblocks says for an operation on a channel which others there can make it go on:
// those that a blocked one waits for. CloseChannel goes on at once or never.
var unblocks = map[esl.Op][]esl.Op{
	esl.Send:          {esl.Receive},
	esl.Receive:       {esl.Send},
	esl.ReceiveClosed: {esl.CloseChannel, esl.Receive},
}

// waitsForChannel tells whether a process with the facts f may need an operation on
// a channel by one with the facts g to go on.
func waitsForChannel(f, g facts) bool {
	for blocked := range f.channels {
		for _, op := range unblocks[blocked.op] {
			if g.channels[channelOp{op, blocked.channel}] {
				return true
			}
		}
	}
	return false
}

// unbuffered tells whether the label is one half of a rendezvous.
func (b *builder) unbuffered(l label) bool {
	return (l.op == esl.Send || l.op == esl.Receive) && b.model.Program.Channels[l.arg].Capacity == 0
}

// meetings returns the actions of an instance's half of a rendezvous: one for each
// other instance of the system that can do the other half.
func (b *builder) meetings(in esl.Instance, l label) []int {
	key := bareKey{in, l.op, l.arg}
	if known, ok := b.met[key]; ok {
		return known
	}
	other := channelOp{esl.Receive, l.arg}
	if l.op == esl.Receive {
		other.op = esl.Send
	}
	var actions []int
	partners := slices.DeleteFunc(slices.Clone(b.threads), func(partner esl.Instance) bool {
		return partner == in || !b.model.facts[partner.Process].channels[other]
	})
	if b.anyOutside(func(f facts) bool { return f.channels[other] }) {
		partners = append(partners, environment)
	}
	for _, partner := range partners {
		sender, receiver := in, partner
		if l.op == esl.Receive {
			sender, receiver = partner, in
		}
		actions = append(actions, b.event(sender, label{op: esl.Send, arg: l.arg, with: receiver}))
	}
	b.met[key] = actions
	return actions
}

// addChannels adds a component for each channel in use that needs one.
func (b *builder) addChannels() {
	for i, channel := range b.model.Program.Channels {
		events := b.eventsOn(i, esl.Send, esl.Receive, esl.ReceiveClosed, esl.CloseChannel)
		closing := false
		for _, e := range events {
			closing = closing || e.op == esl.CloseChannel || e.op == esl.ReceiveClosed
		}
		if closing || len(events) > 0 && channel.Capacity > 0 {
			b.add(channelComponent(channel, events, closing))
		}
	}
}

// channelComponent returns the component of a channel: its states are the number of
// values in it, while it is open and, if it is ever closed, afterwards.
func channelComponent(channel esl.Channel, events []event, closing bool) *Component {
	var states []string
	for n := range channel.Capacity + 1 {
		states = append(states, fmt.Sprintf("open %d", n))
	}
	closed := len(states) // the state of the closed channel without values
	if closing {
		for n := range channel.Capacity + 1 {
			states = append(states, fmt.Sprintf("closed %d", n))
		}
	}
	c := newMachine(channel.Name, Lock, states...)
	for _, e := range events {
		c.takesPart(e.action) // also where no rule has it: then it is blocked for ever
		switch {
		case e.op == esl.ReceiveClosed:
			c.rule(closed, e.action, closed)
		case e.op == esl.CloseChannel:
			for n := range closed {
				c.rule(n, e.action, closed+n)
			}
		case e.meets():
			c.rule(0, e.action, 0)
		case e.op == esl.Send:
			for n := range channel.Capacity {
				c.rule(n, e.action, n+1)
			}
		case e.op == esl.Receive:
			for from := range states {
				if from != 0 && from != closed {
					c.rule(from, e.action, from-1)
				}
			}
		}
	}
	return c.finish()
}
