package blocking

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/limit"
)

// Goroutines that hinder each other for ever: each takes a lock, does not get another one without waiting, gives the
// first one back and tries again; or says that it wants to pass, sees that the other one wants so, too, and gives way
// (livelock, definition 8). Each of them can still get on, so that it is not blocked and does not go round for ever in
// whatever follows; but there is a run without end in which none does. Such a run comes again and again through the
// states of a strongly connected component of the graph. It is fair: whoever takes no step in the component is unable
// to in some state of it.
//
// An instance is hindered in a component if it goes round there as it cannot do a retry, and another one makes the
// condition of that untrue: by a move that is not the success of a retry in which that one is hindered itself. So who
// only loses against one that gets on is in no livelock, but unlucky, which is starvation, the genus.

// hindrance is a strongly connected component of some edges in which instances hinder each other.
type hindrance struct {
	nodes    []int32
	edges    map[int32][]edge // by node: those that lead to nodes of it
	hindered []int            // the retries in which they are hindered
	tries    []try            // of each of them one, in the order of the instances
}

// try is an edge by which an instance goes round.
type try struct {
	who  int
	from int32
	edge edge
}

// addLivelocks adds the findings that instances hinder each other. Where they could leave, or try again whatever they
// have got, it is open.
func (s *search) addLivelocks(r *Result) {
	t := s.retries()
	if len(t.all) < 2 {
		return
	}
	for _, h := range t.certain() {
		r.Findings = append(r.Findings, s.livelock(h, r))
	}
	r.Hinders = t.mayHinder()
	r.Open = r.Open || r.Hinders || len(r.livelocks) > 0
}

// certain returns where instances hinder each other for certain: they try to leave a loop for good, and cannot choose
// to leave it. What the others do there does not matter.
func (t *retries) certain() (all []hindrance) {
	var leaving []int
	var who uint64
	for k, r := range t.all {
		if r.leaves {
			leaving = append(leaving, k)
			who |= 1 << r.who
		}
	}
	if bits.OnesCount64(who) < 2 {
		return nil
	}
	return t.hindrances(leaving, leaving, func(n int32, e edge) bool {
		return !slices.ContainsFunc(t.moves(n, e), func(m move) bool { return who>>m.who&1 == 1 && !t.isForced(n, e) })
	})
}

// isForced tells whether who moves by an edge has nothing to choose with it by which it would leave its loop.
func (t *retries) isForced(n int32, e edge) bool {
	return !slices.ContainsFunc(t.nodes[n].edges, func(o edge) bool {
		return o.mover == e.mover && o.group == e.group && slices.ContainsFunc(t.moves(n, o), func(m move) bool {
			return !t.isBack(m.who, m.from, m.to)
		})
	})
}

// mayHinder tells whether two instances may hinder each other in a retry of each of them, whatever the others do. That
// takes a search for components for each two retries in which instances may be hindered at all.
func (t *retries) mayHinder() bool {
	every := func(int32, edge) bool { return true }
	var all, some []int // the retries, and those in which anybody is hindered
	for k := range t.all {
		all = append(all, k)
	}
	for _, h := range t.hindrances(all, nil, every) {
		some = append(some, h.hindered...)
	}
	slices.Sort(some)
	some = slices.Compact(some)
	for at, k := range some {
		for _, l := range some[:at] {
			if t.all[k].who != t.all[l].who && slices.ContainsFunc(t.hindrances(all, []int{k, l}, every),
				func(h hindrance) bool { return slices.Contains(h.hindered, k) && slices.Contains(h.hindered, l) }) {
				return true
			}
		}
	}
	return false
}

// hindrances returns the components of some edges in which instances hinder each other, by retries of which only some
// count. Some always fail.
func (t *retries) hindrances(counting, failing []int, isOne func(n int32, e edge) bool) (all []hindrance) {
	fails := map[move]bool{}
	for _, k := range failing {
		fails[t.all[k].move] = true
	}
	edges := map[int32][]edge{}
	for _, n := range t.cyclic {
		for _, e := range t.nodes[n].edges {
			if isOne(n, e) && !slices.ContainsFunc(t.moves(n, e), func(m move) bool { return fails[m] }) {
				edges[n] = append(edges[n], e)
			}
		}
	}
	for _, c := range t.componentsOf(t.cyclic, func(n int32) []edge { return edges[n] }) {
		h := hindrance{nodes: c, edges: map[int32][]edge{}}
		for _, n := range c {
			h.edges[n] = slices.DeleteFunc(slices.Clone(edges[n]), func(e edge) bool {
				_, isIn := slices.BinarySearch(c, e.to)
				return !isIn
			})
		}
		if t.isFair(&h) && t.decide(&h, counting) {
			all = append(all, h)
		}
	}
	return all
}

