package cpds

import (
	"slices"
	"strconv"

	"github.com/empire-go/empire-go/esl"
)

// addLocks adds a component for each lock in use. None has an owner; but that nobody
// releases what another one holds is said by the states of a mutex where it is so: while
// one holds it, nobody else has anything to do with it.
func (b *builder) addLocks() {
	for l, lock := range b.model.Program.Locks {
		events := b.eventsOn(l, esl.LockOp, esl.Unlock, esl.RLock, esl.RUnlock)
		switch {
		case len(events) == 0:
		case lock.Kind == esl.Mutex && !b.model.holds.stranger(l):
			b.add(b.ownedMutex(lock.Name, events))
		case lock.Kind == esl.Mutex:
			b.add(mutex(lock.Name, events))
		default:
			readers, exact := b.readers(l)
			b.add(rwLock(lock.Name, events, readers, exact))
		}
	}
}

// eventsOn returns the events with one of the operations on the lock, flag or channel.
func (b *builder) eventsOn(arg int, ops ...esl.Op) []event {
	var events []event
	for _, e := range b.events {
		if e.arg == arg && slices.Contains(ops, e.op) {
			events = append(events, e)
		}
	}
	return events
}

// mutex returns the component of a mutex: open or locked.
func mutex(name string, events []event) *Component {
	c := newMachine(name, Lock, "open", "locked")
	const open, locked = 0, 1
	for _, e := range events {
		if e.op == esl.LockOp {
			c.rule(open, e.action, locked)
		} else {
			c.rule(locked, e.action, open)
		}
	}
	return c.finish()
}

// ownedMutex returns the component of a mutex that only its holder releases: open, or
// locked by an instance.
func (b *builder) ownedMutex(name string, events []event) *Component {
	states := []string{"open"}
	const open = 0
	locked := map[esl.Instance]int{}
	for _, e := range events {
		if locked[e.by] == 0 {
			locked[e.by] = len(states)
			states = append(states, "locked by "+b.instance(e.by))
		}
	}
	c := newMachine(name, Lock, states...)
	for _, e := range events {
		if e.op == esl.LockOp {
			c.rule(open, e.action, locked[e.by])
		} else {
			c.rule(locked[e.by], e.action, open)
		}
	}
	return c.finish()
}

// readers returns how many shared holds a system can have on the lock at once. It
// is not exact if a process holds it maxHolds times or more.
func (b *builder) readers(lock int) (most int, exact bool) {
	exact = true
	for p, copies := range b.copies {
		if copies > 0 && b.model.facts[p].locks[lock] {
			holds := b.model.holds.most(lock, p)
			most += copies * holds
			exact = exact && holds < maxHolds
		}
	}
	return most, exact
}

// rwLock returns the component of an RW lock: open, held by 1, 2, ... readers, or
// written. If the number of readers is not exact, the last state stands for it and
// all higher ones: a reader that leaves may leave fewer behind or not.
func rwLock(name string, events []event, readers int, exact bool) *Component {
	states := []string{"open", "written"}
	const open, written = 0, 1
	for n := 1; n <= readers; n++ {
		states = append(states, strconv.Itoa(n))
	}
	last := len(states) - 1
	if !exact {
		states[last] += "+"
	}
	c := newMachine(name, Lock, states...)
	reading := func(n int) int { // the state with n readers
		if n == 0 {
			return open
		}
		return n + 1
	}
	for _, e := range events {
		switch e.op {
		case esl.LockOp:
			c.rule(open, e.action, written)
		case esl.Unlock:
			c.rule(written, e.action, open)
		case esl.RLock:
			for n := range readers {
				c.rule(reading(n), e.action, reading(n+1))
			}
			if !exact {
				c.rule(last, e.action, last)
			}
		case esl.RUnlock:
			for n := range readers {
				c.rule(reading(n+1), e.action, reading(n))
			}
			if !exact {
				c.rule(last, e.action, last)
			}
		}
	}
	for _, e := range events {
		c.takesPart(e.action) // also where no rule has it: then it is blocked for ever
	}
	return c.finish()
}

// addFlags adds a component for each flag in use: unset or set, for good.
func (b *builder) addFlags() {
	for f, flag := range b.model.Program.Flags {
		events := b.eventsOn(f, esl.Set, esl.Await, esl.AwaitUnset)
		if len(events) == 0 {
			continue
		}
		c := newMachine(flag.Name, Lock, "unset", "set")
		const unset, set = 0, 1
		for _, e := range events {
			switch e.op {
			case esl.Set:
				c.rule(unset, e.action, set)
			case esl.Await:
				c.rule(set, e.action, set)
			case esl.AwaitUnset:
				c.rule(unset, e.action, unset)
			}
		}
		b.add(c.finish())
	}
}
