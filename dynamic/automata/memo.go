package automata

import "slices"

// # Moves that are made again
//
// What an event does to a pair depends on little: on the words of the pair, on which of its locations the event is at,
// and on which patterns are not wanted of units of its codes. A long run makes few different moves, so each is made
// once. What has been matched of a pair is a state that pairs share, and a state has the moves that were made from it:
// an event then costs a look at a table, however many words there are.
//
// A move is noted if it is the same whenever it is made. It is not if it reports something, or asks whether that is
// wanted without the answer being kept, or if something is not complete because its location is a counter, which it may
// cease to be. What is complete and not wanted does nothing, and is not wanted later on. More patterns are not wanted
// then: a noted move keeps prefixes that lead to nothing, which does no harm. So that this does not last, all is
// forgotten when twice as many are not wanted.
//
// Where most moves are new, nothing is noted for a while, see memo.credit. Nothing ever is where units have no codes:
// then each match is asked for anew.

// stage is what has been matched of pairs of units of two codes, at locations that are alike.
type stage struct {
	shape    *shape
	capacity int
	layers   []layer // never changed
	moves    []move  // a hash table: a power of two, zero keys are free; at least one is
	count    int     // of moves
	isEmpty  bool    // nothing is matched but whole patterns
	next     *stage  // with the same hash
}

// shape is what matters of two units and their locations.
type shape struct {
	locations int
	wider     []wider // those with one more location
}

type wider struct {
	key uint64
	to  *shape
}

// move is what follows a stage.
type move struct {
	key uint64
	to  *stage
}

// The keys of moves. They are not 0.
const (
	moveAccess = iota + 1 // by kind
	moveBegin             // what a unit did before, by kind
	moveForget
	moveSettle
	moveLocate
)

// moveKey is the key of a move of a unit of the pair.
func moveKey(what, side, location int, kind Kind, token uint8) uint64 {
	return uint64(what) | uint64(side)<<3 | uint64(kind)<<4 | uint64(token)<<8 | uint64(location)<<16
}

// Limits of what is noted: a pair that goes beyond has words of its own from there on.
const (
	memoLocations = 16      // of a pair
	memoLayers    = 8       // of a pair
	memoWords     = 1 << 21 // of all stages, and their moves
	moveWords     = 4       // that a move needs, with the room that a table has
	memoCredit    = 1 << 18 // at most
	missCost      = 32      // what a move that is new costs more than one that is not saves
	restPairs     = 1 << 12
)

// memo is the stages that are known. A move that is known takes one look, a new one looks at all words of the pair.
type memo struct {
	roots   map[[2]uint32]*stage // by the codes of the units
	stages  map[uint64]*stage    // by hash
	words   int
	refused int  // how many patterns were found to be not wanted since all was forgotten
	known   int  // and before
	isOpen  bool // the move that is being made may be another one the next time
	credit  int  // moves that were known add to it, new ones take from it; below 0 nothing is noted
	resting int  // then: for how many pairs yet
}

// root returns the stage of two units that have no location yet, nil if nothing is to be noted of them.
func (e *Engine) root(u, v *Unit) *stage {
	m := &e.memo
	if e.Code == nil {
		return nil
	}
	if m.resting > 0 {
		if m.resting--; m.resting == 0 {
			m.credit = memoCredit / 8
		}
		return nil
	}
	if m.words > memoWords || m.refused > 64+m.known {
		m.forget()
	}
	codes := [2]uint32{e.codeOf(u), e.codeOf(v)}
	n := m.roots[codes]
	if n == nil {
		if m.roots == nil {
			m.roots, m.stages, m.credit = map[[2]uint32]*stage{}, map[uint64]*stage{}, memoCredit
		}
		n = &stage{shape: &shape{}, capacity: 2, layers: []layer{{words: make([]state, 12)}}, moves: make([]move, 4)}
		m.roots[codes] = n
	}
	return n
}

// forget forgets all stages. Pairs that have one keep it.
func (m *memo) forget() {
	m.roots, m.stages = map[[2]uint32]*stage{}, map[uint64]*stage{}
	m.known, m.refused, m.words = m.known+m.refused, 0, 0
}

// find returns the place of the move with a key, or a free one.
func (n *stage) find(key uint64) *move {
	mask := uint64(len(n.moves) - 1)
	i := key * 0x9e3779b97f4a7c15 >> 32
	for ; n.moves[i&mask].key != key && n.moves[i&mask].key != 0; i++ {
	}
	return &n.moves[i&mask]
}

