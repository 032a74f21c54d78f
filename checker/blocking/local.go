package blocking

import "github.com/empire-go/empire-go/esl"

// The reduction. In a state in which all that an instance can do is with objects that no other one will ever use
// again, by what can still be executed, its steps come first and alone: they commute with all that the others can do
// from there, and can neither let them go on nor keep them from it. That is an ample set with one process (Peled,
// CAV 1993); so that nobody is put off for ever, it is not taken where a step leads back to a state that is known.

// object is what operations are on.
type object struct{ kind, number int }

// The kinds of objects.
const (
	lockKind = iota + 1
	processKind
	flagKind
	channelKind
	conditionKind
	groupKind
	variableKind
)

// objectOf returns what a use is a use of; ok is false where everything may depend on it.
func objectOf(u use) (o object, ok bool) {
	switch u.op {
	case esl.LockOp, esl.Unlock, esl.RLock, esl.RUnlock, esl.Intend:
		return object{lockKind, u.arg}, true
	case esl.Start, esl.Join:
		return object{processKind, u.arg}, true
	case esl.Set, esl.Await, esl.AwaitUnset:
		return object{flagKind, u.arg}, true
	case esl.Send, esl.Receive, esl.ReceiveClosed, esl.CloseChannel:
		return object{channelKind, u.arg}, true
	case esl.Enlist, esl.Awake, esl.Signal, esl.Broadcast:
		return object{conditionKind, u.arg}, true
	case esl.Add, esl.WaitZero:
		return object{groupKind, u.arg}, true
	case esl.Assign, esl.Test, esl.Swap:
		return object{variableKind, u.arg}, true
	}
	return object{}, false
}

// isAlone tells whether nobody but instance i will use an object again.
func (m *machine) isAlone(s state, i int, o object) bool {
	for j := range m.instance {
		if j == i || control(s[j]) <= ended {
			continue
		}
		uses := false
		m.controls.future(control(s[j])).each(func(n int) {
			other, ok := objectOf(m.used[n])
			uses = uses || ok && other == o
		})
		if uses {
			return false
		}
	}
	return true
}

// isFirst tells whether what an instance can do may come before all else.
func (m *machine) isFirst(s state, i int, e expansion) bool {
	if len(e.transitions) == 0 || e.crash {
		return false
	}
	stmt, _ := m.controls.at(control(s[i]))
	ok := stmt.Op != esl.SelectDefault && stmt.Op != esl.Exit && stmt.Op != esl.Done
	m.controls.offers(control(s[i]), func(_ int, stmt esl.Stmt) {
		if stmt.Op == esl.Skip {
			return
		}
		o, known := objectOf(use{stmt.Op, stmt.Arg})
		ok = ok && known && m.isAlone(s, i, o)
		if stmt.Op == esl.Join { // what is joined lets it go on by being done, which is no use of an object
			ok = ok && m.areDone(s, stmt.Arg)
		}
	})
	for _, t := range e.transitions {
		ok = ok && t.second < 0 && !m.isNoticed(t.to, i)
		if stmt.Op == esl.Start {
			first, copies := m.copies(stmt.Arg)
			for j := first; j < first+copies; j++ {
				ok = ok && (control(s[j]) == control(t.to[j]) || !m.isNoticed(t.to, j))
			}
		}
	}
	return ok
}

// isNoticed tells whether it may matter to those that do not wait that an instance is where it is.
func (m *machine) isNoticed(s state, i int) bool { return m.controls.isNoticed(control(s[i])) }
