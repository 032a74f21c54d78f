package blocking

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/limit"
)

// node is a state that was reached.
type node struct {
	state    state
	parent   int32
	moving   int8 // how many instances could do something in the state before it
	expanded bool
	blocked  uint64 // the instances that are blocked now
	crash    uint64 // those that can end the program
	steps    []esl.Step
	edges    []edge
}

// edge is a transition to another node.
type edge struct {
	to            int32
	mover, second int8
	group         int16 // see transition
	looks         bool  // the mover only looks, and stays in its loop: see rounds
}

// search is the graph of the states.
type search struct {
	*machine
	nodes   []node
	index   map[string]int32
	options Options
	reason  string // why not all was explored
	poll    *limit.Poll
	room    []byte
	// the nodes that were not expanded, once they are not any more in the order in which they were reached
	frontier *frontier

	forever  []uint64 // by node: the instances that are blocked for ever
	rounds   []uint64 // by node: those that go round for ever
	possible []uint64 // by node: those that are if the worst is chosen
	incoming [][]edge // by node: to is where they come from
}

func newSearch(ctx context.Context, p *esl.Program, o Options) *search {
	return &search{machine: newMachine(p, o.Depth), index: map[string]int32{}, options: o, poll: limit.NewPoll(ctx)}
}

// add returns the node of a state. So many instances could do something in the one before it.
func (s *search) add(t transition, parent int32, moving int8) int32 {
	s.room = t.to.key(s.room)
	if n, ok := s.index[string(s.room)]; ok {
		return n
	}
	n := int32(len(s.nodes))
	s.index[string(s.room)] = n
	s.nodes = append(s.nodes, node{state: t.to, parent: parent, moving: moving, steps: t.steps})
	if s.frontier != nil {
		heap.Push(s.frontier, n)
	}
	return n
}

// isKnown tells whether there is a node for a state.
func (s *search) isKnown(t state) bool {
	s.room = t.key(s.room)
	_, ok := s.index[string(s.room)]
	return ok
}

// explore explores the states breadth first, so that runs are short. Where there are so many that it may not come to
// the end, those come first from the middle on in which few instances can do something: where many have ended or are
// blocked, little can follow, and who is blocked there for ever is known once all of that was explored (best-first
// search, of equals what was reached last). Which states there are does not depend on the order.
func (s *search) explore() {
	for _, t := range s.initial() {
		s.add(t, -1, 0)
	}
	n := int32(0)
	for ; int(n) < len(s.nodes) && int(n) < s.options.States/2; n++ {
		s.expandNode(n)
	}
	s.frontier = &frontier{search: s}
	for k := n; int(k) < len(s.nodes); k++ {
		heap.Push(s.frontier, k)
	}
	for ; s.frontier.Len() > 0; n++ {
		if int(n) >= s.options.States {
			s.reason = fmt.Sprintf("there are more than %d states", s.options.States)
			break
		}
		s.expandNode(heap.Pop(s.frontier).(int32))
	}
	if s.controls.isCut && s.reason == "" {
		s.reason = fmt.Sprintf("calls are nested more than %d deep", s.options.Depth)
	}
}

// frontier is a heap of nodes.
type frontier struct {
	*search
	all []int32
}

func (f *frontier) Len() int      { return len(f.all) }
func (f *frontier) Swap(i, j int) { f.all[i], f.all[j] = f.all[j], f.all[i] }
func (f *frontier) Less(i, j int) bool {
	a, b := f.all[i], f.all[j]
	return cmp.Or(int(f.nodes[a].moving)-int(f.nodes[b].moving), int(b-a)) < 0
}
func (f *frontier) Push(n any) { f.all = append(f.all, n.(int32)) }
func (f *frontier) Pop() any {
	last := f.all[len(f.all)-1]
	f.all = f.all[:len(f.all)-1]
	return last
}

