package checker

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/empire-go/empire-go/esl"
)

// TestAgainstInterpreterChannels is about channels: units with sends, receives and
// closings in front of them, in them and behind them.
func TestAgainstInterpreterChannels(t *testing.T) { compare(t, 120, messages) }

// messages returns a program of two or three processes, one of them with copies at
// times, and one or two channels. What is sent is received as a rule.
func messages(seed uint64) *esl.Program {
	r := rand.New(rand.NewPCG(seed, 0xc4a7))
	p := &esl.Program{
		Name:      fmt.Sprintf("messages %d", seed),
		Objects:   []esl.Object{{Name: "w"}},
		Locations: []esl.Location{{Name: "a"}, {Name: "b"}},
		Channels:  []esl.Channel{{Name: "c", Capacity: r.IntN(5) / 2}, {Name: "d", Capacity: r.IntN(2)}}[:1+r.IntN(2)],
		Processes: []esl.Process{{Name: "main", Copies: 1, Initial: true}},
	}
	helpers := 1 + r.IntN(3)/2
	for i := range helpers {
		q := esl.Process{Name: fmt.Sprintf("g%d", i), Entry: i + 1, Copies: 1}
		if helpers == 1 {
			q.Copies += r.IntN(2)
		}
		p.Processes = append(p.Processes, q)
	}
	bodies := make([]*messenger, len(p.Processes))
	for i := range bodies {
		bodies[i] = &messenger{Rand: r}
	}
	for i, q := range p.Processes[1:] {
		for range q.Copies {
			bodies[0].emit(esl.Stmt{Op: esl.Start, Arg: i + 1})
		}
	}
	for range 1 + r.IntN(2) {
		for _, b := range bodies {
			if r.IntN(3) > 0 {
				b.access() // outside of a unit
			}
		}
		message(r, p, bodies)
		for i, b := range bodies {
			b.emit(esl.Stmt{Op: esl.UnitBegin, Unit: p.Processes[i].Name})
			b.access()
		}
		message(r, p, bodies)
		for _, b := range bodies {
			b.access()
			b.emit(esl.Stmt{Op: esl.UnitEnd})
		}
	}
	for i, b := range bodies {
		p.Functions = append(p.Functions, esl.Function{Name: p.Processes[i].Name, Body: b.body})
	}
	return p
}

// message writes a communication: one process gives and another one takes, or so it
// should be.
func message(r *rand.Rand, p *esl.Program, bodies []*messenger) {
	order, channel := r.Perm(len(bodies)), r.IntN(len(p.Channels))
	giver, taker := bodies[order[0]], bodies[order[1]]
	switch n := r.IntN(12); {
	case n < 5:
		giver.operate(channel, esl.Send)
		taker.operate(channel, esl.Receive)
	case n < 7:
		giver.operate(channel, esl.CloseChannel)
		taker.operate(channel, esl.ReceiveClosed)
	case n < 9:
		giver.operate(channel, esl.Send)
		taker.operate(channel, esl.Receive, esl.ReceiveClosed)
	case n < 10:
		giver.operate(channel, esl.Send, esl.Receive)
		taker.operate(channel, esl.Send, esl.Receive, esl.Skip)
	case n < 11:
		giver.operate(channel, pickOp(r))
	}
}

func pickOp(r *rand.Rand) esl.Op {
	return []esl.Op{esl.Send, esl.Receive, esl.ReceiveClosed, esl.CloseChannel}[r.IntN(4)]
}

// messenger writes the body of one function.
type messenger struct {
	*rand.Rand
	body []esl.Stmt
}

func (m *messenger) emit(s esl.Stmt) { m.body = append(m.body, s) }

func (m *messenger) access() {
	if m.IntN(3) > 0 {
		m.emit(esl.Stmt{Op: esl.Access, Arg: m.IntN(2), Access: []esl.AccessKind{esl.Read, esl.Write}[m.IntN(2)]})
	}
}

// operate writes a choice of operations on the channel.
func (m *messenger) operate(channel int, ops ...esl.Op) {
	if len(ops) == 1 {
		m.emit(esl.Stmt{Op: ops[0], Arg: channel})
		return
	}
	first := len(m.body) + 1
	end := first + 2*len(ops)
	choice := esl.Stmt{Op: esl.Choice}
	for i := range ops {
		choice.Targets = append(choice.Targets, first+2*i)
	}
	m.emit(choice)
	for _, op := range ops {
		s := esl.Stmt{Op: op, Arg: channel}
		if op == esl.Skip {
			s.Arg = 0
		}
		m.emit(s)
		m.emit(esl.Stmt{Op: esl.Goto, Targets: []int{end}})
	}
}