// isFair tells whether all of a component is known, and who does not move in it cannot in some state of it.
func (t *retries) isFair(h *hindrance) bool {
	var moving uint64
	for _, n := range h.nodes {
		if !t.nodes[n].expanded || !t.hasFreeClient(n) {
			return false
		}
		for _, e := range h.edges[n] {
			for _, m := range t.moves(n, e) {
				moving |= 1 << m.who
			}
		}
	}
	for i := range t.instance {
		if moving>>i&1 == 0 && !t.isHeldBack(h.nodes, i) {
			return false
		}
	}
	return true
}

// decide finds out who is hindered in a component, and tells whether several are.
func (t *retries) decide(h *hindrance, counting []int) bool {
	type spot struct { // where an instance tries something
		who int
		at  control
	}
	tried := map[spot][]int{}
	for _, k := range counting {
		at := spot{t.all[k].who, t.all[k].from}
		tried[at] = append(tried[at], k)
	}
	failed := map[int]try{}         // by retry
	lost := map[int]map[move]bool{} // by condition: the moves by which it becomes untrue
	for _, n := range h.nodes {
		t.poll.Step(limit.Visited)
		for _, e := range h.edges[n] {
			for _, m := range t.moves(n, e) {
				for _, k := range tried[spot{m.who, m.from}] {
					if _, ok := failed[k]; !ok && !t.isTrue(n, t.all[k].condition) {
						failed[k] = try{m.who, n, e}
					}
				}
				t.falsified(n, e.to, func(condition int) {
					if lost[condition] == nil {
						lost[condition] = map[move]bool{}
					}
					lost[condition][m] = true
				})
			}
		}
	}
	// Who is not hindered hinders nobody, so there may be fewer and fewer.
	h.hindered = slices.Sorted(maps.Keys(failed))
	for before := -1; before != len(h.hindered); {
		before = len(h.hindered)
		h.hindered = slices.DeleteFunc(slices.Clone(h.hindered), func(k int) bool {
			for m := range lost[t.all[k].condition] {
				if m.who != t.all[k].who && t.isHindering(h, m) {
					return false
				}
			}
			return true
		})
	}
	for _, k := range h.hindered {
		last := len(h.tries) - 1
		switch own := failed[k]; {
		case last < 0 || h.tries[last].who != own.who: // the retries are in the order of the instances
			h.tries = append(h.tries, own)
		case own.from < h.tries[last].from:
			h.tries[last] = own
		}
	}
	return len(h.tries) > 1
}

// isHindering tells whether who makes a move is hindered itself, in a retry that it does not do by it.
func (t *retries) isHindering(h *hindrance, m move) bool {
	return slices.ContainsFunc(h.hindered, func(k int) bool { return t.all[k].who == m.who && t.all[k].move != m })
}

// falsified calls f for the conditions that are true in one node and untrue in another one.
func (t *retries) falsified(from, to int32, f func(condition int)) {
	for k, word := range t.holds[from] {
		for word &^= t.holds[to][k]; word != 0; word &= word - 1 {
			f(64*k + bits.TrailingZeros64(word))
		}
	}
}

// isHeldBack tells whether an instance that takes no step in a component cannot in some state of it, or need not: a
// client that is about to choose.
func (s *search) isHeldBack(component []int32, i int) bool {
	return slices.ContainsFunc(component, func(n int32) bool {
		state := s.nodes[n].state
		_, isRunning := s.controls.at(control(state[i]))
		return s.isChoosing(i, control(state[i])) || !isRunning || s.expand(state, i).blocked
	})
}

// livelock is the finding that instances hinder each other: it leads to the component, and once around in it, where
// each of them does not get what it tries to get.
func (s *search) livelock(h hindrance, r *Result) Finding {
	begin := h.tries[0].from
	f := Finding{Class: Livelock, Steps: s.run(begin)}
	at := begin
	for _, t := range h.tries {
		f.Steps = append(f.Steps, s.walk(h, at, t.from)...)
		f.Steps = append(f.Steps, s.stepsBetween(t.from, t.edge)...)
		at = t.edge.to
		w := s.wait(t.from, t.who, holdersAfter(s.program, f.Steps))
		w.Round = true
		f.Waits = append(f.Waits, w)
		r.livelocks[s.placeOf(t.from, t.who)] = true
	}
	f.Steps = append(f.Steps, s.walk(h, at, begin)...)
	return f
}

// walk returns the steps of the shortest way from one node of a component to another one.
func (s *search) walk(h hindrance, from, to int32) (all []esl.Step) {
	type visit struct {
		node int32
		edge edge
	}
	came := map[int32]visit{from: {node: -1}}
	for queue := []int32{from}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		for _, e := range h.edges[n] {
			if _, seen := came[e.to]; !seen {
				came[e.to] = visit{n, e}
				queue = append(queue, e.to)
			}
		}
	}
	for at := to; came[at].node >= 0; at = came[at].node {
		v := came[at]
		all = slices.Concat(s.stepsBetween(v.node, v.edge), all)
	}
	return all
}