// expandNode explores what can happen in one state.
func (s *search) expandNode(n int32) {
	s.poll.Step(limit.Offered * limit.Work(len(s.instance)))
	at := s.nodes[n].state
	all := make([]expansion, len(s.instance))
	first, moving := -1, int8(0)
	cut := s.controls.isCut
	s.controls.isCut = false
	for i := range all {
		all[i] = s.expand(at, i)
		if len(all[i].transitions) > 0 {
			moving++
		}
		if all[i].blocked {
			s.nodes[n].blocked |= 1 << i
		}
		if all[i].crash {
			s.nodes[n].crash |= 1 << i
		}
		if first < 0 && !s.options.Whole && s.isFirst(at, i, all[i]) && s.areNew(all[i]) {
			first = i
		}
	}
	for i, e := range all {
		if first >= 0 && i != first {
			continue
		}
		for _, t := range e.transitions {
			to := s.add(t, n, moving)
			s.nodes[n].edges = append(s.nodes[n].edges, edge{to, int8(t.mover), int8(t.second), int16(t.group),
				s.onlyLooks(at, t)})
		}
	}
	s.nodes[n].expanded = !s.controls.isCut
	s.controls.isCut = s.controls.isCut || cut
}

// areNew tells whether the states after all transitions are ones that have not been reached.
func (s *search) areNew(e expansion) bool {
	return !slices.ContainsFunc(e.transitions, func(t transition) bool { return s.isKnown(t.to) })
}

// decide finds out, for each state, who is blocked for ever. An instance is not where a state can be reached in
// which it can take a step, can end the program, or which was not explored.
func (s *search) decide() {
	s.incoming = make([][]edge, len(s.nodes))
	for n := range s.nodes {
		for _, e := range s.nodes[n].edges {
			s.incoming[e.to] = append(s.incoming[e.to], edge{int32(n), e.mover, e.second, e.group, e.looks})
		}
	}
	s.forever = s.stuck(func(free []uint64, n int32, _ edge) uint64 { return free[n] })
}

// decidePossible finds out who is blocked for ever if those who choose choose the worst: an instance is surely not
// where, whatever is chosen, some step leads to where it surely is not.
func (s *search) decidePossible() {
	s.possible = s.stuck(func(free []uint64, _ int32, e edge) uint64 {
		all := ^uint64(0)
		for _, other := range s.nodes[e.to].edges {
			if other.mover == e.mover && other.group == e.group {
				all &= free[other.to]
			}
		}
		return all
	})
}

// stuck returns, for each state, who is blocked there and is not free: who can go on there is free, and what is gained
// by a step, an incoming edge of the state n that it leads to, is what is free before it.
func (s *search) stuck(gained func(free []uint64, n int32, e edge) uint64) []uint64 {
	free := s.free(func(int32) uint64 { return 0 }, func(edge) bool { return true }, gained)
	all := make([]uint64, len(s.nodes))
	for n := range s.nodes {
		all[n] = s.nodes[n].blocked &^ free[n]
	}
	return all
}

// free returns, for each state, who is free there: some from the beginning, others by a step that counts.
func (s *search) free(begins func(n int32) uint64, counts func(edge) bool,
	gained func(free []uint64, n int32, e edge) uint64) []uint64 {
	free := make([]uint64, len(s.nodes))
	queued := make([]bool, len(s.nodes))
	var queue []int32
	for n := range s.nodes {
		at := &s.nodes[n]
		if !at.expanded {
			free[n] = ^uint64(0)
		}
		free[n] |= begins(int32(n)) | s.freedByEnd(int32(n))
		for _, e := range at.edges {
			if !counts(e) {
				continue
			}
			free[n] |= 1 << e.mover
			if e.second >= 0 {
				free[n] |= 1 << e.second
			}
		}
		queue, queued[n] = append(queue, int32(n)), true
	}
	slices.Reverse(queue)
	for len(queue) > 0 {
		s.poll.Check()
		n := queue[0]
		queue, queued[n] = queue[1:], false
		for _, e := range s.incoming[n] {
			if free[n]&^free[e.to] == 0 {
				continue
			}
			if more := gained(free, n, e); more&^free[e.to] != 0 {
				free[e.to] |= more
				if !queued[e.to] {
					queue, queued[e.to] = append(queue, e.to), true
				}
			}
		}
	}
	return free
}

