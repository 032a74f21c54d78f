package blocking

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
)

// channelKind is what is known of a channel.
type channelKind uint8

const (
	unknownChannel channelKind = iota
	nilChannel
	timerChannel
	doneChannel // of a context
	plainChannel
)

// channelOf returns the channel that an operation is on. What is done with one that is not known counts as a guess,
// and as done; who waits for that may go on.
func (l *lowerer) channelOf(at ssa.Instruction, v value, operand ssa.Value, does ...kind) (*object, channelKind) {
	switch v := v.(type) {
	case nothing:
		return nil, nilChannel
	case pointer:
		switch {
		case v.to.isTimer:
			return v.to, timerChannel
		case v.to.isMany:
			l.guess(at, "which channel the operation is on")
			return nil, unknownChannel
		case v.path == "done":
			return v.to, doneChannel
		case v.to.modelled() != v.to.capacity:
			l.guess(at, "how many values the channel holds")
			l.doubts.some[objectDoubt{aReceive, v.to}] = true
		}
		return v.to, plainChannel
	}
	l.guess(at, "which channel the operation is on")
	l.skips = true
	l.doubtChannels(operand, does...)
	return nil, unknownChannel
}

// modelled is how many values a channel holds in the model: where it is not known how many it does, or they are too
// many, it is one. What happens then can happen if it holds one, and up to where somebody waits to send also if it
// holds more: that he waits is in doubt, and the model is not complete.
func (o *object) modelled() int {
	if o.capacity < 0 || o.capacity > esl.MaxCapacity {
		return 1
	}
	return o.capacity
}

// room is how many values a channel holds, or how many it may hold. The first is different from time to time: a loop
// may look for that.
func (l *lowerer) room(s *state, at ssa.Instruction, now bool, o *object) value {
	if o.capacity == 0 || o.capacity > 0 && !now {
		return integer(o.capacity)
	}
	if now && l.spinOf(s) != nil {
		l.guess(at, "how many values the channel holds")
	}
	return nil
}

// arm is one way to carry out a channel operation: what it does first, and what is received.
type arm struct {
	stmts []esl.Stmt
	value value
	ok    bool
	// it is not known which channel the operation is on: see take
	isAssumed bool
	timer     *object // from which the value comes, if it gives one
	over      *object // the context that is over then, if that is what it waits for
}

// receiving returns the ways to receive from a channel.
func (l *lowerer) receiving(at ssa.Instruction, v value, channel ssa.Value, matters bool) []arm {
	o, kind := l.channelOf(at, v, channel, aReceive)
	element := channel.Type().Underlying().(*types.Chan).Elem()
	pos := l.position(at)
	switch kind {
	case nilChannel:
		return nil
	case timerChannel, unknownChannel:
		return []arm{{stmts: []esl.Stmt{{Op: esl.Skip, Pos: pos}}, ok: true, isAssumed: kind == unknownChannel, timer: o}}
	case doneChannel:
		var all []arm
		isTimed := false
		for _, c := range l.lineage(o) {
			isTimed = isTimed || c.isTimed
			all = append(all, arm{stmts: []esl.Stmt{{Op: esl.Test, Arg: l.newVariable(cell{c, "done"}, 2), Count: 1, Pos: pos}},
				value: zero(element), over: o})
		}
		if isTimed {
			all = append(all, arm{stmts: []esl.Stmt{{Op: esl.Skip, Pos: pos}}, value: zero(element), over: o})
		}
		return all
	}
	index := l.channelIndex(o)
	none := zero(element)
	if _, isNil := none.(nothing); isNil {
		none = nothing{received: true}
	}
	all := []arm{{stmts: []esl.Stmt{{Op: esl.ReceiveClosed, Arg: index, Pos: pos}}, value: none}}
	if l.known.handed[o] {
		all = append(all, arm{stmts: []esl.Stmt{{Op: esl.Skip, Pos: pos}}, ok: true, isAssumed: true})
	}
	if matters && !l.areTold(o) {
		l.known.told[o] = true
		l.known.changed = true
	}
	sent := l.known.sent[o]
	if sent == nil || !l.areTold(o) {
		return append(all, arm{stmts: []esl.Stmt{{Op: esl.Receive, Arg: index, Pos: pos}}, value: l.sentOn(o), ok: true})
	}
	for i, x := range sent.values {
		all = append(all, arm{stmts: []esl.Stmt{{Op: esl.Receive, Arg: index, Value: i, Pos: pos}}, value: x, ok: true})
	}
	return all
}

// areTold tells whether the values that are sent on a channel are told apart.
func (l *lowerer) areTold(o *object) bool {
	return l.known.told[o]
}

// isReceivedUsed tells whether something depends on what a receive gets: on part k of a tuple.
func (l *lowerer) isReceivedUsed(r ssa.Value, k int) bool {
	for _, instr := range *r.Referrers() {
		if x, ok := instr.(*ssa.Extract); ok && x.Index == k && l.matters(x) {
			return true
		}
	}
	return false
}

