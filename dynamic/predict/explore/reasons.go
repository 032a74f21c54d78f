package explore

// reasons are decisions of a search, by their depth: those from which something follows. Where a search comes to
// nothing in one of the two ways that a decision has, and what shows that does not follow from the decision, the
// other way comes to nothing as well, and need not be tried. A value does not change.
type reasons []uint64

// decision is the one at a depth.
func decision(depth int) reasons {
	r := make(reasons, depth/64+1)
	r[depth/64] = 1 << (depth % 64)
	return r
}

// has tells whether the decision at a depth is one of them.
func (r reasons) has(depth int) bool { return depth/64 < len(r) && r[depth/64]&(1<<(depth%64)) != 0 }

// and is both.
func (r reasons) and(s reasons) reasons {
	if len(s) > len(r) {
		r, s = s, r
	}
	for i, word := range s {
		if word&^r[i] == 0 {
			continue
		}
		both := append(reasons(nil), r...)
		for j, word := range s {
			both[j] |= word
		}
		return both
	}
	return r
}

// without is all but the decision at a depth.
func (r reasons) without(depth int) reasons {
	if !r.has(depth) {
		return r
	}
	rest := append(reasons(nil), r...)
	rest[depth/64] &^= 1 << (depth % 64)
	return rest
}

// everything is all decisions above a depth: nothing is known of what follows from which.
func everything(depth int) reasons {
	r := make(reasons, depth/64+1)
	for i := range r {
		r[i] = ^uint64(0)
	}
	r[depth/64] &= 1<<(depth%64) - 1
	return r
}
