package atomicity

import (
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// isAsAt tells whether everything that a path does to shared memory can be seen as done at one moment
// of it, and is what the unit does when it runs whole at that moment.
func (u *unit) isAsAt(o *outcome, m *moment) bool {
	for _, w := range o.writes {
		if w.time != m.time && !u.isHidden(w, m) {
			return false
		}
	}
	whole := u.newRun()
	whole.moment, whole.stop = m, o
	s := u.entry()
	s.conds, s.seen = slices.Clone(o.conds), o.seen
	whole.explore(s)
	if whole.why != nil {
		u.last = whole.why
		return false
	}
	for _, q := range whole.outcomes {
		if !u.isSameOutcome(o, q, m) {
			u.last = &notReduced{o.at, "has another outcome when others come between"}
			return false
		}
	}
	return true
}

// isHidden tells whether others can neither see nor overwrite what was written until the moment, or
// from the moment on.
func (u *unit) isHidden(w write, m *moment) bool {
	for _, h := range w.held {
		if h.exclusive && slices.Contains(m.held, h) && u.guards(h, w.address, u.of(w.class).all) {
			return true
		}
	}
	return false
}

// equation is two values that have to be equal.
type equation struct{ a, b term }

// isSameOutcome compares the outcome of a path with one of the unit as a whole, of which the conditions
// are those of both.
func (u *unit) isSameOutcome(o, q *outcome, m *moment) bool {
	if u.close(q.conds).contradiction {
		return true // it is not from the same start
	}
	if o.kind != q.kind || len(o.results) != len(q.results) || o.kind != returns && !isAt(o.state, q.state) {
		return false
	}
	var all []equation
	var ours, theirs []term // that lead to memory which the unit has made
	add := func(a, b term) {
		all = append(all, equation{a, b})
		ours, theirs = append(ours, a), append(theirs, b)
	}
	for i := range o.results {
		add(o.results[i], q.results[i])
	}
	if o.kind != returns && !u.live(o.state, q.state, add) {
		return false
	}
	if o.kind == panics && !slices.EqualFunc(o.held, q.held, func(h, k hold) bool {
		return h.lock == k.lock && h.exclusive == k.exclusive
	}) {
		return false
	}
	if !u.sameSums(o, q) || !u.sameWrites(o, q, m, add) {
		return false
	}
	return u.sameMade(o, q, ours, theirs, &all) && u.hold(q.conds, all)
}

// hold tells whether equations follow from conditions.
func (u *unit) hold(conds []literal, all []equation) bool {
	var terms []term
	for _, e := range all {
		terms = append(terms, e.a, e.b)
	}
	c := u.close(conds, terms...)
	for _, e := range all {
		if e.a != e.b && !c.areEqual(e.a, e.b) {
			return false
		}
	}
	return true
}

// live adds the values that the rest of two paths at the same place depends on; not ok if one of them
// has more than the other one.
func (u *unit) live(s, t *state, add func(a, b term)) bool {
	for i, f := range s.frames {
		g := t.frames[i]
		if len(f.defers) != len(g.defers) {
			return false
		}
		for v, a := range f.env {
			if _, isLock := v.(deferredLock); !isLock && !isUsedFrom(v, f.block, f.index) {
				continue
			}
			b, ok := g.env[v]
			if !ok {
				return false
			}
			add(a, b)
		}
	}
	return true
}

// isUsedFrom tells whether a value is used at an instruction of a block or behind it.
func isUsedFrom(v ssa.Value, b *ssa.BasicBlock, index int) bool {
	if v.Referrers() == nil {
		return true
	}
	reached := map[*ssa.BasicBlock]bool{}
	work := slices.Clone(b.Succs)
	for len(work) > 0 {
		to := work[len(work)-1]
		work = work[:len(work)-1]
		if !reached[to] {
			reached[to] = true
			work = append(work, to.Succs...)
		}
	}
	for _, r := range *v.Referrers() {
		if reached[r.Block()] || r.Block() == b && slices.Index(b.Instrs, r) >= index {
			return true
		}
	}
	return false
}

// final returns the last write to each address.
func (u *unit) final(c *closure, all []write) (last []write) {
	for i := len(all) - 1; i >= 0; i-- {
		if !slices.ContainsFunc(last, func(w write) bool { return c.areEqual(w.address, all[i].address) }) {
			last = append(last, all[i])
		}
	}
	return last
}

// sameWrites adds what two paths leave in shared memory; not ok if it is not known to be at the same
// addresses. To write what is there already is to write nothing.
func (u *unit) sameWrites(o, q *outcome, m *moment, add func(a, b term)) bool {
	var terms []term
	for _, w := range slices.Concat(o.writes, q.writes) {
		terms = append(terms, w.address, w.value)
	}
	c := u.close(q.conds, terms...)
	ours, theirs := u.final(c, o.writes), u.final(c, q.writes)
	one := func(mine, others []write, mineFirst bool) bool {
		for _, w := range mine {
			if u.isGone(c, mine, w) {
				continue
			}
			same, apart := -1, true
			for i, x := range others {
				if c.areEqual(w.address, x.address) {
					same = i
				} else if x.class == w.class && !u.areApart(c, w.address, x.address) {
					apart = false
				}
			}
			switch {
			case same >= 0 && mineFirst:
				add(w.value, others[same].value)
			case same >= 0:
			case !apart:
				return false
			default:
				add(w.value, u.memoryAt(w.address, m))
			}
		}
		return true
	}
	return one(ours, theirs, true) && one(theirs, ours, false)
}

// isGone tells whether a write is of an entry that a map does not have: nobody can see it.
func (u *unit) isGone(c *closure, all []write, w write) bool {
	n := u.nodes[w.address]
	if n.op != "elem" {
		return false
	}
	has := u.apply("has", n.args...)
	return slices.ContainsFunc(all, func(x write) bool { return x.address == has && x.value == falseTerm })
}

// areApart tells whether two addresses of one class cannot be the same.
func (u *unit) areApart(c *closure, a, b term) bool {
	x, y := u.nodes[a], u.nodes[b]
	if x.op != y.op {
		return true
	}
	for i := range x.args {
		if c.areDifferent(c.find(x.args[i]), c.find(y.args[i])) {
			return true
		}
	}
	return false
}

// sameMade adds what is in memory that the unit has made and that others can get at.
func (u *unit) sameMade(o, q *outcome, ours, theirs []term, all *[]equation) bool {
	made := u.reachable(o.state, ours...)
	for t := range u.reachable(q.state, theirs...) {
		made[t] = true
	}
	for address, a := range o.locals {
		if made[u.rootOf(address)] {
			b, ok := q.locals[address]
			if !ok {
				return false
			}
			*all = append(*all, equation{a, b})
		}
	}
	for address := range q.locals {
		if _, ok := o.locals[address]; made[u.rootOf(address)] && !ok {
			return false
		}
	}
	return true
}

// memoryAt is what was at an address at a moment, before the unit has done anything.
func (u *unit) memoryAt(address term, m *moment) term {
	since := u.since(address, m.held, m.time)
	if value, ok := u.stamped(&state{}, address, m.held, m.time, since); ok {
		return value
	}
	return u.apply("mem "+strconv.Itoa(since), address)
}
