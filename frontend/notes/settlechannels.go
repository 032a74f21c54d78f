package notes

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// A channel that holds one value is a lock: who sends takes it, and who receives releases it,
// or the other way round. Whether a program uses it so shows in the model, where it is known
// which results an attempt has: every goroutine gives back what it has taken itself, or what
// the one that started it has taken for it.

// SettleChannels finds out which of the channels are locks, and makes them locks of the model. Of
// the others, and of the signals, which are flags, it finds out which operations are executed by
// processes of which the model has only a few: what a goroutine that it does not have does, may
// have been done at any time, so that its partner goes on without it.
func SettleChannels(p *esl.Program, channels, signals []int) (anyLock bool) {
	repeated := p.Executed(func(q esl.Process) bool { return q.Copies > 1 })
	for _, flag := range signals {
		settle(p, repeated, flag, map[esl.Op]esl.Op{esl.Await: esl.Set})
	}
	slices.Sort(channels)
	for _, index := range slices.Backward(channels) { // those that become locks are removed
		if becomesLock(p, index) {
			anyLock = true
			continue
		}
		if !IsBalanced(p, index, repeated) {
			settle(p, repeated, index, map[esl.Op]esl.Op{
				esl.Receive: esl.Send, esl.Send: esl.Receive, esl.ReceiveClosed: esl.CloseChannel,
			})
		}
	}
	return anyLock
}

// becomesLock makes a lock of a channel that is used as one. A lock that is taken by
// receiving is held from the beginning, until somebody sends for the first time.
func becomesLock(p *esl.Program, index int) bool {
	if p.Channels[index].Capacity != 1 || IsClosed(p, index, nil) {
		return false
	}
	everywhere := p.Executed(func(esl.Process) bool { return true })
	for _, take := range []esl.Op{esl.Send, esl.Receive} {
		first := &p.Functions[p.Processes[0].Entry]
		before := *first
		if take == esl.Receive {
			beginWith(first, esl.Stmt{Op: take, Arg: index})
		}
		h := &Holds{Program: p, Of: OnChannel(index, take), Exclusive: true, Executes: map[int][]bool{}}
		h.FindHeirs()
		if !h.ArePassedOn(everywhere) {
			MakeLock(p, index, take)
			return true
		}
		*first = before
	}
	return false
}

// settle lets the operations on something pass whose partners a repeated process executes.
func settle(p *esl.Program, repeated []bool, arg int, partners map[esl.Op]esl.Op) {
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
				OrElse(&p.Functions[f], i, esl.Stmt{Op: esl.Skip, Pos: st.Pos})
			}
		}
	}
}
