package automata

import (
	"math/bits"
	"slices"
)

// pair is the tuples of two units of different goroutines: what has been matched of the
// patterns by the two, in either order of roles, for each location and each two.
type pair struct {
	units     [2]*Unit
	at        [2]int     // its place among the pairs of each unit
	locations []Location // that either has accessed since they met, or before
	capacity  int        // for how many locations there is room in the layers
	apart     uint64     // locations of which the two access different parts, as bits; they match nothing
	layers    []layer    // the first one depends on no read that may be forgotten
	leads     []state    // for each word of a layer: see leading; 0 if that was not asked for
	epoch     uint64     // changes with everything that an event of one of the two may extend
	stamps    []stamps   // by location: when the pair was last extended by an event
	stage     *stage     // if not nil, the layers are those of the stage, see memo.go
	own       []layer    // then: memory for layers
}

// stamps are the epochs of a pair in which events at a location have extended it to all that they can.
type stamps struct {
	epoch  [2][kinds]uint64 // of each unit, without a token
	tokens []tokenStamp     // of those with one
}

type tokenStamp struct {
	side  int
	kind  Kind
	token uint8
	epoch uint64
}

// of returns the epoch of events like one of a unit.
func (s *stamps) of(side int, a Access) *uint64 {
	if a.Token == 0 {
		return &s.epoch[side][a.Kind]
	}
	for i := range s.tokens {
		if t := &s.tokens[i]; t.token == a.Token && t.side == side && t.kind == a.Kind {
			return &t.epoch
		}
	}
	s.tokens = append(s.tokens, tokenStamp{side, a.Kind, a.Token, 0})
	return &s.tokens[len(s.tokens)-1].epoch
}

// maxLocations bounds pair.apart; more than so many locations of two units are never apart.
const maxLocations = 64

// dependence is the reads that may be forgotten without which a prefix is not matched: a
// token of each unit's, or two. The zero value is none.
type dependence [2]uint64 // by unit of the pair: tokens as bits

func (d dependence) isWithin(other dependence) bool {
	return d[0]&^other[0] == 0 && d[1]&^other[1] == 0
}

// layer is the prefixes that depend on the same reads. The words are, for each order of
// roles d (in 0 the first unit of the pair is the first of the pattern), for location i as
// the first location of the pattern: that of i alone, and those with each other location.
type layer struct {
	on    dependence
	words []state
}

// one returns the index of the word of location i alone, two of that of i and then j.
func (p *pair) one(d, i int) int    { return (d*p.capacity + i) * (p.capacity + 1) }
func (p *pair) two(d, i, j int) int { return (d*p.capacity+i)*(p.capacity+1) + 1 + j }

// word returns the word of locations i and j, or of i alone if they are the same.
func (p *pair) word(d, i, j int) int {
	if i == j {
		return p.one(d, i)
	}
	return p.two(d, i, j)
}

func (p *pair) other(u *Unit) *Unit { return p.units[1-p.side(u)] }

func (p *pair) side(u *Unit) int {
	if p.units[0] == u {
		return 0
	}
	return 1
}

// pair pairs two units, and matches what they have done before, see meet.go: of what one has done after the other one
// has begun, whatever is recorded, and the last event of each kind; of what was before, at most an event.
func (e *Engine) pair(u, v *Unit) *pair {
	e.live++
	var p *pair
	if n := len(e.pairs); n > 0 {
		p, e.pairs = e.pairs[n-1], e.pairs[:n-1]
	} else {
		p = &pair{capacity: 2}
	}
	p.units, p.epoch = [2]*Unit{u, v}, 1
	for s, x := range p.units {
		p.at[s] = len(x.pairs)
		x.pairs = append(x.pairs, p)
		x.epoch++
	}
	if p.stage = e.root(u, v); p.stage == nil {
		p.layers = p.own[:0]
		p.layer(dependence{})
	}
	for _, x := range p.units {
		for i := range x.marks {
			p.location(e, x.marks[i].location)
		}
	}
	begun := max(u.begun, v.begun)
	for s, x := range p.units {
		p.begin(e, s, x, begun)
	}
	if min(u.latest, v.latest) >= begun { // else one is in a gap of the other one, and what was new to it is recorded
		u.recordLast(begun)
		v.recordLast(begun)
	}
	p.replay(e, begun)
	return p
}

// begin matches what a unit has done before an event as the first event of patterns.
func (p *pair) begin(e *Engine, side int, u *Unit, before uint64) {
	for i := range u.marks {
		if l := p.location(e, u.marks[i].location); !p.isApart(l) {
			u.marks[i].each(func(kind Kind, token uint8, s span) {
				if s.first < before {
					p.beginAt(e, side, l, kind, token)
				}
			})
		}
	}
}

