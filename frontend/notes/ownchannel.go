package notes

import (
	"github.com/empire-go/empire-go/esl"
)

// IsBalanced tells whether every repeated process takes back what it has put into the
// channel, or puts back what it has taken out, as from a lock: then it does for others
// what it does for itself.
func IsBalanced(p *esl.Program, ch int, repeated []bool) bool {
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
		h := &Holds{Program: p, Of: func(st esl.Stmt) effect {
			switch {
			case st.Arg != ch || st.Op != esl.Send && st.Op != esl.Receive:
				return keeps
			case st.Op == take:
				return takes
			}
			return releases
		}}
		if !h.ArePassedOn(repeated) {
			return true
		}
	}
	return false
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