// sending returns the ways to send on a channel.
func (l *lowerer) sending(s *state, at ssa.Instruction, v, x value, channel ssa.Value) []arm {
	o, kind := l.channelOf(at, v, channel, aSend)
	pos := l.position(at)
	switch kind {
	case nilChannel:
		return nil
	case plainChannel:
		l.escapes(s, x)
		number := l.noteSent(o, inMemory(x))
		all := []arm{{stmts: []esl.Stmt{{Op: esl.Send, Arg: l.channelIndex(o), Value: number, Pos: pos}}}}
		if l.known.handed[o] {
			all = append(all, arm{stmts: []esl.Stmt{{Op: esl.Skip, Pos: pos}}, isAssumed: true})
		}
		return all
	}
	return []arm{{stmts: []esl.Stmt{{Op: esl.Skip, Pos: pos}}, isAssumed: kind == unknownChannel}}
}

// noteSent notes what is sent on a channel, and returns its number, 0 where the values are not told apart.
func (l *lowerer) noteSent(o *object, x value) int {
	if l.known.sent[o] == nil {
		l.known.sent[o] = &variable{}
	}
	if n := l.known.add(l.known.sent[o], x); l.areTold(o) {
		return n
	}
	return 0
}

// sentOn returns what a receive gets that gets something: it is known where one value is ever sent.
func (l *lowerer) sentOn(o *object) value {
	if v := l.known.sent[o]; v != nil && len(v.values) == 1 {
		return v.values[0]
	}
	return nil
}

// choose makes an effect of arms, each with the state after it.
func (l *lowerer) choose(s *state, at ssa.Instruction, arms []arm, set func(t *state, a arm)) effect {
	if len(arms) == 0 {
		return effect{branching: never, outcomes: []outcome{{stmts: []esl.Stmt{{Op: esl.Choice, Pos: l.position(at)}}}}}
	}
	e := effect{branching: waiting}
	for i, a := range arms {
		t := s
		if i < len(arms)-1 {
			t = s.clone()
		}
		set(t, a)
		l.take(t, a, at)
		e.outcomes = append(e.outcomes, outcome{stmts: a.stmts, state: t})
	}
	if len(arms) == 1 {
		e.branching = one
	}
	return e
}

func (l *lowerer) send(s *state, x *ssa.Send, ch, v value) effect {
	return l.choose(s, x, l.sending(s, x, ch, v, x.Chan), func(*state, arm) {})
}

func (l *lowerer) receive(s *state, x *ssa.UnOp, ch value) effect {
	matters := !x.CommaOk && l.matters(x) || x.CommaOk && l.isReceivedUsed(x, 0)
	return l.choose(s, x, l.receiving(x, ch, x.X, matters), func(t *state, a arm) {
		if x.CommaOk {
			t.set(x, several{a.value, truth(a.ok)})
		} else {
			t.set(x, a.value)
		}
	})
}

// selects is a select statement. Its value is the index of the case, whether something was received, and what each
// of the receiving cases has received.
func (l *lowerer) selects(s *state, x *ssa.Select) effect {
	a := s.top()
	var arms []arm
	var results []several
	received := 0
	for i, st := range x.States {
		ch := l.valueOf(a, st.Chan)
		var own []arm
		if st.Dir == types.SendOnly {
			own = l.sending(s, x, ch, l.valueOf(a, st.Send), st.Chan)
		} else {
			own = l.receiving(x, ch, st.Chan, l.isReceivedUsed(x, 2+received))
		}
		for _, w := range own {
			result := several{integer(i), truth(w.ok)}
			for _, other := range x.States {
				if other.Dir == types.SendOnly {
					continue
				}
				if other == st {
					result = append(result, w.value)
				} else {
					result = append(result, nil)
				}
			}
			arms, results = append(arms, w), append(results, result)
		}
		if st.Dir != types.SendOnly {
			received++
		}
	}
	e := effect{branching: waiting}
	for i, w := range arms {
		t := s.clone()
		t.set(x, results[i])
		l.take(t, w, x)
		e.outcomes = append(e.outcomes, outcome{stmts: w.stmts, state: t})
	}
	if !x.Blocking {
		result := several{integer(-1), truth(false)}
		for range received {
			result = append(result, nil)
		}
		s.set(x, result)
		e.branching = passing
		e.outcomes = append(e.outcomes, outcome{stmts: []esl.Stmt{{Op: esl.Skip, Pos: l.position(x)}}, state: s})
	}
	switch {
	case len(e.outcomes) > 0:
		return e
	case len(x.States) == 0: // it is meant to wait
		return effect{branching: never, outcomes: []outcome{{stmts: []esl.Stmt{{Op: esl.Select, Pos: l.position(x)}}}}}
	}
	return l.choose(s, x, nil, nil)
}

func (l *lowerer) closeChannel(s *state, site ssa.CallInstruction, v value) effect {
	o, kind := l.channelOf(site, v, site.Common().Args[0], aSend, aReceive)
	switch kind {
	case plainChannel:
	case nilChannel: // it panics
		s.ended = true
		l.nilUses[l.position(site)] = true
		return effect{outcomes: []outcome{{stmts: []esl.Stmt{{Op: esl.Exit, Pos: l.position(site)}}, state: s}}}
	default:
		return effect{outcomes: []outcome{{state: s}}}
	}
	return effect{outcomes: []outcome{{stmts: []esl.Stmt{{Op: esl.CloseChannel, Arg: l.channelIndex(o),
		Pos: l.position(site)}}, state: s}}}
}