// beginAt matches an access at a location as the first event of patterns.
func (p *pair) beginAt(e *Engine, side, l int, kind Kind, token uint8) {
	key, from := moveKey(moveBegin, side, l, kind, token), (*stage)(nil)
	if p.stage != nil {
		if from = p.goes(e, key); from == nil {
			return
		}
	}
	p.add(e, dependence{}.with(side, token), p.one(side, l), e.table.start[kind])
	if from != nil {
		p.noted(e, from, from.shape, key)
	}
}

// replay matches what the two units have recorded from an event on.
func (p *pair) replay(e *Engine, from uint64) {
	logs := [2][]entry{p.units[0].since(from), p.units[1].since(from)}
	for len(logs[0])+len(logs[1]) > 0 {
		s := 0
		if len(logs[0]) == 0 || len(logs[1]) > 0 && logs[1][0].index < logs[0][0].index {
			s = 1
		}
		at := &logs[s][0]
		logs[s] = logs[s][1:]
		if at.forgets != 0 {
			p.forget(e, s, at.forgets)
			continue
		}
		p.access(e, p.units[s], Access{Location: at.location, Kind: at.kind, Token: at.token, Index: at.index, Ref: at.ref})
	}
}

// with returns the dependence on one more token, if it is not 0, of a unit.
func (d dependence) with(side int, token uint8) dependence {
	d[side] |= 1 << token &^ 1
	return d
}

func (p *pair) isApart(l int) bool { return l < maxLocations && p.apart&(1<<l) != 0 }

// location returns the index of a location, which gets one if it has none.
func (p *pair) location(e *Engine, l Location) int {
	i := slices.Index(p.locations, l)
	if i >= 0 {
		return i
	}
	i = len(p.locations)
	p.locations = append(p.locations, l)
	if i < cap(p.stamps) {
		p.stamps = p.stamps[:i+1]
		p.stamps[i] = stamps{tokens: p.stamps[i].tokens[:0]}
	} else {
		p.stamps = append(p.stamps, stamps{})
	}
	if i < maxLocations && e.Apart != nil && e.Apart(p.units[0], p.units[1], l) {
		p.apart |= 1 << i
	}
	if p.stage != nil {
		p.widen(e)
	} else if i == p.capacity {
		p.grow()
	}
	e.addTuples(2 * (1 + 2*i))
	return i
}

// grow makes room for twice as many locations.
func (p *pair) grow() {
	old := *p
	p.capacity *= 2
	p.leads = p.leads[:0]
	for n, layer := range p.layers {
		words := make([]state, 2*p.capacity*(p.capacity+1))
		for d := range 2 {
			for i := range old.capacity {
				copy(words[p.one(d, i):], layer.words[old.one(d, i):old.one(d, i)+1+old.capacity])
			}
		}
		p.layers[n].words = words
	}
}

// layer returns the index of the layer of what depends on some reads.
func (p *pair) layer(on dependence) int {
	for i := range p.layers {
		if p.layers[i].on == on {
			return i
		}
	}
	size := 2 * p.capacity * (p.capacity + 1)
	n := len(p.layers)
	if n < cap(p.layers) {
		p.layers = p.layers[:n+1]
	} else {
		p.layers = append(p.layers, layer{})
	}
	l := &p.layers[n]
	l.on = on
	if cap(l.words) >= size {
		l.words = l.words[:size]
		clear(l.words)
	} else {
		l.words = make([]state, size)
	}
	return n
}

// add adds prefixes to a word of the layer of what depends on some reads, so far as they
// do not stand without those already; it tells whether that changes anything.
func (p *pair) add(e *Engine, on dependence, word int, prefixes state) bool {
	if prefixes == 0 {
		return false
	}
	for i := range p.layers {
		if p.layers[i].on.isWithin(on) {
			prefixes &^= p.layers[i].words[word]
		}
	}
	if prefixes == 0 {
		return false
	}
	p.layers[p.layer(on)].words[word] |= prefixes
	return true
}

// access matches an event of a unit of the pair; it tells whether that changes anything.
func (p *pair) access(e *Engine, u *Unit, a Access) bool {
	side, l := p.side(u), p.location(e, a.Location)
	if p.isApart(l) {
		return false
	}
	if p.stage == nil {
		return p.accessAt(e, side, l, a)
	}
	key := moveKey(moveAccess, side, l, a.Kind, a.Token)
	before := p.stage
	if from := p.goes(e, key); from != nil {
		changed := p.accessAt(e, side, l, a)
		if p.noted(e, from, from.shape, key); p.stage == nil {
			return changed
		}
	}
	return p.stage != before
}

