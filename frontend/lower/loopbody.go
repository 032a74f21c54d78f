package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// The body of a loop over a function is a function of its own, which the iterator
// calls. What it defers runs when the function around the loop returns. So each
// function between the two has a clone for each set of deferred calls that it may
// leave behind, and the function around the loop runs them.

// leftBehind is a deferred call that a loop body leaves for the function around it.
type leftBehind struct {
	deferred
	owner *ssa.Function
	calls map[*pointsto.Node]bool // what leads to the body by calls
}

// maxLeftBehind bounds them: each can double the clones between a loop body and the
// function around it.
const maxLeftBehind = 8

// deferInBody lowers a defer statement in the body of a loop over a function. Which
// deferred calls there are is found out in rounds: a new one begins another round.
func (l *lowerer) deferInBody(c *clone, s state, d deferred) []outcome {
	once, ok := l.indexLeftBehind(d)
	if !ok {
		return one(nil, s)
	}
	s.pushed = addLeftBehind(s.pushed, 1<<once)
	if !c.mayLeave(s.pushed) {
		return nil // the way of another clone
	}
	return one(nil, s)
}

// Of a set of deferred calls left behind, the even bits stand for those that were
// deferred once, the odd ones for those that were deferred several times.

// onceBits returns the set in which those deferred several times are deferred once.
func onceBits(set uint32) uint32 { return set >> 1 & 0x55555555 }

// mayLeave tells whether the set can be part of what the clone leaves behind.
func (c *clone) mayLeave(set uint32) bool { return set&^(c.pushes|onceBits(c.pushes)) == 0 }

// addLeftBehind returns the calls of both sets: one that is in both was deferred
// several times.
func addLeftBehind(a, b uint32) uint32 {
	const even = 0x55555555
	once, often := (a|b)&even, (a|b)>>1&even|a&b&even
	return once&^often | often<<1
}

// indexLeftBehind returns the even bit of a deferred call; ok is false if it is new,
// and the round is lost.
func (l *lowerer) indexLeftBehind(d deferred) (bit int, ok bool) {
	for i, known := range l.leftBehind {
		if known.same(d) {
			return 2 * i, true
		}
	}
	if len(l.leftBehind) == maxLeftBehind {
		l.err = ErrTooLarge
		return 0, false
	}
	l.leftBehind = append(l.leftBehind, leftBehind{d, modref.LoopOwner(d.instr.Parent()), l.CallersOf(d.node)})
	l.lost = true
	return 0, false
}

// leavings returns the sets of deferred calls that a call of the callee in c may
// leave behind: for c itself, if it is the function around the loop, or for the
// functions that c was called by.
func (l *lowerer) leavings(c *clone, callee *pointsto.Node) []uint32 {
	sets := []uint32{0}
	for i, d := range l.leftBehind {
		if !d.calls[callee] {
			continue
		}
		once, often := uint32(1)<<(2*i), uint32(2)<<(2*i)
		own := d.owner == c.fn.Func
		for _, set := range sets[:len(sets):len(sets)] {
			if own || c.pushes&(once|often) != 0 {
				sets = append(sets, set|once)
			}
			if own || c.pushes&often != 0 {
				sets = append(sets, set|often)
			}
		}
	}
	return sets
}

// afterLeaving returns the state after a call that left the deferred calls behind.
func (l *lowerer) afterLeaving(c *clone, s state, set uint32) state {
	for i, d := range l.leftBehind {
		bits := set & (3 << (2 * i))
		switch {
		case bits == 0:
		case d.owner == c.fn.Func:
			s = s.push(d.deferred)
			if bits&(2<<(2*i)) != 0 {
				s = s.push(d.deferred)
			}
		default:
			s.pushed = addLeftBehind(s.pushed, bits)
		}
	}
	return s
}
