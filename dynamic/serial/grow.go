package serial

import "github.com/empire-go/empire-go/dynamic/trace/std"

// addThreads makes room for n threads.
func (c *Checker) addThreads(n int) {
	for len(c.threads) < n {
		c.threads = append(c.threads, thread{slot: none})
	}
	c.threadRefs = c.grow(c.threadRefs, 2*n)
}

func (c *Checker) addLock(l int) {
	if l < len(c.locks) {
		return
	}
	for len(c.locks) <= l {
		c.locks = append(c.locks, lock{holder: none})
	}
	c.lockRefs = c.grow(c.lockRefs, 2*len(c.locks))
}

func (c *Checker) addVariable(x int) {
	if x >= c.variables {
		c.variables = x + 1
		c.variableRefs = c.grow(c.variableRefs, 2*c.variables)
	}
}

// addCondition makes room for what waits for a lock.
func (c *Checker) addCondition(l int) {
	if l >= c.waited {
		c.waited = l + 1
		c.conditionRefs = c.grow(c.conditionRefs, 2*c.waited)
	}
}

func (c *Checker) addChannel(x int) {
	if x >= c.channels {
		c.channels = x + 1
		c.channelRefs = c.grow(c.channelRefs, c.channels)
	}
}

// refs are all references.
func (c *Checker) refs() []*references {
	return []*references{&c.threadRefs, &c.lockRefs, &c.variableRefs, &c.conditionRefs, &c.channelRefs}
}

// addSlots doubles the number of slots, and makes sets as wide as that needs.
func (c *Checker) addSlots() {
	const atFirst = 16
	n := len(c.begun)
	all := max(2*n, atFirst)
	if to := (all + 63) / 64; to > c.words {
		c.widen(to)
	}
	for slot := all - 1; slot >= n; slot-- {
		c.free = append(c.free, slot) // the lowest is taken first
	}
	for range all - n {
		c.begun = append(c.begun, never)
		c.past = append(c.past, past{})
	}
	c.ancestors = append(c.ancestors, make([]uint64, (all-n)*c.words)...)
	c.descendants = append(c.descendants, make([]uint64, (all-n)*c.words)...)
}

// widen makes all sets wider.
func (c *Checker) widen(to int) {
	c.sweep() // so that the past need not be widened
	for _, refs := range c.refs() {
		*refs = widen(*refs, 1, 2, c.words, to)
	}
	c.ancestors = widen(c.ancestors, 0, 1, c.words, to)
	c.descendants = widen(c.descendants, 0, 1, c.words, to)
	c.words = to
}

// widen makes the sets of runs of words wider: each run has lead other words, then some sets.
func widen(all []uint64, lead, sets, from, to int) []uint64 {
	size := lead + sets*from
	out := make([]uint64, 0, len(all)/size*(lead+sets*to))
	for ; len(all) > 0; all = all[size:] {
		out = append(out, all[:lead]...)
		for s := range sets {
			out = append(out, all[lead+s*from:lead+(s+1)*from]...)
			out = append(out, make([]uint64, to-from)...)
		}
	}
	return out
}

// sweep brings all references up to date, so that the past can be forgotten.
func (c *Checker) sweep() {
	for _, all := range c.refs() {
		refs := *all
		for size := 1 + 2*c.words; len(refs) > 0; refs = refs[size:] {
			c.update(reference(refs[:size]))
		}
	}
	for i := range c.past {
		p := &c.past[i]
		p.spans, p.refs = p.spans[:0], p.refs[:0]
	}
	c.kept = 0
	c.atMost = max(c.atLeast, len(c.threads)+len(c.locks)+c.variables+c.waited+c.channels)
}

// Forget takes from the tables of the scanner that the events come from the threads, locks, variables and
// channels that the checker knows no more about than about new ones: nothing that a
// transaction to come can get an edge from.
func (c *Checker) Forget(s *std.Scanner) {
	c.sweep()
	idle := func(refs references, i int) bool { return empty(c.ref(refs, i)[1:]) }
	s.Threads.Forget(func(t uint32) bool {
		i := int(t)
		return i >= len(c.threads) || c.threads[i].slot == none && !c.threads[i].forked && idle(c.threadRefs, 2*i) &&
			idle(c.threadRefs, 2*i+1) && !c.unended.Thread(t)
	})
	both := func(refs references, count int, i uint32) bool {
		return int(i) >= count || idle(refs, 2*int(i)) && idle(refs, 2*int(i)+1)
	}
	s.Locks.Forget(func(l uint32) bool {
		return both(c.lockRefs, len(c.locks), l) && both(c.conditionRefs, c.waited, l) && !c.unended.Lock(l)
	})
	s.Variables.Forget(func(x uint32) bool { return both(c.variableRefs, c.variables, x) })
	s.Channels.Forget(func(x uint32) bool {
		return (int(x) >= c.channels || idle(c.channelRefs, int(x))) && !c.unended.Channel(x)
	})
}
