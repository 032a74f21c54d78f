package histories

import (
	"encoding/binary"
	"slices"
)

// lockSet is a set of locks.
type lockSet uint64

func (s lockSet) with(lock int8) lockSet { return s | 1<<lock }

// history is what matters of what a thread has done with locks in a phase. A lock that it
// used more than once is in the first of its uses before a release, and in the last after
// an acquisition; each implies the others. One in neither is in the last of before.
type history struct {
	begin []int8 // held at the beginning, the last taken last
	kept  int    // how many of begin it has not released; the first ones
	// the locks used before the first release of one of begin, before the second, and so on, and
	// behind the last
	before []lockSet
	taken  []taking // taken in the phase and not released, in order
}

// taking is a lock with those used after it was taken, and before the next of taken.
type taking struct {
	lock int8
	used lockSet
}

// newHistory is that of the beginning of a phase.
func newHistory(held []int8) history {
	return history{begin: held, kept: len(held), before: []lockSet{0}}
}

// held returns the locks that the thread has, the last taken last.
func (h history) held() []int8 {
	locks := slices.Clone(h.begin[:h.kept])
	for _, t := range h.taken {
		locks = append(locks, t.lock)
	}
	return locks
}

// after returns the history after one more step; not ok if the thread is blocked for ever,
// or breaks the nesting.
func (h history) after(use lockUse) (after history, ok bool) {
	h.before, h.taken = slices.Clone(h.before), slices.Clone(h.taken)
	top := len(h.taken) - 1
	switch {
	case use.kind == acquires:
		if slices.Contains(h.held(), use.lock) {
			return h, false
		}
		h.taken = append(h.taken, taking{lock: use.lock})
	case top >= 0:
		inner := h.taken[top]
		if inner.lock != use.lock {
			return h, false
		}
		h.taken = h.taken[:top]
		h.use(inner.used.with(inner.lock))
	default:
		if h.kept == 0 || h.begin[h.kept-1] != use.lock {
			return h, false
		}
		h.kept--
		h.before = append(h.before, 0)
	}
	return h, true
}

// use notes that locks were taken and released.
func (h history) use(locks lockSet) {
	last, top := len(h.before)-1, len(h.taken)-1
	if top < 0 {
		for _, earlier := range h.before[:last] {
			locks &^= earlier
		}
		h.before[last] |= locks
		return
	}
	h.before[last] &^= locks
	for i := range h.taken {
		h.taken[i].used &^= locks
	}
	h.taken[top].used |= locks
}

// uses returns a run of steps with the history.
func (h history) uses() []lockUse {
	var steps []lockUse
	each := func(set lockSet) {
		for lock := int8(0); set>>lock != 0; lock++ {
			if set>>lock&1 != 0 {
				steps = append(steps, lockUse{lock, acquires}, lockUse{lock, releases})
			}
		}
	}
	for i, set := range h.before {
		each(set)
		if i < len(h.before)-1 {
			steps = append(steps, lockUse{h.begin[len(h.begin)-1-i], releases})
		}
	}
	for _, t := range h.taken {
		steps = append(steps, lockUse{t.lock, acquires})
		each(t.used)
	}
	return steps
}

// key identifies a history.
func (h history) key() string {
	b := []byte{byte(len(h.begin)), byte(h.kept), byte(len(h.taken))}
	for _, l := range h.begin {
		b = append(b, byte(l))
	}
	for _, set := range h.before {
		b = binary.LittleEndian.AppendUint64(b, uint64(set))
	}
	for _, t := range h.taken {
		b = binary.LittleEndian.AppendUint64(append(b, byte(t.lock)), uint64(t.used))
	}
	return string(b)
}
