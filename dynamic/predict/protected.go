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
// et al., 1997), or as nobody writes it, or has it, but one thread. Two things do not count: what one thread does alone
// before others have the variable, if it comes before all that they do to it, and before the block; if it does not, it
// has to be protected in the same way. And what comes after the block in every run, as what is printed when all have
// been waited for. This is known at the end of the trace; until then it is a promise.

// protection is what is known of who has a variable.
type protection struct {
	thread uint32   // who had it alone, and 1
	alone  order.ID // the last access that it had alone
	others since    // the accesses of others
	counts bool     // what one had alone counts: an access need not come after it
	first  access   // those that one had alone
	later  access   // those since it is shared
}

// since is what accesses that break a promise come after, all of them.
type since struct {
	broken bool
	after  []int32 // by thread: the index of an event
	added  []int32 // by thread: the index of its first access, or of an earlier thread with the number; 0: none
}

// add adds an access of a thread whose events have indices above one. What its later accesses come after is no less.
func (s *since) add(e *order.Event, born int32) {
	n := max(e.Enter.Len(), int(e.Thread)+1)
	if n > len(s.added) {
		s.added = append(s.added, make([]int32, n-len(s.added))...)
	}
	if s.added[e.Thread] > born {
		return
	}
	s.added[e.Thread] = e.Index
	if !s.broken {
		s.broken, s.after = true, make([]int32, n)
		e.Enter.CopyTo(s.after)
		s.after[e.Thread] = e.Index - 1
		return
	}
	for t := range s.after {
		if t := int32(t); t == e.Thread {
			s.after[t] = min(s.after[t], e.Index-1)
		} else {
			s.after[t] = min(s.after[t], e.Enter.At(t))
		}
	}
}

// isAfter tells whether all of them come after an event.
func (s *since) isAfter(id order.ID) bool {
	return !s.broken || int(id.Thread) < len(s.after) && s.after[id.Thread] >= id.Index
}

// isNothing tells whether there is no event that they all come after.
func (s *since) isNothing() bool {
	return s.broken && !slices.ContainsFunc(s.after, func(index int32) bool { return index > 0 })
}

// access is what some accesses have in common.
type access struct {
	any  bool
	ways []way // in which they are protected, or were
}

// way is a way in which accesses to a variable are protected, apart from those that break it.
type way struct {
	how  uint32 // one of those below
	lock uint32
	since
}

// add adds one.
func (a *access) add(e *order.Event, born int32) {
	if !a.any {
		a.any = true
		if !e.Kind.Writes() {
			a.ways = append(a.ways, way{how: unwritten})
		}
		for l := e.Held; l != nil; l = l.Next {
			a.ways = append(a.ways, way{how: byHolders, lock: l.Lock})
			if !l.Shared {
				a.ways = append(a.ways, way{how: byWriters, lock: l.Lock})
			}
		}
		return
	}
	isNothing := false
	for i := range a.ways {
		if w := &a.ways[i]; !w.keeps(e) {
			w.since.add(e, born)
			isNothing = isNothing || w.isNothing()
		}
	}
	if isNothing {
		a.ways = slices.DeleteFunc(a.ways, func(w way) bool { return w.isNothing() })
	}
}

// keeps tells whether an access is protected in the way.
func (w *way) keeps(e *order.Event) bool {
	if w.how == unwritten {
		return !e.Kind.Writes()
	}
	return isHeld(e.Held, w.lock, w.how == byWriters)
}

// keeps tells whether a promise holds for them, where they do not come after all of an event.
func (a *access) keeps(p promise, last order.ID) bool {
	w := a.way(p.how, p.lock)
	return !a.any || w != nil && w.isAfter(last)
}

// holds tells whether they are all protected in a way.
func (a *access) holds(how, lock uint32) bool {
	w := a.way(how, lock)
	return !a.any || w != nil && !w.broken
}

// way is one of them; nil if they were not all protected in it.
func (a *access) way(how, lock uint32) *way {
	for i := range a.ways {
		if w := &a.ways[i]; w.how == how && w.lock == lock {
			return w
		}
	}
	return nil
}

