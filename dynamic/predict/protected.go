package predict

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/predict/order"
	"github.com/empire-go/empire-go/dynamic/predict/segment"
)

// A block whose segment leaves the window is proved to be atomic by what holds in all of the trace, if that is enough:
// at most one of its accesses is to a variable that is not protected from others while it goes on. A variable is
// protected by a lock that the block holds throughout and everybody holds who has the variable (the lock sets of Savage
// et al., 1997), or as nobody writes it, or has it, but one thread. What one thread does alone before others have the
// variable does not count, if it comes before all that they do to it, and before the block. This is known at the end of
// the trace; until then it is a promise. If it does not come before, it has to be protected in the same way.

// protection is what is known of who has a variable.
type protection struct {
	thread uint32   // who had it alone, and 1
	alone  order.ID // the last access that it had alone
	shared bool     // others have it as well
	counts bool     // what one had alone counts: an access need not come after it
	first  access   // those that one had alone
	later  access   // those since it is shared
}

// access is what some accesses have in common.
type access struct {
	any, written bool
	// locks that are held at each of them, by a writer or a reader of the lock, or a writer
	held, exclusive []uint32
}

// add adds one.
func (a *access) add(e *order.Event) {
	a.written = a.written || e.Kind.Writes()
	if !a.any {
		a.any = true
		for l := e.Held; l != nil; l = l.Next {
			a.held = append(a.held, l.Lock)
			if !l.Shared {
				a.exclusive = append(a.exclusive, l.Lock)
			}
		}
		return
	}
	a.held = slices.DeleteFunc(a.held, func(lock uint32) bool { return !isHeld(e.Held, lock, false) })
	a.exclusive = slices.DeleteFunc(a.exclusive, func(lock uint32) bool { return !isHeld(e.Held, lock, true) })
}

// keeps tells whether a promise holds for them.
func (a *access) keeps(p promise) bool {
	switch p.how {
	case unwritten:
		return !a.written
	case byHolders:
		return slices.Contains(a.held, p.lock)
	}
	return slices.Contains(a.exclusive, p.lock)
}

// access notes an access to the variable.
func (v *protection) access(thread uint32, e *order.Event) {
	if v.thread == 0 || !v.shared && v.thread == thread+1 {
		v.thread, v.alone = thread+1, e.ID
		v.first.add(e)
		return
	}
	v.shared = true
	v.counts = v.counts || !v.isAfter(e.ID, e.Enter)
	v.later.add(e)
}

// isAfter tells whether an event comes after all that one thread has done alone, or is of that thread.
func (v *protection) isAfter(id order.ID, clock *order.Clock) bool {
	return id.Thread == v.alone.Thread || clock.At(v.alone.Thread) >= v.alone.Index
}

// isHeld tells whether a lock is held, for writing if that is asked for.
func isHeld(l *order.Held, lock uint32, exclusively bool) bool {
	for ; l != nil; l = l.Next {
		if l.Lock == lock && !(exclusively && l.Shared) {
			return true
		}
	}
	return false
}

// promise is a way in which a variable is protected.
type promise struct {
	variable uint32
	how      uint32 // one of those below
	lock     uint32
}

const (
	byOne uint32 = iota
	unwritten
	byHolders
	byWriters
)

// keeps tells whether the promise holds so far.
func (v *protection) keeps(p promise) bool {
	if p.how == byOne {
		return !v.shared
	}
	return v.later.keeps(p) && (!v.counts || v.first.keeps(p))
}

// protected finds a promise that holds so far for a block that begins with an access and holds some locks.
func (v *protection) protected(variable uint32, begin *order.Event, guards []*order.Held) (promise, bool) {
	if p := (promise{variable, byOne, 0}); v.keeps(p) {
		return p, true
	}
	v.counts = v.counts || !v.isAfter(begin.ID, begin.Before)
	all := []promise{{variable, unwritten, 0}}
	for _, g := range guards {
		how := byHolders
		if g.Shared {
			how = byWriters
		}
		all = append(all, promise{variable, how, g.Lock})
	}
	for _, p := range all {
		if v.keeps(p) {
			return p, true
		}
	}
	return promise{}, false
}

// mostPromised is how many sets of promises are kept.
const mostPromised = 1 << 16

// promised are blocks that are atomic if some promises hold to the end of the trace.
type promised struct {
	all            []promise
	static, search int
}

// noteAccess notes who has a variable.
func (p *predictor) noteAccess(e events.Event, variable uint32, added *order.Event) {
	for int(variable) >= len(p.protections) {
		p.protections = append(p.protections, make([]protection, max(64, len(p.protections)))...)
	}
	p.protections[variable].access(e.Thread, added)
}

// promise finds out whether promises are enough for a block, and returns where it is to be counted; nil if they are
// not.
func (p *predictor) promise(b *block, s *segment.Segment) *promised {
	begin := p.h.Find(b.id(0))
	set, open := map[promise]bool{}, 0
	for i := range b.Accesses {
		variable := p.h.Find(b.id(i)).Object
		of, ok := p.protections[variable].protected(variable, begin, s.Guards)
		if ok {
			set[of] = true
		} else if open++; open == 2 {
			return nil
		}
	}
	all := make([]promise, 0, len(set))
	for of := range set {
		all = append(all, of)
	}
	slices.SortFunc(all, func(a, b promise) int {
		return cmp.Or(cmp.Compare(a.variable, b.variable), cmp.Compare(a.how, b.how), cmp.Compare(a.lock, b.lock))
	})
	var key []byte
	for _, of := range all {
		key = binary.AppendUvarint(key, uint64(of.variable))
		key = binary.AppendUvarint(key, uint64(of.how))
		key = binary.AppendUvarint(key, uint64(of.lock))
	}
	of := p.promises[string(key)]
	if of == nil {
		if len(p.promises) == mostPromised {
			return nil
		}
		of = &promised{all: all}
		p.promises[string(key)] = of
	}
	return of
}

// settle counts the blocks of promises that do not hold at the end.
func (p *predictor) settle() {
	for _, of := range p.promises {
		for _, one := range of.all {
			if !p.protections[one.variable].keeps(one) {
				p.report.Static -= of.static
				p.report.Atomic -= of.search
				p.report.Cut += of.static + of.search
				break
			}
		}
	}
}
