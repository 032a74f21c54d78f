package notes

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// OnChannel tells what a statement does to a channel that is taken by one operation, and
// released by the other one.
func OnChannel(index int, take esl.Op) func(esl.Stmt) effect {
	return func(st esl.Stmt) effect {
		switch {
		case st.Arg != index || st.Op != esl.Send && st.Op != esl.Receive:
			return keeps
		case st.Op == take:
			return takes
		}
		return releases
	}
}

// IsClosed tells whether one of the functions, or of all if they are nil, closes the channel, or
// waits for that.
func IsClosed(p *esl.Program, index int, in []bool) bool {
	for f, body := range p.Functions {
		for _, st := range body.Body {
			if (in == nil || in[f]) && st.Arg == index && (st.Op == esl.CloseChannel || st.Op == esl.ReceiveClosed) {
				return true
			}
		}
	}
	return false
}

// IsBalanced tells whether every repeated process takes back what it has put into the
// channel, or puts back what it has taken out, as from a lock: then it does for others
// what it does for itself.
func IsBalanced(p *esl.Program, index int, repeated []bool) bool {
	if IsClosed(p, index, repeated) || p.Channels[index].Capacity == 0 {
		return false
	}
	for _, take := range []esl.Op{esl.Send, esl.Receive} {
		h := &Holds{Program: p, Of: OnChannel(index, take), Exclusive: p.Channels[index].Capacity == 1}
		if !h.ArePassedOn(repeated) {
			return true
		}
	}
	return false
}

// MakeLock replaces the operations on a channel by those on a new lock, and removes it.
func MakeLock(p *esl.Program, index int, take esl.Op) {
	channel, lock := p.Channels[index], len(p.Locks)
	p.Locks = append(p.Locks, esl.Lock{Name: channel.Name, Kind: esl.Mutex, Pos: channel.Pos})
	p.Channels = slices.Delete(slices.Clone(p.Channels), index, index+1)
	of := OnChannel(index, take)
	for f := range p.Functions {
		for i, st := range p.Functions[f].Body {
			switch e := of(st); {
			case e == takes:
				st.Op, st.Arg = esl.LockOp, lock
			case e == releases:
				st.Op, st.Arg = esl.Unlock, lock
			case st.Arg > index && isOnChannel(st.Op):
				st.Arg--
			}
			p.Functions[f].Body[i] = st
		}
	}
}

func isOnChannel(op esl.Op) bool {
	return op == esl.Send || op == esl.Receive || op == esl.CloseChannel || op == esl.ReceiveClosed
}

// OrElse lets a function do something else in place of a statement.
func OrElse(f *esl.Function, i int, other esl.Stmt) {
	st := f.Body[i]
	body := append(f.Body, esl.Stmt{Op: esl.Return})
	at := len(body)
	next := esl.Stmt{Op: esl.Goto, Targets: []int{i + 1}}
	f.Body = append(body, esl.Stmt{Op: esl.Choice, Targets: []int{at + 1, at + 3}}, st, next, other, next)
	f.Body[i] = esl.Stmt{Op: esl.Goto, Targets: []int{at}}
}