// freedByEnd returns who is not blocked for ever because the program can end in a state: all. But of clients of a
// library others do not do that; only who waits for what a call holds that is about to panic is not told, too. What an
// earlier call has not released is waited for whatever the next one does.
func (s *search) freedByEnd(n int32) uint64 {
	at := &s.nodes[n]
	switch {
	case at.state[s.exited] != 0, at.crash != 0 && len(s.options.Clients) == 0:
		return ^uint64(0)
	case at.crash == 0:
		return 0
	}
	holders := holdersAfter(s.program, s.sinceChosen(s.run(n)))
	free := at.crash
	for changed := true; changed; {
		changed = false
		for i := range s.instance {
			if at.blocked>>i&1 == 1 && free>>i&1 == 0 && s.waitsFor(n, i, free, holders) {
				free |= 1 << i
				changed = true
			}
		}
	}
	return free
}

// sinceChosen returns a run without what clients did before they last chose what to do.
func (s *search) sinceChosen(run []esl.Step) []esl.Step {
	chosen := map[esl.Instance]int{}
	for k, step := range run {
		stmt := s.controls.statement(step.Function, step.Index)
		if chooses(stmt) && slices.Contains(s.options.Clients, step.Process) {
			chosen[step.Instance] = k
		}
	}
	var rest []esl.Step
	for k, step := range run {
		if k >= chosen[step.Instance] {
			rest = append(rest, step)
		}
	}
	return rest
}

// waitsFor tells whether an instance waits for a lock that one of a set holds.
func (s *search) waitsFor(n int32, i int, set uint64, holders map[hold][]esl.Instance) (is bool) {
	at := s.nodes[n].state
	s.controls.offers(control(at[i]), func(_ int, stmt esl.Stmt) {
		for _, e := range s.inTheWay(at, stmt, holders) {
			is = is || set>>slices.Index(s.instance, e.Instance)&1 == 1
		}
	})
	return is
}

// run returns the steps that lead to a node.
func (s *search) run(n int32) (all []esl.Step) {
	var path []int32
	for ; n >= 0; n = s.nodes[n].parent {
		path = append(path, n)
	}
	slices.Reverse(path)
	for _, n := range path {
		all = append(all, s.nodes[n].steps...)
	}
	return all
}

// placeOf returns where an instance is in a node.
func (s *search) placeOf(n int32, i int) place {
	f := s.controls.frames[s.nodes[n].state[i]]
	return place{s.instance[i].Process, int(f.function), int(f.index)}
}

// standstill returns the nearest node, from one on, in which all is at rest, and the way to it; the node itself if
// there is none. Those that were blocked for ever are so there.
func (s *search) standstill(from int32) (int32, []esl.Step) {
	type visit struct {
		node   int32
		parent int
		steps  []esl.Step
	}
	seen := map[int32]bool{from: true}
	queue := []visit{{from, -1, nil}}
	for k := 0; k < len(queue); k++ {
		at := queue[k].node
		if s.isAtRest(at) {
			var path [][]esl.Step
			for j := k; j >= 0; j = queue[j].parent {
				path = append(path, queue[j].steps)
			}
			slices.Reverse(path)
			return at, slices.Concat(path...)
		}
		for _, e := range s.nodes[at].edges {
			if !seen[e.to] {
				seen[e.to] = true
				queue = append(queue, visit{e.to, k, s.stepsBetween(at, e)})
			}
		}
	}
	return from, nil
}

// isAtRest tells whether nothing can happen in a node any more, but that some go round for ever.
func (s *search) isAtRest(n int32) bool {
	at := &s.nodes[n]
	if !at.expanded || at.state[s.exited] != 0 {
		return false
	}
	goes := func(e edge) bool { return !e.looks || s.rounds[n]>>e.mover&1 == 0 }
	if slices.ContainsFunc(at.edges, goes) {
		return false
	}
	for i := range s.instance { // some may have been put off
		if s.rounds[n]>>i&1 == 0 && len(at.edges) > 0 && len(s.expand(at.state, i).transitions) > 0 {
			return false
		}
	}
	return true
}

// stepsBetween returns the steps of an edge.
func (s *search) stepsBetween(from int32, e edge) []esl.Step {
	for _, t := range s.expand(s.nodes[from].state, int(e.mover)).transitions {
		if slices.Equal(t.to, s.nodes[e.to].state) && int8(t.second) == e.second {
			return t.steps
		}
	}
	return nil
}
