package blocking

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// The reduction. In a state in which all that an instance can do commutes with all that the others can do from there,
// by what can still be executed, until it has done it, its steps come first and alone. That is an ample set with one
// process (Peled, CAV 1993); so that nobody is put off for ever, it is not taken where a step leads back to a state
// that is known. What the others do without it they do after it, in the same states but for it: who is blocked for ever
// without it is so after it, and what ends the program does. So it may let others go on, as the release of a lock does:
// they cannot before.
//
// What others can do ends where a lock is taken that is held until the instance does something: all that it does under
// a lock, with objects that others only use under it, is one step with that.
//
// Operations commute with those of others on other objects. On the same object do
//   - the release of a lock, if no other instance releases it that has not taken it before, nor tries to take it: as
//     long as it is held for writing others can do nothing with it; as long as it is held for reading they can take it
//     so, and release it as often;
//   - what only looks at a variable, or writes the value that it has, if no other instance can write another one;
//   - what looks at a flag that is set, or at a channel that is closed and empty: that is so for ever.

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

// against returns what does not commute with an operation: what has another effect before it than after it, or lets it
// have another one. It is what others can do with the object, but for the exceptions above. ok is false if that may be
// anything.
func (m *machine) against(s state, stmt esl.Stmt) (set future, ok bool) {
	o, ok := objectOf(use{op: stmt.Op, arg: stmt.Arg})
	if !ok {
		return nil, false
	}
	c := conflict{object: o}
	switch stmt.Op {
	case esl.Unlock, esl.RUnlock:
		c.loose = !m.controls.tried[stmt.Arg] && (stmt.Op == esl.Unlock || !m.controls.uneven[stmt.Arg])
	case esl.Test, esl.Swap, esl.Assign:
		value := int(s[m.variables+stmt.Arg])
		writes := stmt.Op == esl.Assign || stmt.Op == esl.Swap && stmt.Count == value
		if !writes || stmt.Value == value {
			c.writes, c.value = true, value
		}
	case esl.Await, esl.AwaitUnset, esl.Set:
		if s[m.flags+stmt.Arg] != 0 {
			return nil, true
		}
	case esl.Receive, esl.ReceiveClosed:
		if at := s[m.channel(stmt.Arg):]; at[closed] != 0 && at[count] == 0 {
			return nil, true
		}
	}
	return m.setOf(c), true
}

// conflict is uses of an object: all of them, or those that release it without having taken it, or those that change
// its value from another one.
type conflict struct {
	object
	loose, writes bool
	value         int
}

func (m *machine) setOf(c conflict) future {
	if set, ok := m.conflicts[c]; ok {
		return set
	}
	var set future
	for n, u := range m.used {
		o, ok := objectOf(u)
		changes := u.as.writes && u.as.to != c.value && (u.as.from < 0 || u.as.from == c.value)
		if ok && o == c.object && (!c.loose || u.as.loose) && (!c.writes || changes) {
			set.add(m.controls.single(m.used[n]))
		}
	}
	m.conflicts[c] = set
	return set
}

// bars returns the locks that are held until instance i does something, whatever the others do: none of them releases
// one before it has taken it. Who tries to take a lock notices that it is held, and goes on: then it is none of these.
func (m *machine) bars(s state, i int) (all []bar) {
	for l := range m.program.Locks {
		at := s[m.lock(l):]
		isHeld := (at[held] != 0 || at[readers] != 0 && !m.controls.uneven[l]) && !m.controls.tried[l]
		if isHeld && m.commutes(s, i, m.setOf(conflict{object: object{lockKind, l}, loose: true}), nil) {
			all = append(all, bar{true, l, at[held] == 0})
		}
	}
	return all
}

// commutes tells whether the others do nothing of a set until instance i does something.
func (m *machine) commutes(s state, i int, set future, bars []bar) bool {
	for j := range m.instance {
		at := control(s[j])
		if j == i || at <= ended || !m.controls.future(at).meets(set) {
			continue
		}
		if !slices.ContainsFunc(bars, func(b bar) bool { return !m.controls.futureBefore(at, b).meets(set) }) {
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
	var bars []bar
	if ok {
		bars = m.bars(s, i)
	}
	m.controls.offers(control(s[i]), func(_ int, stmt esl.Stmt) {
		if stmt.Op == esl.Skip || !ok {
			return
		}
		set, known := m.against(s, stmt)
		ok = known && m.commutes(s, i, set, bars)
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
