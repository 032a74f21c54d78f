package refine

// Of two tuples of which the first simulates the second, state by state, the first
// has all words of the second, with the same labels. If it has been visited before,
// the second is left out: breadth first, no word gets longer by that. That keeps
// products small where components only count what they have done, as a loop that is
// unrolled by a chain of calls.

const (
	// simulators is how many simulators of a state are tried.
	simulators = 8
	// simulationWork is how many edges may be looked at to find simulators, for each
	// state of the product, and simulationLimit in all. The square of the number of
	// states of a component is below that too.
	simulationWork, simulationLimit = 512, 1 << 22
	// subsumptionTrials is how many tuples show whether it is worth while: one in
	// subsumptionShare must be left out.
	subsumptionTrials, subsumptionShare = 4096, 32
)

// subsumption leaves tuples out.
type subsumption struct {
	tried, found int
	off          bool
	complete     bool        // all simulators are there that will be
	simulators   [][][]int32 // by component and state
}

// prepare looks for the simulators of components for which there are none yet, looking
// at no more edges of each than bound.
func (p *product) prepare(bound int) {
	if p.subsumption.simulators == nil {
		p.subsumption.simulators = make([][][]int32, len(p.parts))
	}
	p.subsumption.complete = true
	for i, a := range p.parts {
		if p.subsumption.simulators[i] == nil && !p.subsumption.off {
			p.subsumption.simulators[i] = a.Simulators(p.labels, simulators, bound)
			p.subsumption.complete = p.subsumption.complete && (p.subsumption.simulators[i] != nil || bound >= simulationLimit)
		}
	}
}

// subsumed tells whether a tuple has been visited that simulates the one in next, which has
// the hash.
func (p *product) subsumed(hash uint32) bool {
	s := &p.subsumption
	if s.off || s.simulators == nil {
		return false
	}
	if s.tried++; s.complete && s.tried%subsumptionTrials == 0 && s.found < s.tried/subsumptionShare {
		s.off = true
	}
	for i, q := range p.next {
		if s.simulators[i] == nil {
			continue
		}
		for _, by := range s.simulators[i][q] {
			other := rehash(hash, i, q, by)
			if !p.marks.has(other) {
				continue
			}
			p.next[i] = by
			visited := p.table[p.slot(p.next, other)] != 0
			p.next[i] = q
			if visited {
				s.found++
				return true
			}
		}
	}
	return false
}
