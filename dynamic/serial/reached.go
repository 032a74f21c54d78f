package serial

import (
	"math"
	"math/bits"
	"sort"
)

// reached is what is known about reachability between live transactions. Each has a slot while
// it is live; a set is a bit set of slots, of a fixed number of words.
type reached struct {
	words       int
	now         uint64   // counts begins and ends
	begun       []uint64 // by slot: when its transaction began; never, if it is free
	free        []int    // slots
	live, most  int      // transactions, now and at most
	ancestors   []uint64 // by slot: its set, closed and with the slot itself
	descendants []uint64 // likewise
	past        []past   // by slot
	kept        int      // past transactions
	stack       []uint64 // scratch
}

const never = math.MaxUint64

// past are the transactions with ancestors that a slot had, in the order of time.
type past struct {
	spans []span
	refs  references // their ancestors, as done
}

type span struct{ begin, end uint64 }

// at is the index of the transaction that was live at a time, or -1.
func (p *past) at(time uint64) int {
	i := sort.Search(len(p.spans), func(i int) bool { return p.spans[i].end > time })
	if i == len(p.spans) || p.spans[i].begin > time {
		return -1
	}
	return i
}

// references are references one after the other, each a time and two sets: own and done.
type references []uint64

// A reference was up to date at the time that is its first word.
type reference []uint64

func (c *reached) ref(all references, i int) reference {
	size := 1 + 2*c.words
	return reference(all[i*size : (i+1)*size : (i+1)*size])
}

func (c *reached) own(r reference) []uint64  { return r[1 : 1+c.words] }
func (c *reached) done(r reference) []uint64 { return r[1+c.words:] }

// grow makes room for n references.
func (c *reached) grow(all references, n int) references {
	if missing := n*(1+2*c.words) - len(all); missing > 0 {
		all = append(all, make(references, missing)...)
	}
	return all
}

func (c *reached) set(sets []uint64, slot int) []uint64 {
	return sets[slot*c.words : (slot+1)*c.words : (slot+1)*c.words]
}

func has(set []uint64, slot int) bool { return set[slot>>6]>>(slot&63)&1 != 0 }
func add(set []uint64, slot int)      { set[slot>>6] |= 1 << (slot & 63) }
func remove(set []uint64, slot int)   { set[slot>>6] &^= 1 << (slot & 63) }

func empty(words []uint64) bool {
	for _, w := range words {
		if w != 0 {
			return false
		}
	}
	return true
}

// update brings a reference up to date: transactions that have ended give way to their
// ancestors.
func (c *reached) update(r reference) {
	since := r[0]
	if since == c.now {
		return
	}
	r[0] = c.now
	top := len(c.stack)
	any := uint64(0)
	for w := range c.words {
		ended := uint64(0)
		for rest := r[1+w] | r[1+c.words+w]; rest != 0; rest &= rest - 1 {
			if c.begun[w<<6+bits.TrailingZeros64(rest)] > since {
				ended |= rest & -rest
			}
		}
		r[1+w] &^= ended
		r[1+c.words+w] &^= ended
		c.stack = append(c.stack, ended)
		any |= ended
	}
	if any != 0 {
		done := c.done(r)
		for w := range c.words {
			for rest := c.stack[top+w]; rest != 0; rest &= rest - 1 {
				c.inherit(done, w<<6+bits.TrailingZeros64(rest), since)
			}
		}
	}
	c.stack = c.stack[:top]
}

// inherit adds the ancestors of the transaction that a slot had at a time.
func (c *reached) inherit(to []uint64, slot int, time uint64) {
	p := &c.past[slot]
	i := p.at(time)
	if i < 0 {
		return
	}
	r := c.ref(p.refs, i)
	c.update(r)
	for w, d := range c.done(r) {
		to[w] |= d
	}
}

// isOwn says whether the live transaction in a slot is itself in a reference.
func (c *reached) isOwn(r reference, slot int) bool {
	return has(r[1:], slot) && c.begun[slot] <= r[0]
}

// begin makes a transaction live. There must be a free slot.
func (c *reached) begin() int {
	slot := c.free[len(c.free)-1]
	c.free = c.free[:len(c.free)-1]
	c.now++
	c.live++
	c.most = max(c.most, c.live)
	c.begun[slot] = c.now
	add(c.set(c.ancestors, slot), slot)
	add(c.set(c.descendants, slot), slot)
	return slot
}

// end ends the transaction in a slot and leaves its ancestors in r.
func (c *reached) end(slot int, r reference) {
	c.now++
	clear(r)
	r[0] = c.now
	above, below := c.set(c.ancestors, slot), c.set(c.descendants, slot)
	remove(above, slot)
	remove(below, slot)
	done := c.done(r)
	copy(done, above)
	if !empty(done) {
		p := &c.past[slot]
		n := len(p.spans)
		p.spans = append(p.spans, span{c.begun[slot], c.now})
		p.refs = append(p.refs[:n*len(r)], r...)
		c.kept++
	}
	for w := range c.words {
		for rest := above[w]; rest != 0; rest &= rest - 1 {
			remove(c.set(c.descendants, w<<6+bits.TrailingZeros64(rest)), slot)
		}
		for rest := below[w]; rest != 0; rest &= rest - 1 {
			remove(c.set(c.ancestors, w<<6+bits.TrailingZeros64(rest)), slot)
		}
	}
	clear(above)
	clear(below)
	c.live--
	c.begun[slot] = never
	c.free = append(c.free, slot)
}

// follow adds edges from all that r refers to, to the live transaction in a slot. It returns
// false if one of them closes a cycle.
func (c *reached) follow(slot int, r reference) bool {
	c.update(r)
	own, done := c.own(r), c.done(r)
	above, below := c.set(c.ancestors, slot), c.set(c.descendants, slot)
	fresh := uint64(0)
	for w := range own {
		o := own[w]
		if w == slot>>6 {
			o &^= 1 << (slot & 63)
		}
		from := o | done[w]
		if from&below[w] != 0 {
			return false
		}
		fresh |= from &^ above[w]
	}
	if fresh != 0 {
		c.link(slot, own, done)
	}
	return true
}

// link adds two sets, and what is above them, to the ancestors of a slot and of all below it.
func (c *reached) link(slot int, own, done []uint64) {
	above, below := c.set(c.ancestors, slot), c.set(c.descendants, slot)
	top := len(c.stack)
	for range c.words {
		c.stack = append(c.stack, 0)
	}
	more := c.stack[top:]
	for w := range own {
		for rest := (own[w] | done[w]) &^ above[w]; rest != 0; rest &= rest - 1 {
			for i, a := range c.set(c.ancestors, w<<6+bits.TrailingZeros64(rest)) {
				more[i] |= a
			}
		}
	}
	for w := range more {
		more[w] &^= above[w]
	}
	for w := range more {
		for rest := below[w]; rest != 0; rest &= rest - 1 {
			to := c.set(c.ancestors, w<<6+bits.TrailingZeros64(rest))
			for i, m := range more {
				to[i] |= m
			}
		}
		for rest := more[w]; rest != 0; rest &= rest - 1 {
			to := c.set(c.descendants, w<<6+bits.TrailingZeros64(rest))
			for i, b := range below {
				to[i] |= b
			}
		}
	}
	c.stack = c.stack[:top]
}
