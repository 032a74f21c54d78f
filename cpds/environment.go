package cpds

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// environment stands for the instances that a least scope leaves out. Of what they do, it does, any number of
// times and whenever it can be done, what somebody in the system may wait for: it starts them, sets flags, and has its
// part in operations on channels. A run of all, without the steps of those that are left out but for these, is one of
// the system with the environment: each of these steps is one of the environment's, and the other ones matter to
// nobody (see helpers).
var environment = esl.Instance{Process: -1, Copy: 1}

// leaveOut notes what the environment can do.
func (b *builder) leaveOut(scope Scope) {
	if scope.only == nil {
		return
	}
	for _, p := range scope.left {
		b.outside = append(b.outside, b.model.facts[p])
	}
}

// anyOutside tells whether some process that is left out satisfies the predicate.
func (b *builder) anyOutside(is func(f facts) bool) bool { return slices.ContainsFunc(b.outside, is) }

// addEnvironment adds the events of the environment, but for those that are a rendezvous: see meetings.
func (b *builder) addEnvironment() {
	for _, in := range b.threads {
		starts := func(f facts) bool { return f.starts[in.Process] }
		if !b.model.Program.Processes[in.Process].Initial && b.anyOutside(starts) {
			b.event(environment, label{op: esl.Start, arg: in.Process, target: in.Copy})
		}
	}
	for flag := range b.model.Program.Flags {
		if b.anyOutside(func(f facts) bool { return f.sets[flag] }) {
			b.event(environment, label{op: esl.Set, arg: flag})
		}
	}
	for channel := range b.model.Program.Channels {
		for _, op := range []esl.Op{esl.Send, esl.Receive, esl.CloseChannel} {
			l := label{op: op, arg: channel}
			if !b.unbuffered(l) && b.anyOutside(func(f facts) bool { return f.channels[channelOp{op, channel}] }) {
				b.event(environment, l)
			}
		}
	}
}
