package pointsto

// Large sets are shared. Where much is decoded, printed or found by reflection, thousands of nodes lead to nearly all
// that there is, and most of them to the same (Barbar and Sui, Hash Consed Points-To Sets, SAS 2021). So a large set of
// a node is never changed, but replaced by another one; equal ones are one; and what comes of adding labels to one is
// remembered, as the next node that gets them mostly has the same set.

// large is from how many words on the sets of nodes are shared. Smaller ones grow in place, which costs less than to
// make them anew.
const large = 1 << 10

// A pool is the large sets, and what comes of adding labels to them. What was not in use for long is forgotten, and
// made again when it is needed.
type pool struct {
	now, before generation
	words       int   // in now
	last        *word // where the last one begins that was asked for
	looked      int   // words that were looked at to add labels to large sets
}

// A generation is what a pool remembers.
type generation struct {
	sets map[uint64]set // by hash
	sums map[sumKey]sum
}

// maxWords bounds the words of a generation: 64 MB.
const maxWords = 1 << 22

// A sumKey tells what is added to which large set: where that begins, and where the labels do if they are many, or
// else their hash.
type sumKey struct {
	to, many *word
	few      uint64
}

// A sum is what comes of adding labels to a set, and which of them are new.
type sum struct{ added, whole, fresh set }

// add adds labels to a set of a node, and returns those that were not there, among many perhaps some that were: until
// the next call if they are few, and for ever if they are many. Labels that are many are not changed any more.
func (s *solver) add(to *set, labels set) (fresh set) {
	if len(*to) >= large || len(labels) >= large {
		return s.pool.add(to, labels)
	}
	s.scratch = to.absorb(labels, s.scratch)
	*to = s.pool.shared(*to)
	return s.scratch
}

// add adds labels to a set, where one of them is large.
func (p *pool) add(to *set, labels set) (fresh set) {
	if len(*to) < large { // it is the node's own
		p.looked += len(labels)
		labels = p.shared(labels)
		if len(*to) == 0 {
			*to = labels
		} else {
			*to = p.shared(joined(labels, *to))
		}
		return labels // without the few that were there it would be a set of its own
	}
	known, ok := p.sum(*to, labels)
	if !ok && len(labels) >= large {
		labels = p.shared(labels)
		known, ok = p.sum(*to, labels)
	}
	if !ok {
		p.looked += len(labels)
		known = sum{labels, *to, labels.minus(*to, nil)}
		if len(labels) < large {
			known.added = labels.clone()
		}
		if len(known.fresh) > 0 {
			p.looked += len(*to)
			known.fresh, known.whole = p.shared(known.fresh), p.shared(joined(*to, known.fresh))
		}
		p.keep(len(known.added) + len(known.fresh))
		p.now.sums[sumKeyOf(*to, labels)] = known
	}
	*to = known.whole
	return known.fresh
}

// sumKeyOf returns the key of a large set and labels.
func sumKeyOf(to, labels set) sumKey {
	if len(labels) >= large {
		return sumKey{to: &to[0], many: &labels[0]}
	}
	return sumKey{to: &to[0], few: labels.hash()}
}

// sum returns what comes of adding labels to a large set, if it is remembered.
func (p *pool) sum(to, labels set) (known sum, ok bool) {
	key := sumKeyOf(to, labels)
	if known, ok = p.now.sums[key]; !ok {
		known, ok = p.before.sums[key]
	}
	return known, ok && (key.many != nil || known.added.equal(labels))
}

// joined returns a new set, with room for no more than it has: large ones stay.
func joined(a, b set) set {
	missing, j := 0, 0
	for _, w := range b {
		if j = a.seek(j, w.key); j == len(a) || a[j].key != w.key {
			missing++
		}
	}
	all := append(make(set, 0, len(a)+missing), a...)
	all.union(b)
	return all
}

// shared returns, for a large set, the one that is equal to it. Neither is changed from now on.
func (p *pool) shared(s set) set {
	if len(s) < large || &s[0] == p.last {
		return s
	}
	h := s.hash()
	known, ok := p.now.sets[h]
	if !ok || !known.equal(s) {
		if known, ok = p.before.sets[h]; !ok || !known.equal(s) {
			known = s
		}
		p.keep(len(s))
		p.now.sets[h] = known
	}
	p.last = &known[0]
	return known
}

// keep makes room for so many words.
func (p *pool) keep(words int) {
	if p.words += words; p.words > maxWords || p.now.sets == nil {
		p.before, p.now, p.words = p.now, generation{map[uint64]set{}, map[sumKey]sum{}}, words
	}
}
