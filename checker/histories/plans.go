package histories

import (
	"slices"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/checker/poststar"
	"github.com/empire-go/empire-go/limit"
)

const (
	maxNodes = 1 << 15 // sequences of phases and histories of a thread
	maxPairs = 1 << 18 // of a sequence and a state of the thread's superset
)

// node is a sequence of phases with a history for each: that of the phase, behind another
// sequence.
type node struct {
	last    int32 // the sequence up to the end of the phase before, -1 in the first phase
	change  int32 // which of its phase's changes has led here
	phase   int32
	history int32
}

// planner finds the nodes of a thread.
type planner struct {
	*System
	thread    *thread
	phases    *phases
	nodes     []node
	index     map[node]int32
	histories []history
	keys      map[string]int32
	closures  [][]int32 // by node: itself and the nodes after it that others lead to alone
	guide     *automaton.Automaton
	edges     map[[3]int32]bool // of the guide
	pairs     map[[2]int32]bool
	work      [][2]int32
	full      bool
}

// plan is the sequences with which a thread can come to an end, as a tree of steps.
type plan []place

// place is a point in a plan.
type place struct {
	moves  []move
	accept bool
}

// move is a step of a plan: a change of the phase, that all threads take at once, or else
// what is done with a lock.
type move struct {
	change, phase int32 // -1 if it is no change
	use           lockUse
	to            int32
}

// plans finds out which sequences of histories a thread has, by one saturation restricted
// to those that its superset allows.
func (s *System) plans(t *thread, p *phases, label int) (plan, error) {
	r := &planner{
		System: s, thread: t, phases: p,
		index: map[node]int32{}, keys: map[string]int32{}, guide: &automaton.Automaton{},
		edges: map[[3]int32]bool{}, pairs: map[[2]int32]bool{},
	}
	if err := r.explore(); err != nil {
		return nil, err
	}
	r.guide.Sort()
	sat, err := poststar.Saturate(s.ctx, t.pushdown, s.labels, poststar.Query{Guide: r.guide, Limit: maxTransitions})
	if err != nil {
		return nil, err
	}
	ends := sat.Ends(s.labels, label)
	accepted := make([]bool, len(r.nodes))
	for n, end := range ends {
		if !end {
			continue
		}
		for _, m := range r.closure(int32(n)) {
			accepted[m] = accepted[m] || p.accept[r.nodes[m].phase]
		}
	}
	return r.tree(accepted), nil
}

// explore makes the guide: the nodes that words of the superset lead to, with the letters
// between them. What others do is guessed right before the thread's next letter.
func (r *planner) explore() error {
	r.visit(r.thread.superset.Start, r.node(-1, -1, r.phases.start, newHistory(nil)))
	for i := 0; i < len(r.work); i++ {
		if err := limit.Pay(r.ctx, limit.State); err != nil {
			return err
		}
		q, n := r.work[i][0], r.work[i][1]
		for _, m := range r.closure(n) {
			last := automaton.Epsilon
			var to []int32
			for _, e := range r.thread.superset.Edges[q] {
				if e.Letter != last {
					last, to = e.Letter, r.after(m, e.Letter)
				}
				for _, k := range to {
					r.connect(n, e.Letter, k)
					r.visit(e.To, k)
				}
			}
		}
		if r.full || len(r.work) > maxPairs {
			return errLimit
		}
	}
	return nil
}

func (r *planner) connect(from, letter, to int32) {
	if edge := [3]int32{from, letter, to}; !r.edges[edge] {
		r.edges[edge] = true
		r.guide.Connect(from, letter, to)
	}
}

func (r *planner) visit(state, n int32) {
	if pair := [2]int32{state, n}; !r.pairs[pair] {
		r.pairs[pair] = true
		r.work = append(r.work, pair)
	}
}

// node returns the number of a node.
func (r *planner) node(last, change, phase int32, h history) int32 {
	key := h.key()
	number, ok := r.keys[key]
	if !ok {
		number = int32(len(r.histories))
		r.keys[key] = number
		r.histories = append(r.histories, h)
	}
	n := node{last, change, phase, number}
	i, ok := r.index[n]
	if !ok {
		i = r.guide.Add(automaton.None)
		r.index[n] = i
		r.nodes = append(r.nodes, n)
		r.closures = append(r.closures, nil)
		r.full = r.full || len(r.nodes) > maxNodes
	}
	return i
}

// enter returns the node after the kth change of a node's phase.
func (r *planner) enter(n int32, k int, to int32) int32 {
	return r.node(n, int32(k), to, newHistory(r.histories[r.nodes[n].history].held()))
}

// closure returns a node and those that changes lead to in which the thread takes no part.
func (r *planner) closure(n int32) []int32 {
	if r.closures[n] != nil {
		return r.closures[n]
	}
	all := []int32{n}
	for i := 0; i < len(all) && !r.full; i++ {
		for k, c := range r.phases.out[r.nodes[all[i]].phase] {
			if !r.thread.has[c.letter] {
				all = append(all, r.enter(all[i], k, c.to))
			}
		}
	}
	r.closures[n] = all
	return all
}

// after returns the nodes after a letter of the thread.
func (r *planner) after(n, letter int32) []int32 {
	at := r.nodes[n]
	if use := r.locks[letter]; use.kind != noLock {
		h, ok := r.histories[at.history].after(use)
		if !ok {
			return nil
		}
		return []int32{r.node(at.last, at.change, at.phase, h)}
	}
	if len(r.phases.members[letter]) == 0 {
		return []int32{n}
	}
	var all []int32
	if r.phases.inside[at.phase][letter] {
		all = append(all, n)
	}
	for k, c := range r.phases.out[at.phase] {
		if c.letter == letter {
			all = append(all, r.enter(n, k, c.to))
		}
	}
	return all
}

// tree makes the plan of the nodes that are accepted.
func (r *planner) tree(accepted []bool) plan {
	p := plan{{}}
	add := func(at int32, m move) int32 {
		for _, old := range p[at].moves {
			if old.change == m.change && old.phase == m.phase && old.use == m.use {
				return old.to
			}
		}
		m.to = int32(len(p))
		p[at].moves = append(p[at].moves, m)
		p = append(p, place{})
		return m.to
	}
	for n, ok := range accepted {
		if !ok {
			continue
		}
		var path []int32
		for m := int32(n); m >= 0; m = r.nodes[m].last {
			path = append(path, m)
		}
		slices.Reverse(path)
		at := int32(0)
		for _, m := range path {
			if r.nodes[m].last >= 0 {
				at = add(at, move{change: r.nodes[m].change, phase: r.nodes[r.nodes[m].last].phase})
			}
			for _, use := range r.histories[r.nodes[m].history].uses() {
				at = add(at, move{change: -1, phase: -1, use: use})
			}
		}
		p[at].accept = true
	}
	return p
}