// note notes a move.
func (n *stage) note(m move) {
	at := n.find(m.key)
	if at.key == 0 {
		if n.count++; 4*n.count > 3*len(n.moves) {
			old := n.moves
			n.moves = make([]move, 2*len(old))
			for i := range old {
				if old[i].key != 0 {
					*n.find(old[i].key) = old[i]
				}
			}
			at = n.find(m.key)
		}
	}
	*at = m
}

// goes makes a move that is known. If it is not, the words of the pair become its own, for the move to be made and to
// be noted by noted.
func (p *pair) goes(e *Engine, key uint64) (from *stage) {
	if m := p.stage.find(key); m.key != 0 {
		if e.memo.credit < memoCredit {
			e.memo.credit++
		}
		p.stage = m.to
		return nil
	}
	from = p.stage
	p.thaw()
	if e.memo.credit -= missCost; e.memo.credit < 0 && e.memo.resting == 0 {
		e.memo.resting = restPairs
		e.memo.forget()
	}
	e.memo.isOpen = false
	return from
}

// thaw gives the pair words of its own.
func (p *pair) thaw() {
	n := p.stage
	p.stage, p.capacity, p.layers, p.leads = nil, n.capacity, p.own[:0], p.leads[:0]
	for _, l := range n.layers {
		copy(p.layers[p.layer(l.on)].words, l.words)
	}
	p.epoch++
}

// view shows the words of the pair, for nothing but to be looked at.
func (p *pair) view() {
	if p.stage != nil {
		p.capacity, p.layers = p.stage.capacity, p.stage.layers
	}
}

// noted notes a move that the pair has made, from a stage to the shape that it has now.
func (p *pair) noted(e *Engine, from *stage, to *shape, key uint64) {
	if e.memo.resting > 0 || len(p.layers) > memoLayers || to.locations > memoLocations {
		return
	}
	p.prune(e)
	p.own = p.layers
	p.stage = e.memo.stageOf(to, p, e.table.ends)
	if !e.memo.isOpen {
		from.note(move{key, p.stage})
		e.memo.words += moveWords
	}
}

// prune drops what leads to nothing that is wanted.
func (p *pair) prune(e *Engine) {
	for n := range p.layers {
		for d := range 2 {
			for i := range p.locations {
				for j := range p.locations {
					word := p.word(d, i, j)
					if p.layers[n].words[word] == 0 {
						continue
					}
					r := e.refusedOf(p.units[d], p.units[1-d], p.locations[i], p.locations[j])
					if i == j {
						p.layers[n].words[word] &^= r.ends
					} else {
						p.layers[n].words[word] &= r.leads
					}
				}
			}
		}
	}
}

// stageOf returns the stage of what has been matched of a pair.
func (m *memo) stageOf(s *shape, p *pair, ends state) *stage {
	slices.SortFunc(p.layers, func(a, b layer) int { return slices.Compare(a.on[:], b.on[:]) })
	h, all := uint64(s.locations), state(0)
	for i := range p.layers {
		l := &p.layers[i]
		h = (h ^ l.on[0]) * 0x9e3779b97f4a7c15
		h = (h ^ h>>29 ^ l.on[1]) * 0xd6e8feb86659fd93
		for word, w := range l.words {
			if all |= w; w != 0 {
				h = (h ^ h>>31 ^ w ^ uint64(word)<<48) * 0x9e3779b97f4a7c15
			}
		}
	}
	h ^= h >> 32
	for n := m.stages[h]; n != nil; n = n.next {
		if n.shape == s && n.capacity == p.capacity && slices.EqualFunc(n.layers, p.layers, func(a, b layer) bool {
			return a.on == b.on && slices.Equal(a.words, b.words)
		}) {
			return n
		}
	}
	n := &stage{shape: s, capacity: p.capacity, moves: make([]move, 4), isEmpty: all&^ends == 0, next: m.stages[h]}
	for _, l := range p.layers {
		n.layers = append(n.layers, layer{l.on, slices.Clone(l.words)})
		m.words += len(l.words)
	}
	m.stages[h] = n
	return n
}

// widen is location for a pair with a stage: the latest location is new.
func (p *pair) widen(e *Engine) {
	i := len(p.locations) - 1
	l := p.locations[i]
	first := slices.IndexFunc(p.locations, func(o Location) bool { return o.Object == l.Object })
	key := moveLocate | uint64(first)<<8 | uint64(l.Set)<<16 | uint64(l.Field)<<32
	from := p.goes(e, key)
	if from == nil {
		return
	}
	if i == p.capacity {
		p.grow()
	}
	at := slices.IndexFunc(from.shape.wider, func(w wider) bool { return w.key == key })
	if at < 0 {
		at = len(from.shape.wider)
		from.shape.wider = append(from.shape.wider, wider{key, &shape{locations: i + 1}})
	}
	p.noted(e, from, from.shape.wider[at].to, key)
}