// accessAt is access at one of the locations, for a pair with words of its own.
func (p *pair) accessAt(e *Engine, side, l int, a Access) bool {
	last := p.stamps[l].of(side, a)
	if *last == p.epoch {
		return false // the unit has made the same event, and nothing of the pair has changed since
	}
	changed := false
	switch {
	case a.Token == 0 || a.Kind == Write:
		changed = p.extend(e, side, l, a.Kind, 0, a)
	default:
		if a.Kind != Read { // the write stays when the read is forgotten
			changed = p.extend(e, side, l, Write, 0, a)
		}
		changed = p.extend(e, side, l, Read, a.Token, a) || changed
	}
	if changed {
		p.epoch++
	}
	*last = p.epoch
	return changed
}

// extend is access for a kind and a token. No pattern has two events of one unit on one
// location in a row, so it does not matter that what one layer or word gains is seen by
// those that come after it.
func (p *pair) extend(e *Engine, side, l int, kind Kind, token uint8, a Access) bool {
	t, changed := e.table, false
	for d := range 2 {
		by := role(d ^ side)
		if by == first {
			changed = p.gain(e, dependence{}.with(side, token), d, l, l, t.start[kind], a) || changed
		}
		atFirst, atSecond := t.from[by][0][kind], t.from[by][1][kind] // most words have none of these
		for n := 0; n < len(p.layers); n++ {
			on, words := p.layers[n].on.with(side, token), p.layers[n].words
			row := p.one(d, l)
			if w := words[row]; w&atFirst != 0 {
				changed = p.gain(e, on, d, l, l, t.step(w, by, 0, kind), a) || changed
			}
			other := p.one(d, 0) // the word of location j alone
			for j := range p.locations {
				if j != l {
					if w := words[row+1+j]; w&atFirst != 0 {
						changed = p.gain(e, on, d, l, j, t.step(w, by, 0, kind), a) || changed
					}
					if w := words[other] | words[other+1+l]; w&atSecond != 0 {
						changed = p.gain(e, on, d, j, l, t.step(w, by, 1, kind), a) || changed
					}
				}
				other += p.capacity + 1
			}
		}
	}
	return changed
}

// gain adds what an event has extended to the word of locations i and j, or of i alone if they are the same.
func (p *pair) gain(e *Engine, on dependence, d, i, j int, prefixes state, a Access) bool {
	word, changed := p.word(d, i, j), false
	if prefixes &^= p.layers[0].words[word]; prefixes == 0 {
		return false // all of it is there
	}
	if prefixes &= p.leading(e, d, i, j); prefixes == 0 {
		return false // it leads to nothing that is wanted
	}
	if ends := prefixes & e.table.ends; ends != 0 {
		prefixes &^= ends
		changed = p.complete(e, d, i, j, word, ends, a)
	}
	return p.add(e, on, word, prefixes) || changed
}

// complete reports patterns of which the event is the last one, for locations i and j, each
// once.
func (p *pair) complete(e *Engine, d, i, j, word int, ends state, a Access) bool {
	words := p.layers[0].words
	ends &^= words[word]
	if ends == 0 {
		return false
	}
	if p.isCounter(i) || i != j && p.isCounter(j) {
		e.memo.isOpen = true
		return false
	}
	words[word] |= ends
	e.report(p.units[d], p.units[1-d], p.locations[i], p.locations[j], ends, a)
	if i != j && len(p.leads) > 0 {
		p.leads[word] = 0
	}
	return true
}

// isCounter tells whether the two units have done nothing but increments to a location.
func (p *pair) isCounter(l int) bool {
	for _, u := range p.units {
		if m := u.mark(p.locations[l]); m != nil && m.plain {
			return false
		}
	}
	return true
}

// forget drops what depends on reads of a unit. It tells whether there was anything.
func (p *pair) forget(e *Engine, side int, tokens uint64) bool {
	p.view()
	depends := uint64(0)
	for i := range p.layers {
		depends |= p.layers[i].on[side]
	}
	tokens &= depends
	if tokens == 0 {
		return false
	}
	for left := tokens; left != 0; left &= left - 1 {
		p.forgetToken(e, side, uint8(bits.TrailingZeros64(left)))
	}
	p.epoch++
	return true
}

// forgetToken is forget for one token.
func (p *pair) forgetToken(e *Engine, side int, token uint8) {
	key, from := moveKey(moveForget, side, 0, 0, token), (*stage)(nil)
	if p.stage != nil {
		if from = p.goes(e, key); from == nil {
			return
		}
	}
	for i := len(p.layers) - 1; i > 0; i-- {
		if p.layers[i].on[side]&(1<<token) != 0 {
			p.removeLayer(i)
		}
	}
	if from != nil {
		p.noted(e, from, from.shape, key)
	}
}

func (p *pair) removeLayer(i int) {
	last := len(p.layers) - 1
	p.layers[i], p.layers[last] = p.layers[last], p.layers[i]
	p.layers = p.layers[:last]
}

