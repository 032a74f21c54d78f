package blocking

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
)

// What is not known may be what lets a goroutine go on: an operation on an object that is not known which one it is,
// a call of what is not known. That an instance waits for such an object for ever is in doubt. An operation lets go on
// who waits for what it does: a send those that receive, a receive those that send, a release those that take a lock;
// and that on an object of its type.

// kind is what is waited for: that another one does something with an object of a kind.
type kind uint8

const (
	aRelease kind = iota // of a lock
	aReceive             // from a channel
	aSend                // on a channel, or its end
	aSignal              // of a condition variable
	aCount               // of a wait group
	kinds
)

// doubts is what may be operated on without the model having it.
type doubts struct {
	all     [kinds]bool
	typed   map[typedDoubt]bool
	objects map[*object]bool
	some    map[objectDoubt]bool
	groups  map[int]bool
	// of a call, see Config.Local: by what may lead to the object that is operated on
	operands map[operandDoubt]bool
	isLeft   bool // a goroutine has ended itself
}

// operandDoubt is that somebody may do something with what a value leads to.
type operandDoubt struct {
	kind    kind
	operand ssa.Value
}

// typedDoubt is that somebody may do something with any object of a type: of a channel that of its elements.
type typedDoubt struct {
	kind kind
	of   int // see footprints.number
}

// objectDoubt is that somebody may do something with an object.
type objectDoubt struct {
	kind kind
	of   *object
}

// doubtAll puts all objects in doubt, as a call may do anything; of those that are local to a call what it is handed.
func (l *lowerer) doubtAll(site ssa.CallInstruction) {
	for _, operand := range site.Operands(nil) {
		l.doubtOperand(*operand, kinds)
	}
	for k := range l.doubts.all {
		l.doubts.all[k] = true
	}
}

// doubtOperand puts in doubt that something is not done with what a value leads to.
func (l *lowerer) doubtOperand(v ssa.Value, some ...kind) {
	for _, k := range some {
		l.doubts.operands[operandDoubt{k, v}] = true
	}
}

// doubtKind puts all objects of some kinds in doubt, that a value may lead to.
func (l *lowerer) doubtKind(v ssa.Value, some ...kind) {
	l.doubtOperand(v, some...)
	for _, k := range some {
		l.doubts.all[k] = true
	}
}

// doubtChannels puts in doubt that something is not done with channels of the type of a value, that it may lead to.
func (l *lowerer) doubtChannels(v ssa.Value, some ...kind) {
	l.doubtOperand(v, some...)
	element := v.Type().Underlying().(*types.Chan).Elem()
	if _, isAny := types.Unalias(element).(*types.TypeParam); isAny {
		l.doubtKind(v, some...)
	}
	for _, k := range some {
		l.doubts.typed[typedDoubt{k, l.quiet.prints.number(element)}] = true
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
		for _, in := range l.known.many[o] {
			led.addValues(in)
		}
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
		return is(m.doubtful[aRelease])
	case esl.Send:
		return is(m.doubtful[aReceive])
	case esl.Receive, esl.ReceiveClosed:
		return is(m.doubtful[aSend])
	case esl.Awake:
		return is(m.doubtful[aSignal])
	case esl.Test: // for the end of a context, which who has its cancel function may bring about
		return m.isOfCall
	case esl.WaitZero, esl.Add:
		return is(m.doubtful[aCount])
	}
	return false
}

// isDoubtful tells whether an object of a call is not local to it, or may be operated on where it is not known.
func (l *lowerer) isDoubtful(k kind, o *object) bool {
	isLocal := o.made != nil && l.c.Local.IsLocal(o.made)
	if !isLocal || l.doubts.isLeft || l.doubts.objects[o] || l.doubts.some[objectDoubt{k, o}] {
		return true
	}
	for d := range l.doubts.operands {
		if (d.kind == k || d.kind == kinds) && l.c.Local.MayLead(d.operand, o.made) {
			return true
		}
	}
	return false
}

// doubtful returns, for each object of the model by what is waited for, whether that is in doubt.
func (l *lowerer) doubtful() (all [kinds][]bool) {
	is := func(k kind, o *object, of int) {
		if l.c.Local != nil {
			all[k] = append(all[k], l.isDoubtful(k, o))
			return
		}
		all[k] = append(all[k], l.doubts.all[k] || l.doubts.objects[o] || l.doubts.some[objectDoubt{k, o}] ||
			l.doubts.typed[typedDoubt{k, of}])
	}
	for _, c := range l.locks.all {
		is(aRelease, c.of, 0)
	}
	for _, o := range l.channels.all {
		is(aReceive, o, o.element)
		is(aSend, o, o.element)
	}
	for _, c := range l.conditions.all {
		is(aSignal, c.of, 0)
	}
	for i, c := range l.groups.all {
		is(aCount, c.of, 0)
		all[aCount][i] = all[aCount][i] || l.doubts.groups[i]
	}
	return all
}
