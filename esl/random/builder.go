package random

import "github.com/empire-go/empire-go/esl"

// builder generates the body of one function.
type builder struct {
	*generator
	self   int    // the function
	label  string // of its units
	body   []esl.Stmt
	held   bool // the guarding lock is held
	nested int  // open blocks
}

func (b *builder) emit(s esl.Stmt) { b.body = append(b.body, s) }

// work generates what an entry function does: one or two units, called or in
// place, at times in a loop or a branch, with flags or with channels.
func (b *builder) work() {
	for range 1 + b.IntN(2) {
		if len(b.program.Channels) > 0 && b.chance(0.5) {
			b.channel()
		}
		switch n := b.IntN(20); {
		case n < 8:
			b.call(pick(b.Rand, b.methods))
		case n < 14:
			b.unit()
		case n < 16:
			b.loop(func() { b.call(pick(b.Rand, b.methods)) })
		case n < 17:
			b.loop(b.unit)
		case n < 18:
			b.branch(b.unit, func() { b.call(pick(b.Rand, b.methods)) })
		case n < 19 && len(b.program.Flags) > 0:
			b.emit(esl.Stmt{Op: pick(b.Rand, []esl.Op{esl.Set, esl.Await, esl.AwaitUnset})})
		default:
			b.accesses(1)
		}
	}
}

// channel generates an operation on a channel: as a rule one process sends and closes,
// and the others receive until it is closed, or once.
func (b *builder) channel() {
	channel := b.IntN(len(b.program.Channels))
	operate := func(op esl.Op) func() { return func() { b.emit(esl.Stmt{Op: op, Arg: channel}) } }
	gives := b.self == b.giver
	if b.chance(0.1) {
		gives = !gives
	}
	switch n := b.IntN(8); {
	case gives && n < 6:
		operate(esl.Send)()
	case gives:
		operate(esl.CloseChannel)()
	case n < 5:
		operate(esl.Receive)()
	case n < 6:
		b.branch(operate(esl.Receive), operate(esl.ReceiveClosed))
	case n < 7:
		b.branch(operate(esl.Receive), func() { b.emit(esl.Stmt{Op: esl.Skip}) })
	default:
		operate(esl.ReceiveClosed)()
	}
}

func (b *builder) call(function int) { b.emit(esl.Stmt{Op: esl.Call, Arg: function}) }

// recursive generates a method that calls itself, at times under a lock or within
// its unit.
func (b *builder) recursive() {
	inside := b.chance(0.5)
	again := func() {
		b.branch(func() { b.call(b.self) }, func() { b.emit(esl.Stmt{Op: esl.Skip}) })
	}
	b.emit(esl.Stmt{Op: esl.UnitBegin, Unit: b.label})
	b.accesses(1)
	if inside {
		again()
		b.section(1)
	}
	b.emit(esl.Stmt{Op: esl.UnitEnd})
	if !inside {
		again()
	}
}

// unit generates a unit of work: one critical section as a rule; at times two,
// a nested unit, a call, a branch or a loop.
func (b *builder) unit() {
	begin := b.unitBegin()
	b.nested++
	switch n := b.IntN(20); {
	case n < 10 || b.nested > 2:
		b.section(1 + b.IntN(3))
	case n < 13:
		b.section(1)
		b.section(1)
	case n < 14:
		b.section(1)
		b.unit()
	case n < 16 && len(b.methods) > 0:
		b.call(pick(b.Rand, b.methods))
	case n < 17:
		b.branch(func() { b.section(1) }, func() { b.section(2) })
	case n < 18:
		b.loop(func() { b.section(1) })
	default:
		b.section(2)
	}
	b.nested--
	b.emit(esl.Stmt{Op: esl.UnitEnd, Arg: begin.Arg})
}

// unitBegin begins a unit, on the second object at times, or with it.
func (b *builder) unitBegin() esl.Stmt {
	begin := esl.Stmt{Op: esl.UnitBegin, Unit: b.label}
	if len(b.program.Objects) > 1 {
		switch b.IntN(4) {
		case 0:
			begin.With = []int{1}
		case 1:
			begin.Arg = 1
		}
	}
	b.emit(begin)
	return begin
}

// section generates a few accesses, in a critical section if the discipline of the
// program asks for it. Its lock is the first one but for rare slips.
func (b *builder) section(accesses int) {
	if b.held || !b.chance(b.lockProbability) {
		b.accesses(accesses)
		return
	}
	lock := 0
	if b.chance(0.1) {
		lock = b.IntN(len(b.program.Locks))
	}
	acquire, release := esl.LockOp, esl.Unlock
	switch {
	case b.token && lock == 0:
		acquire, release = esl.Send, esl.Receive
	case b.program.Locks[lock].Kind == esl.RW && b.chance(0.4):
		acquire, release = esl.RLock, esl.RUnlock
	}
	b.emit(esl.Stmt{Op: acquire, Arg: lock})
	b.held = true
	b.accesses(accesses)
	b.held = false
	if !b.chance(0.02) { // a lock that is not released
		b.emit(esl.Stmt{Op: release, Arg: lock})
	}
}

// accesses generates accesses, or a call of a function that does them.
func (b *builder) accesses(n int) {
	for range n {
		if len(b.raw) > 0 && b.chance(0.15) {
			b.call(b.raw[0])
			continue
		}
		b.access()
	}
}

func (b *builder) access() {
	kinds := []esl.AccessKind{esl.Read, esl.Write}
	if b.rare(0.15) {
		kinds = []esl.AccessKind{esl.AtomicRead, esl.AtomicWrite, esl.RMW, esl.Increment, esl.Increment}
	}
	s := esl.Stmt{Op: esl.Access, Access: pick(b.Rand, kinds), Arg: b.IntN(len(b.program.Locations))}
	if s.Access.Reads() && b.rare(0.05) {
		s.Key = pick(b.Rand, []string{"k", "l"})
	}
	b.emit(s)
	if s.Key != "" && b.chance(0.5) {
		b.access()
		b.emit(esl.Stmt{Op: esl.Forget, Key: s.Key})
	}
}

// loop generates a loop that runs its content any number of times, at least once.
func (b *builder) loop(content func()) {
	head := len(b.body)
	content()
	b.emit(esl.Stmt{Op: esl.Choice, Targets: []int{head, len(b.body) + 1}})
}

// branch generates a choice of two arms.
func (b *builder) branch(one, two func()) {
	choice := len(b.body)
	b.emit(esl.Stmt{Op: esl.Choice})
	one()
	jump := len(b.body)
	b.emit(esl.Stmt{Op: esl.Goto})
	two()
	b.body[choice].Targets = []int{choice + 1, jump + 1}
	b.body[jump].Targets = []int{len(b.body)}
}