// access notes an access to the variable by a thread whose events have indices above one.
func (v *protection) access(thread uint32, e *order.Event, born int32) {
	if v.thread == 0 || !v.others.broken && v.thread == thread+1 {
		v.thread, v.alone = thread+1, e.ID
		v.first.add(e, born)
		return
	}
	if v.thread != thread+1 {
		v.others.add(e, born)
	}
	v.counts = v.counts || !v.isAfter(e.ID, e.Enter)
	v.later.add(e, born)
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

// isKept tells whether all others that have had the variable so far held one of the locks that a block of a thread
// holds throughout, so that they could not at the same time.
func (v *protection) isKept(thread int32, guards []*order.Held) bool {
	if !v.others.broken && v.alone.Thread == thread {
		return true
	}
	for _, g := range guards {
		if how := guarding(g); v.first.holds(how, g.Lock) && v.later.holds(how, g.Lock) {
			return true
		}
	}
	return false
}

// guarding is the way in which a lock that a block holds keeps others out.
func guarding(g *order.Held) uint32 {
	if g.Shared {
		return byWriters
	}
	return byHolders
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

// keeps tells whether the promise holds so far for blocks with a last access, or earlier ones of its thread.
func (v *protection) keeps(p promise, last order.ID) bool {
	if p.how == byOne {
		return v.others.isAfter(last)
	}
	return v.later.keeps(p, last) && (!v.counts || v.first.keeps(p, last))
}

// protected finds a promise that holds so far for a block from an access to a last one that holds some locks.
func (v *protection) protected(variable uint32, begin *order.Event, last order.ID, guards []*order.Held) (promise,
	bool) {
	isOwn := v.alone.Thread == begin.Thread // what others do is all that is not its own
	if p := (promise{variable, byOne, 0}); isOwn && v.keeps(p, last) {
		return p, true
	}
	v.counts = v.counts || !v.isAfter(begin.ID, begin.Before)
	all := []promise{{variable, unwritten, 0}}
	for _, g := range guards {
		all = append(all, promise{variable, guarding(g), g.Lock})
	}
	for _, p := range all {
		if v.keeps(p, last) {
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
	last           map[int32]int32 // by thread: the index of the last access of its last block
	static, search int
}

// keeps tells whether a promise holds for all of the blocks.
func (of *promised) keeps(v *protection, p promise) bool {
	for thread, index := range of.last {
		if !v.keeps(p, order.ID{Thread: thread, Index: index}) {
			return false
		}
	}
	return true
}

// noteAccess notes who has a variable.
func (p *predictor) noteAccess(e events.Event, variable uint32, added *order.Event) {
	for int(variable) >= len(p.protections) {
		p.protections = append(p.protections, make([]protection, max(64, len(p.protections)))...)
	}
	p.protections[variable].access(e.Thread, added, p.h.Born(added.Thread))
}

// promise finds out whether promises are enough for a block, and returns where it is to be counted; nil if they are
// not.
func (p *predictor) promise(b *block, s *segment.Segment) *promised {
	begin, last := p.h.Find(b.id(0)), b.id(len(b.Accesses)-1)
	set, open := map[promise]bool{}, 0
	for i := range b.Accesses {
		variable := p.h.Find(b.id(i)).Object
		of, ok := p.protections[variable].protected(variable, begin, last, s.Guards)
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
		of = &promised{all: all, last: map[int32]int32{}}
		p.promises[string(key)] = of
	}
	of.last[last.Thread] = max(of.last[last.Thread], last.Index)
	return of
}

// settle counts the blocks of promises that do not hold at the end.
func (p *predictor) settle() {
	for _, of := range p.promises {
		for _, one := range of.all {
			if !of.keeps(&p.protections[one.variable], one) {
				p.report.Static -= of.static
				p.report.Atomic -= of.search
				p.report.Cut += of.static + of.search
				break
			}
		}
	}
}
