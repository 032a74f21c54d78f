package blocking

import "github.com/empire-go/empire-go/esl"

// What is not known may be what lets a goroutine go on: an operation on an object that is not known which one it is,
// a call of what is not known. That an instance waits for such an object for ever is in doubt.

// kind is a kind of objects.
type kind uint8

const (
	aLock kind = iota
	aChannel
	aCondition
	aGroup
	kinds
)

// doubts is what may be operated on without the model having it.
type doubts struct {
	all     [kinds]bool
	objects map[*object]bool
	groups  map[int]bool
}

// doubtAll puts all objects in doubt.
func (l *lowerer) doubtAll() {
	for k := range l.doubts.all {
		l.doubts.all[k] = true
	}
}

// doubtKind puts all objects of some kinds in doubt.
func (l *lowerer) doubtKind(some ...kind) {
	for _, k := range some {
		l.doubts.all[k] = true
	}
}

func (l *lowerer) doubtGroup(group int) { l.doubts.groups[group] = true }

// doubt puts what a value leads to in doubt.
func (l *lowerer) doubt(s *state, v value) {
	for _, o := range l.ledTo(s, v) {
		l.doubts.objects[o] = true
	}
}

// ledTo returns the objects that a value leads to, by the memory of a state, if there is one, and by what others have
// stored and sent.
func (l *lowerer) ledTo(s *state, v value) (all []*object) {
	led := newReach()
	each(v, led.add)
	for o := led.next(); o != nil; o = led.next() {
		all = append(all, o)
		if s == nil {
			continue
		}
		led.addStored(s, o)
		if l.known.sharedObjects[o] {
			for c, shared := range l.known.shared {
				if c.of == o {
					led.addValues(shared)
				}
			}
		}
		if sent := l.known.sent[o]; sent != nil {
			led.addValues(sent)
		}
	}
	return all
}

func (r *reach) addValues(v *variable) {
	for _, x := range v.values {
		each(x, r.add)
	}
}

// Doubtful tells whether something that the model does not have may let an instance go on that waits at a statement.
func (m *Model) Doubtful(stmt esl.Stmt) bool {
	is := func(some []bool) bool { return stmt.Arg < len(some) && some[stmt.Arg] }
	switch stmt.Op {
	case esl.LockOp, esl.RLock, esl.Intend:
		return is(m.doubtful[aLock])
	case esl.Send, esl.Receive, esl.ReceiveClosed:
		return is(m.doubtful[aChannel])
	case esl.Awake:
		return is(m.doubtful[aCondition])
	case esl.WaitZero:
		return is(m.doubtful[aGroup])
	}
	return false
}

// doubtful returns, for each object of the model by kind, whether it is in doubt.
func (l *lowerer) doubtful() (all [kinds][]bool) {
	is := func(k kind, o *object) { all[k] = append(all[k], l.doubts.all[k] || l.doubts.objects[o]) }
	for _, c := range l.locks.all {
		is(aLock, c.of)
	}
	for _, o := range l.channels.all {
		is(aChannel, o)
	}
	for _, c := range l.conditions.all {
		is(aCondition, c.of)
	}
	for i, c := range l.groups.all {
		is(aGroup, c.of)
		all[aGroup][i] = all[aGroup][i] || l.doubts.groups[i]
	}
	return all
}