// settle keeps, after a unit of the pair has ended, what events of the other one alone may
// complete; nothing of it can be forgotten by the unit that has ended. It tells whether
// anything is left.
func (p *pair) settle(e *Engine, side int) bool {
	if p.stage == nil {
		return p.settleOwn(e, side)
	}
	key := moveKey(moveSettle, side, 0, 0, 0)
	if from := p.goes(e, key); from != nil {
		left := p.settleOwn(e, side)
		if p.noted(e, from, from.shape, key); p.stage == nil {
			return left
		}
	}
	return !p.stage.isEmpty
}

// settleOwn is settle for a pair with words of its own.
func (p *pair) settleOwn(e *Engine, side int) bool {
	p.epoch++
	left := false
	for n := range p.layers {
		words := p.layers[n].words
		for d := range 2 {
			useful := e.table.useful[role(d^side^1)] | e.table.ends
			half := words[d*len(words)/2 : (d+1)*len(words)/2]
			for i := range half {
				half[i] &= useful
				if len(p.leads) > 0 && p.leads[d*len(words)/2+i] != 0 {
					half[i] &= p.leads[d*len(words)/2+i] | e.table.ends
				}
				left = left || half[i]&^e.table.ends != 0
			}
		}
	}
	for n := len(p.layers) - 1; n > 0; n-- {
		on := p.layers[n].on
		if on[side] == 0 {
			continue
		}
		words := p.layers[n].words
		on[side] = 0
		for word := range words {
			p.add(e, on, word, words[word])
		}
		p.removeLayer(slices.IndexFunc(p.layers, func(l layer) bool { return &l.words[0] == &words[0] }))
	}
	return left
}

// isCovered tells whether every prefix of the pair, of which a unit has just ended, is one
// of other pairs of the other unit with units that have ended as well, and that count for
// the same: joining a goroutine drops those of its units.
func (p *pair) isCovered(e *Engine, ended *Unit) bool {
	u := p.other(ended)
	p.view()
	for n := range p.layers {
		for d := range 2 {
			for i := range p.locations {
				for j := range p.locations {
					need := p.layers[n].words[p.word(d, i, j)] &^ e.table.ends
					if need != 0 && !u.covers(e, p, ended, need, p.layers[n].on, d, i, j) {
						return false
					}
				}
			}
		}
	}
	return true
}

// covers tells whether prefixes of a pair are those of other pairs of u as well.
func (u *Unit) covers(e *Engine, p *pair, ended *Unit, need state, on dependence, d, i, j int) bool {
	side := p.side(u)
	for _, q := range u.pairs {
		v := q.other(u)
		if q == p || !v.ended || u.family(v) != u.family(ended) || e.Name != nil && e.Name(v) != e.Name(ended) ||
			!v.isPlainWhere(ended, p.locations[i], p.locations[j]) {
			continue
		}
		k, l := slices.Index(q.locations, p.locations[i]), slices.Index(q.locations, p.locations[j])
		if k < 0 || l < 0 {
			continue
		}
		q.view()
		// The roles: in order d of p, u is first if d is its side.
		order := q.side(u)
		if d != side {
			order = 1 - order
		}
		word := q.two(order, k, l)
		if i == j {
			word = q.one(order, k)
		}
		for n := range q.layers {
			if q.layers[n].on[q.side(u)]&^on[side] == 0 {
				need &^= q.layers[n].words[word]
			}
		}
		if need == 0 {
			return true
		}
	}
	return false
}

// family returns the goroutine of v if it was started in u and not joined yet, else 0.
func (u *Unit) family(v *Unit) uint32 {
	if slices.Contains(u.children, v.Goroutine) {
		return v.Goroutine
	}
	return 0
}

// isPlainWhere tells whether u has made an access that is no increment to each of the
// locations where v has.
func (u *Unit) isPlainWhere(v *Unit, locations ...Location) bool {
	for _, l := range locations {
		if m := v.mark(l); m != nil && m.plain {
			if n := u.mark(l); n == nil || !n.plain {
				return false
			}
		}
	}
	return true
}

// drop forgets a pair.
func (e *Engine) drop(p *pair) {
	e.live--
	n := len(p.locations)
	e.addTuples(-2 * n * n)
	for s, u := range p.units {
		last := u.pairs[len(u.pairs)-1]
		u.pairs[p.at[s]] = last
		last.at[last.side(u)] = p.at[s]
		u.pairs = u.pairs[:len(u.pairs)-1]
		u.epoch++
	}
	u, v := p.units[0], p.units[1]
	p.units, p.locations, p.stamps, p.apart = [2]*Unit{}, p.locations[:0], p.stamps[:0], 0
	p.leads = p.leads[:0]
	if p.stage == nil {
		p.own = p.layers
	}
	p.stage = nil
	e.pairs = append(e.pairs, p)
	e.recycle(u)
	e.recycle(v)
}
