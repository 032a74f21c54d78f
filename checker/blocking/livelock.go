package blocking

import (
	"math/bits"
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// Goroutines that hinder each other for ever: each takes a lock, does not get another one without waiting, gives the
// first one back and tries again (livelock, definition 8). Each of them can still get on, so that it is not blocked and
// does not go round for ever in whatever follows; but there is a run without end in which none does. Such a run comes
// again and again through the states of a strongly connected component of the graph, by steps of instances that only
// look and stay in their loops. It is fair: whoever takes no step in the component is unable to in some state of it.
//
// An instance is hindered there if it tries in vain to take a lock in one state, and could take it in another one: then
// somebody else has made the difference. Two are hindered in a livelock; one alone is only unlucky, which is
// starvation, the genus. Whether it has something to choose in its loop matters as for who is blocked: see
// Result.Open.

// hindrance is a component in which some instances hinder each other.
type hindrance struct {
	tries  []try // of each of them one, in the order of the instances
	within map[int32]bool
}

// try is an edge by which an instance does not get what it tries to get.
type try struct {
	who  int
	from int32
	edge edge
}

// addLivelocks adds the findings that instances hinder each other.
func (s *search) addLivelocks(r *Result) {
	for _, h := range s.hindrances(s.isForced) {
		r.Findings = append(r.Findings, s.livelock(h, r))
	}
	all := func(int32, edge) bool { return true }
	r.Open = r.Open || len(r.livelocks) > 0 || len(s.hindrances(all)) > 0 || len(s.hindrancesBeside()) > 0
}

// hindrancesBeside returns the components in which some only look and hinder each other, while those who try to take no
// lock anywhere do whatever they do: a goroutine that goes on for ever is in no component of looks. That these have no
// part in it is not certain.
func (s *search) hindrancesBeside() (all []hindrance) {
	var tries uint64
	for n := range s.nodes {
		for i, at := range s.nodes[n].state {
			if i < len(s.instance) && s.controls.passes(control(at)) {
				tries |= 1 << i
			}
		}
	}
	if bits.OnesCount64(tries) < 2 {
		return nil
	}
	next := func(n int32) (to []edge) {
		for _, e := range s.nodes[n].edges {
			if e.looks || tries>>e.mover&1 == 0 {
				to = append(to, e)
			}
		}
		return to
	}
	for _, c := range s.components(next) {
		if h, ok := s.hindranceIn(c, next); ok {
			all = append(all, h)
		}
	}
	return all
}

// isForced tells whether an instance has nothing to choose with an edge that would lead it out of its loop.
func (s *search) isForced(n int32, e edge) bool {
	return !slices.ContainsFunc(s.nodes[n].edges, func(other edge) bool {
		return other.mover == e.mover && other.group == e.group && !other.looks
	})
}

// hindrances returns the components of the edges of a kind, by which instances only look, in which some hinder each
// other.
func (s *search) hindrances(isOne func(n int32, e edge) bool) (all []hindrance) {
	next := func(n int32) (to []edge) {
		for _, e := range s.nodes[n].edges {
			if e.looks && isOne(n, e) {
				to = append(to, e)
			}
		}
		return to
	}
	for _, c := range s.components(next) {
		if h, ok := s.hindranceIn(c, next); ok {
			all = append(all, h)
		}
	}
	return all
}

// hindranceIn returns those who hinder each other in a component.
func (s *search) hindranceIn(component []int32, next func(int32) []edge) (h hindrance, ok bool) {
	h.within = map[int32]bool{}
	for _, n := range component {
		h.within[n] = true
	}
	var moves uint64
	failed := make([]map[int32]try, len(s.instance)) // by where an instance is: in vain
	could := make([]map[int32]bool, len(s.instance)) // and where it could take a lock
	for i := range s.instance {
		failed[i], could[i] = map[int32]try{}, map[int32]bool{}
	}
	for _, n := range component {
		if !s.nodes[n].expanded || !s.hasFreeClient(n) {
			return h, false
		}
		for _, e := range next(n) {
			if !h.within[e.to] {
				continue
			}
			i, at := int(e.mover), s.nodes[n].state[e.mover]
			moves |= 1 << i
			if _, is := failed[i][at]; !is && s.controls.passes(control(at)) && !s.couldTake(n, i) {
				failed[i][at] = try{i, n, e}
			}
		}
		for i := range s.instance {
			if at := s.nodes[n].state[i]; s.controls.passes(control(at)) && s.couldLock(n, i) {
				could[i][at] = true
			}
		}
	}
	for i := range s.instance {
		isMoving := moves>>i&1 == 1
		if !isMoving && !s.isHeldBack(component, i) {
			return h, false
		}
		var first *try
		for at, t := range failed[i] {
			if could[i][at] && (first == nil || t.from < first.from) {
				first = &t
			}
		}
		if first != nil {
			h.tries = append(h.tries, *first)
		}
	}
	return h, len(h.tries) > 1
}

// couldTake tells whether an instance could do something that it is at: alone, or by a meeting.
func (s *search) couldTake(n int32, i int) (is bool) {
	state := s.nodes[n].state
	s.controls.offers(control(state[i]), func(_ int, stmt esl.Stmt) {
		is = is || s.status(state, i, stmt) == can ||
			s.isMeeting(stmt, esl.Receive) && len(s.partners(state, i, stmt, esl.Send)) > 0 ||
			s.isMeeting(stmt, esl.Send) && len(s.partners(state, i, stmt, esl.Receive)) > 0
	})
	return is
}

// couldLock tells whether an instance could take a lock that it is at.
func (s *search) couldLock(n int32, i int) (is bool) {
	state := s.nodes[n].state
	s.controls.offers(control(state[i]), func(_ int, stmt esl.Stmt) {
		is = is || (stmt.Op == esl.LockOp || stmt.Op == esl.RLock) && s.status(state, i, stmt) == can
	})
	return is
}

// isHeldBack tells whether an instance that takes no step in a component cannot in some state of it, or need not: a
// client that is about to choose.
func (s *search) isHeldBack(component []int32, i int) bool {
	return slices.ContainsFunc(component, func(n int32) bool {
		state := s.nodes[n].state
		stmt, ok := s.controls.at(control(state[i]))
		isChoosing := ok && chooses(stmt) && slices.Contains(s.options.Clients, s.instance[i].Process)
		e := s.expand(state, i)
		return isChoosing || len(e.transitions) == 0 && !e.crash && !s.couldTake(n, i)
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
		for _, e := range s.nodes[n].edges {
			if _, seen := came[e.to]; !seen && e.looks && h.within[e.to] {
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

// components returns the strongly connected components of some edges that have an edge (Tarjan, 1972), without
// recursion.
func (s *search) components(next func(int32) []edge) (all [][]int32) {
	type call struct {
		node  int32
		edges []edge
	}
	number, low := make([]int32, len(s.nodes)), make([]int32, len(s.nodes)) // 0: not seen
	isOpen := make([]bool, len(s.nodes))
	var open []int32
	count := int32(0)
	for root := range s.nodes {
		if number[root] != 0 || len(next(int32(root))) == 0 {
			continue
		}
		var calls []call
		enter := func(n int32) {
			count++
			number[n], low[n], isOpen[n] = count, count, true
			open = append(open, n)
			calls = append(calls, call{n, next(n)})
		}
		for enter(int32(root)); len(calls) > 0; {
			s.poll.Check()
			at := &calls[len(calls)-1]
			if len(at.edges) > 0 {
				to := at.edges[0].to
				at.edges = at.edges[1:]
				switch {
				case number[to] == 0:
					enter(to)
				case isOpen[to]:
					low[at.node] = min(low[at.node], number[to])
				}
				continue
			}
			n := at.node
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				below := calls[len(calls)-1].node
				low[below] = min(low[below], low[n])
			}
			if low[n] != number[n] {
				continue
			}
			k := slices.Index(open, n)
			component := slices.Clone(open[k:])
			open = open[:k]
			for _, m := range component {
				isOpen[m] = false
			}
			if len(component) > 1 {
				slices.Sort(component)
				all = append(all, component)
			}
		}
	}
	slices.SortFunc(all, func(a, b []int32) int { return int(a[0] - b[0]) })
	return all
}
