package refine

import "github.com/empire-go/empire-go/checker/automaton"

// Of the letters that can be taken in a state of the product, only those of a stubborn
// set are (Valmari, Stubborn sets for reduced state space generation, 1991; with a goal in
// place of deadlocks, as in planning). A set of letters is stubborn in a state if
//
//   - every way to acceptance has a letter of the set, and
//   - a letter of the set that comes after others, none of them in the set, can as well
//     be taken before them, and leads to the same state.
//
// Then the first letter of the set on a shortest way to acceptance can be moved to its
// front. So no way gets longer, whatever else is left out, and what can contribute nothing
// to acceptance is not explored at all. Both conditions are met by the closure of two
// rules. A label that is not accepted is waited for by a component that does not accept it
// and has to leave its state: the letters with which it can are in the set. And for each
// letter in the set, all letters are that can move
//
//   - any of its members, if it can be taken (what moves none of them commutes with it);
//   - one of its members that is in the way, if it cannot: it stays there till then.
//
// For the second rule it is components that are required to have all their letters in the
// set, rather than letters one by one.

// stubborn finds stubborn sets. A stamp is current if it equals turn.
type stubborn struct {
	turn     int32
	required []int32 // by component: stamp
	seen     []int32 // by letter: stamp
	letters  []int32 // of the set; a letter before next has been looked at
	next     int
	off      bool // all letters are taken
}

// choose finds the stubborn set of a tuple for the labels that are open. It marks the
// components that take part in its letters that can be taken.
func (p *product) choose(tuple []int32, open automaton.Set) {
	s := &p.stubborn
	if s.required == nil {
		s.required, s.seen = make([]int32, len(p.parts)), make([]int32, len(p.members))
	}
	s.turn++
	s.letters, s.next = s.letters[:0], 0
	if s.off {
		p.requireAll(tuple)
		return
	}
	for rest := open; rest != automaton.None; {
		rest = p.leave(tuple, rest, open)
	}
	for ; s.next < len(s.letters); s.next++ {
		letter := s.letters[s.next]
		if in := p.inTheWay(tuple, letter); in >= 0 {
			p.require(tuple, in)
			continue
		}
		for _, m := range p.members[letter] {
			p.require(tuple, m)
		}
	}
}

// isRequired tells whether a component has all its letters in the set.
func (p *product) isRequired(part int) bool { return p.stubborn.required[part] == p.stubborn.turn }

// leave adds the letters with which a component that does not accept some of the labels
// can leave its state. It returns the labels that it accepts.
func (p *product) leave(tuple []int32, labels, open automaton.Set) (rest automaton.Set) {
	for _, i := range p.picky {
		q := tuple[i]
		if rest = p.labels.Intersect(labels, p.parts[i].Accept[q]); rest == labels {
			continue
		}
		for _, e := range p.parts[i].Edges[q] {
			if e.To != q && p.labels.Intersect(p.reach[i][e.To], open) != automaton.None {
				p.addLetter(e.Letter)
			}
		}
		return rest
	}
	p.requireAll(tuple) // all accept: nothing can be left out
	return automaton.None
}

func (p *product) requireAll(tuple []int32) {
	for i := range p.parts {
		p.require(tuple, int32(i))
	}
}

func (p *product) addLetter(letter int32) {
	if s := &p.stubborn; s.seen[letter] != s.turn {
		s.seen[letter] = s.turn
		s.letters = append(s.letters, letter)
	}
}

// require adds all letters with which a component can move.
func (p *product) require(tuple []int32, part int32) {
	s := &p.stubborn
	if s.required[part] == s.turn {
		return
	}
	s.required[part] = s.turn
	for _, e := range p.parts[part].Edges[tuple[part]] {
		p.addLetter(e.Letter)
	}
}

// inTheWay returns a member of a letter that cannot take it now: one that is required
// anyway, else one with few letters; -1 if all can.
func (p *product) inTheWay(tuple []int32, letter int32) int32 {
	best, fewest := int32(-1), 0
	for _, m := range p.members[letter] {
		a := p.parts[m]
		if len(a.On(tuple[m], letter)) > 0 {
			continue
		}
		if p.isRequired(int(m)) {
			return m
		}
		if n := len(a.Edges[tuple[m]]); best < 0 || n < fewest {
			best, fewest = m, n
		}
	}
	return best
}
