package blocking

import (
	"fmt"
	"maps"
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/limit"
)

// Retries. The places of an instance and its moves between them make up a graph of its own. A retry is a move in it
// from a place where there is another one, by which the instance comes back to the place: it goes round as long as it
// cannot do the retry. What it needs for that is a condition, which others make true, and untrue again.

// move is a move of an instance from one place to another one.
type move struct {
	who      int
	from, to control
}

// retry is a move that an instance tries again and again.
type retry struct {
	move
	condition int  // by number
	leaves    bool // it does not come back from there
}

// condition is statements, of which one has to be executable.
type condition struct {
	who    int
	passes bool // who is to execute it does not wait
	any    []esl.Stmt
}

// retries is the retries of a search.
type retries struct {
	*search
	cyclic     []int32 // the nodes that are come to again
	all        []retry
	conditions []condition
	holds      map[int32][]uint64 // by cyclic node: the conditions that are true, a set of bits

	loops []map[control]int // by instance: where a place is in a loop, the number of the loop; of nested ones the outer
}

// moves returns who moves by an edge, and how.
func (s *search) moves(n int32, e edge) []move {
	from, to := s.nodes[n].state, s.nodes[e.to].state
	all := []move{{int(e.mover), control(from[e.mover]), control(to[e.mover])}}
	if e.second >= 0 {
		all = append(all, move{int(e.second), control(from[e.second]), control(to[e.second])})
	}
	return all
}

// retries finds the retries in states that are come to again. What clients choose to do again is none.
func (s *search) retries() *retries {
	t := &retries{search: s, holds: map[int32][]uint64{}}
	for _, c := range s.componentsOf(s.all(), func(n int32) []edge { return s.nodes[n].edges }) {
		t.cyclic = append(t.cyclic, c...)
	}
	graphs := make([]map[control][]control, len(s.instance)) // of the places of each instance
	for i := range graphs {
		graphs[i] = map[control][]control{}
	}
	for _, n := range t.cyclic {
		for _, e := range s.nodes[n].edges {
			for _, m := range s.moves(n, e) {
				if next := graphs[m.who][m.from]; !slices.Contains(next, m.to) && !s.isChoosing(m.who, m.from) {
					graphs[m.who][m.from] = append(next, m.to)
				}
			}
		}
	}
	numbers := map[string]int{}
	for i, next := range graphs {
		t.loops = append(t.loops, s.loops(next))
		for _, from := range slices.Sorted(maps.Keys(next)) {
			for _, to := range slices.Sorted(slices.Values(next[from])) {
				r := retry{move: move{i, from, to}, leaves: !t.isBack(i, from, to)}
				c, ok := s.conditionOf(r.move)
				if !ok || !slices.ContainsFunc(next[from], func(o control) bool { return o != to && t.isBack(i, from, o) }) {
					continue
				}
				key := s.keyOf(c)
				if _, known := numbers[key]; !known {
					numbers[key] = len(t.conditions)
					t.conditions = append(t.conditions, c)
				}
				r.condition = numbers[key]
				t.all = append(t.all, r)
			}
		}
	}
	if len(t.all) == 0 {
		return t
	}
	for _, n := range t.cyclic {
		s.poll.Step(limit.Visited)
		t.holds[n] = make([]uint64, (len(t.conditions)+63)/64)
		for k, c := range t.conditions {
			if s.holds(s.nodes[n].state, c) {
				t.holds[n][k/64] |= 1 << (k % 64)
			}
		}
	}
	return t
}

// all returns all nodes.
func (s *search) all() []int32 {
	all := make([]int32, len(s.nodes))
	for n := range all {
		all[n] = int32(n)
	}
	return all
}

// componentsOf returns the strongly connected components of some edges, from some nodes on.
func (s *search) componentsOf(some []int32, next func(int32) []edge) [][]int32 {
	return components(len(s.nodes), some, func(n int32) (to []int32) {
		for _, e := range next(n) {
			to = append(to, e.to)
		}
		return to
	}, func() { s.poll.Step(limit.Visited) })
}

// isTrue tells whether a condition is true in a node.
func (t *retries) isTrue(n int32, condition int) bool {
	return t.holds[n][condition/64]>>(condition%64)&1 == 1
}

// isBack tells whether an instance comes back to a place from one that it moves to.
func (t *retries) isBack(who int, from, to control) bool {
	n := t.loops[who][from]
	return n > 0 && n == t.loops[who][to]
}

// loops numbers the loops of the graph of the places of an instance, from 1 on, and says which places are in them.
func (s *search) loops(next map[control][]control) map[control]int {
	in := map[control]int{}
	var places []int32
	for from := range next {
		places = append(places, int32(from))
	}
	all := components(len(s.controls.frames), places, func(n int32) (to []int32) {
		for _, c := range next[control(n)] {
			to = append(to, int32(c))
		}
		return to
	}, func() { s.poll.Step(limit.Visited) })
	for k, c := range all {
		for _, n := range c {
			in[control(n)] = k + 1
		}
	}
	return in
}

// isChoosing tells whether an instance is a client that is about to choose what to do.
func (s *search) isChoosing(i int, at control) bool {
	stmt, ok := s.controls.at(at)
	return ok && chooses(stmt) && slices.Contains(s.options.Clients, s.instance[i].Process)
}

// conditionOf returns the condition of a move; ok is false if it can be made whatever the others do, or if what lets it
// be made does so for ever.
func (s *search) conditionOf(m move) (c condition, ok bool) {
	stmt, running := s.controls.at(m.from)
	if !running || isLocal(stmt) {
		return c, false
	}
	f := s.controls.frames[m.from]
	leads := func(index int) bool {
		ways := s.controls.settle(s.controls.push(f.below, int(f.function), index+1))
		return slices.ContainsFunc(ways, func(w way) bool { return w.to == m.to })
	}
	c = condition{who: m.who, passes: s.controls.passes(m.from)}
	s.controls.offers(m.from, func(index int, stmt esl.Stmt) {
		if !leads(index) {
			return
		}
		c.any = append(c.any, stmt)
		switch stmt.Op {
		case esl.LockOp, esl.RLock, esl.Intend, esl.Test, esl.Swap, esl.Send, esl.Receive, esl.WaitZero:
			ok = true
		}
	})
	return c, ok && !(c.passes && leads(stmt.Targets[len(stmt.Targets)-1]))
}

// keyOf returns a text that is the same for conditions that are always true together.
func (s *search) keyOf(c condition) string {
	var key []byte
	for _, stmt := range c.any {
		key = stmt.AppendIdentity(key)
		if s.isMeeting(stmt, esl.Send) || s.isMeeting(stmt, esl.Receive) {
			key = fmt.Appendf(key, "%d %t", c.who, c.passes)
		}
	}
	return string(key)
}

// holds tells whether a condition is true in a state.
func (s *search) holds(at state, c condition) bool {
	return slices.ContainsFunc(c.any, func(stmt esl.Stmt) bool { return s.couldTake(at, c.who, stmt, c.passes) })
}

// couldTake tells whether an instance could do something alone, or by a meeting.
func (s *search) couldTake(at state, i int, stmt esl.Stmt, passes bool) bool {
	return s.status(at, i, stmt) == can ||
		s.isMeeting(stmt, esl.Receive) && len(s.partners(at, i, stmt, esl.Send, passes)) > 0 ||
		s.isMeeting(stmt, esl.Send) && len(s.partners(at, i, stmt, esl.Receive, passes)) > 0
}
