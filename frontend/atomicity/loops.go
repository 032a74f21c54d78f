package atomicity

import (
	"maps"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// A loop that tries again until nothing has come between: rounds that go back to its head without any
// effect can be left out, whatever they have seen. So only the last round counts, with any values that
// rounds before may have given to its variables. That it comes to an end has to be seen, too: a round
// that nothing comes between must leave it, whatever the values.

// loopAt returns the loop of which a block is the head, nil if it is none.
func (p *Program) loopAt(b *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	loops, ok := p.loops[b.Parent()]
	if !ok {
		loops = map[*ssa.BasicBlock]map[*ssa.BasicBlock]bool{}
		for _, loop := range ssaflow.NaturalLoops(b.Parent()) {
			loops[ssaflow.LoopHeader(loop)] = loop
		}
		p.loops[b.Parent()] = loops
	}
	return loops[b]
}

// enterLoop enters a loop while others may come between.
func (r *run) enterLoop(s *state, to *ssa.BasicBlock) bool {
	f := s.top()
	r.phis(s, to)
	if len(s.held) > 0 && r.restIsAtomic(s) {
		f.index = ssaflow.FirstAfterPhis(to)
		s.moments = append(s.moments, moment{s.time + 1, slices.Clone(s.held), to.Instrs[0]})
		r.end(s, rests, nil, to.Instrs[0])
		return false
	}
	for _, phi := range ssaflow.Phis(to) {
		*r.havocs++
		f.env[phi] = r.apply("any " + strconv.Itoa(*r.havocs))
	}
	r.mustEnd(s.clone(), to)
	if r.why != nil {
		return false
	}
	f.loops = maps.Clone(f.loops)
	if f.loops == nil {
		f.loops = map[*ssa.BasicBlock]*entered{}
	}
	f.loops[to] = &entered{
		slices.Clone(s.held), len(s.writes), len(s.sums), len(f.defers), maps.Clone(s.locals),
		maps.Clone(s.made)}
	return true
}

// mustEnd sees to it that a round which nothing comes between leaves the loop.
func (r *run) mustEnd(s *state, to *ssa.BasicBlock) {
	*r.havocs++
	s.writes = nil
	one := &run{Program: r.Program, pool: r.pool, reduction: r.reduction, round: to, depth: len(s.frames) - 1,
		moment: &moment{time: 1_000_000 + *r.havocs, held: slices.Clone(s.held)}, steps: r.steps, havocs: r.havocs,
		orders: r.orders}
	one.explore(s)
	if one.why != nil {
		r.fail(one.why.at, one.why.what)
	}
}

// isPureRound tells whether a round has left no trace but in the variables of the loop.
func (r *run) isPureRound(s *state, at *entered) bool {
	if len(s.writes) != at.writes || len(s.sums) != at.sums ||
		len(s.top().defers) != at.defers || !slices.Equal(s.held, at.held) {
		return false
	}
	for made, published := range s.made {
		if was, ok := at.made[made]; ok && was != published || !ok && published {
			return false
		}
	}
	for address, value := range s.locals {
		was, ok := at.locals[address]
		_, before := at.made[r.rootOf(address)]
		if ok && was != value || !ok && before {
			return false
		}
	}
	return true
}
