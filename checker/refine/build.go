package refine

import (
	"context"
	"errors"
	"slices"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/checker/poststar"
)

// errStates means that an automaton would have more states than allowed.
var errStates = errors.New("the limit on states is passed")

// edgesPerState turns a limit on states into one on the edges that removing silent
// moves may make.
const edgesPerState = 16

// activation is a pushdown symbol's stay on the stack from the push to the pop,
// seen by what was pushed: a state of post* that is not a control. Its nodes are
// the heads that occur while it is on top.
type activation struct {
	nodes []int32 // transitions of post*
	calls []call
	first call // for those of the initial stack: the one above, by callee >= 0
}

// call is a push in an activation: callee on top of lower.
type call struct {
	node   int32 // index in nodes
	rule   int32
	callee int32
	lower  int32
}

// builder makes a finite automaton of a component's action language, fragment by
// fragment: one for each activation, with a way out for each control in which it
// can be popped. A fragment is inlined into its callers reduced, so that deep
// chains of calls stay small. An activation that is entered from one place only, and
// returns to one, is made in one piece with its caller instead of being copied, up to a size.
//
// Recursive activations, and only these, cannot be inlined. They are cut below a
// depth (the language is then a subset), or merged: the exits of an activation
// lead to all places that it can return to (then it is a superset). Which heads
// an activation has and where it returns to come from post*, hence are exact for
// each component of the call graph that is taken alone.
type builder struct {
	ctx    context.Context
	pds    *poststar.Pushdown
	labels *automaton.Labels
	sat    *poststar.Saturation
	acts   []activation
	index  []int32 // by transition: its place in the nodes of its activation
	group  []int32 // by activation: its strongly connected component of calls
	looped []bool  // by group: recursive
	sole   []bool  // by activation: see findSole

	reduced *store[reduction] // nil: nothing is kept
	lists   [][]int           // see setsOfLabels

	merge  bool
	depth  int // calls of a recursive component inlined before it is cut or merged
	limit  int // on states of all fragments together, copies included
	states int
	memo   map[[2]int32]*automaton.Automaton // by activation and depth
}

// exit is the letter of the way out with a control.
func exit(control int32) int32 { return -2 - control }

// newBuilder saturates the component.
func newBuilder(ctx context.Context, p *poststar.Pushdown, labels *automaton.Labels, limit int) (*builder, error) {
	sat, err := poststar.Saturate(ctx, p, labels, poststar.Query{Limit: limit})
	if err != nil {
		return nil, err
	}
	b := &builder{ctx: ctx, pds: p, labels: labels, sat: sat}
	b.acts = make([]activation, sat.Activations())
	for i := range b.acts {
		b.acts[i].first.callee = -1
	}
	b.index = make([]int32, len(sat.Transitions))
	for i, t := range sat.Transitions {
		if sat.IsControl(t.From) && !t.Silent() {
			act := &b.acts[sat.Activation(t.To)]
			b.index[i] = int32(len(act.nodes))
			act.nodes = append(act.nodes, int32(i))
		}
	}
	b.findCalls()
	b.findRecursion()
	b.findSole()
	return b, nil
}

func (b *builder) findCalls() {
	for a := range b.acts {
		act := &b.acts[a]
		for n, t := range act.nodes {
			head := b.sat.Transitions[t]
			first, end := b.pds.Head(head.From, head.Symbol)
			for r := first; r < end; r++ {
				if rule := &b.pds.Rules[r]; rule.Push == 2 {
					act.calls = append(act.calls, call{int32(n), r, rule.Mid, rule.Lower})
				}
			}
		}
	}
	stack := b.pds.Initial.Stack
	for i := 1; i < len(stack); i++ {
		b.acts[b.pds.Mids+i].first = call{-1, -1, int32(b.pds.Mids + i - 1), int32(stack[i])}
	}
}

// findRecursion finds the strongly connected components of calls.
func (b *builder) findRecursion() {
	graph := &automaton.Automaton{}
	for range b.acts {
		graph.Add(automaton.None)
	}
	for a := range b.acts {
		for _, c := range b.acts[a].calls {
			graph.Connect(int32(a), automaton.Epsilon, c.callee)
		}
	}
	group, count := graph.SilentComponents()
	b.group, b.looped = group, make([]bool, count)
	size := make([]int, count)
	for a := range b.acts {
		size[group[a]]++
		for _, c := range b.acts[a].calls {
			if c.callee == int32(a) {
				b.looped[group[a]] = true
			}
		}
	}
	for g, n := range size {
		b.looped[g] = b.looped[g] || n > 1
	}
}

// findSole finds the activations that have one caller and one symbol below them, so
// that it is known where they return to, and are not recursive.
func (b *builder) findSole() {
	below := make([][2]int32, len(b.acts)) // by activation: caller and lower symbol
	calls := make([]int, len(b.acts))      // 2 for several
	for a := range b.acts {
		for _, c := range append(b.acts[a].calls, b.acts[a].first) {
			at := [2]int32{int32(a), c.lower}
			if c.callee < 0 || calls[c.callee] > 0 && below[c.callee] == at {
				continue
			}
			below[c.callee] = at
			calls[c.callee]++
		}
		if b.acts[a].first.callee >= 0 {
			calls[b.acts[a].first.callee]++ // it is entered otherwise than by a push
		}
	}
	b.sole = make([]bool, len(b.acts))
	for a := range b.acts {
		b.sole[a] = calls[a] == 1 && !b.looped[b.group[a]]
	}
}

// pieceSize is up to how many nodes a fragment is made in one piece with what it
// calls. To reduce a large one takes longer than to copy the parts of it reduced.
const pieceSize = 64

// withSole adds to the members of a fragment activations that only they call.
func (b *builder) withSole(members []int32) []int32 {
	in := map[int32]bool{}
	size := 0
	for _, m := range members {
		in[m] = true
		size += len(b.acts[m].nodes)
	}
	for i := 0; i < len(members); i++ {
		for _, c := range b.acts[members[i]].calls {
			if !b.sole[c.callee] || in[c.callee] || size+len(b.acts[c.callee].nodes) > pieceSize {
				continue
			}
			in[c.callee] = true
			size += len(b.acts[c.callee].nodes)
			members = append(members, c.callee)
		}
	}
	return members
}

// recursive tells whether some reachable activation is.
func (b *builder) recursive() bool {
	for a := range b.acts {
		if len(b.acts[a].nodes) > 0 && b.looped[b.group[a]] {
			return true
		}
	}
	return false
}

func (b *builder) begin(merge bool, depth, limit int) {
	b.merge, b.depth, b.limit, b.states = merge, depth, limit, 0
	b.memo = map[[2]int32]*automaton.Automaton{}
}

// build returns the reduced automaton of the component.
func (b *builder) build(merge bool, depth, limit int) (*automaton.Automaton, error) {
	b.begin(merge, depth, limit)
	if len(b.pds.Initial.Stack) == 0 {
		a := &automaton.Automaton{}
		a.Add(b.pds.Emptied[b.pds.Initial.Control])
		return a, nil
	}
	whole, err := b.fragment(int32(len(b.acts)-1), int32(depth))
	if err != nil {
		return nil, err
	}
	if !exits(whole) {
		return whole, nil
	}
	// Out of the bottom symbol's activation the stack is empty.
	a := &automaton.Automaton{Start: whole.Start}
	for s := range whole.Edges {
		a.Add(whole.Accept[s])
	}
	for s, edges := range whole.Edges {
		for _, e := range edges {
			if e.Letter < automaton.Epsilon {
				a.Accept[s] = b.labels.Union(a.Accept[s], b.pds.Emptied[-2-e.Letter])
				continue
			}
			a.Connect(int32(s), e.Letter, e.To)
		}
	}
	return b.reduce(a)
}

// exits tells whether there are ways out of a fragment.
func exits(a *automaton.Automaton) bool {
	return slices.ContainsFunc(a.Edges, func(edges []automaton.Edge) bool {
		return slices.ContainsFunc(edges, func(e automaton.Edge) bool { return e.Letter < automaton.Epsilon })
	})
}

// fragment returns the automaton of an activation, with depth calls of its
// recursive component left.
func (b *builder) fragment(act, depth int32) (*automaton.Automaton, error) {
	if !b.looped[b.group[act]] {
		depth = 0
	}
	if f, ok := b.memo[[2]int32{act, depth}]; ok {
		return f, nil
	}
	if err := b.ctx.Err(); err != nil {
		return nil, err
	}
	f := &fragment{b: b, depth: depth, base: map[int32]int32{}, copies: map[[3]int32]int32{}}
	f.members = []int32{act}
	if b.looped[b.group[act]] && b.merge && depth == 0 {
		f.merged = true
		f.members = f.members[:0]
		for a, g := range b.group {
			if g == b.group[act] && len(b.acts[a].nodes) > 0 {
				f.members = append(f.members, int32(a))
			}
		}
	}
	f.members = b.withSole(f.members)
	if err := f.make(act); err != nil {
		return nil, err
	}
	out, err := b.reduce(&f.a)
	if err != nil {
		return nil, err
	}
	b.states += out.States()
	b.memo[[2]int32{act, depth}] = out
	return out, nil
}

// fragment is an automaton being made of one activation, or of a merged recursive
// component, and of the activations that only these call.
type fragment struct {
	b       *builder
	a       automaton.Automaton
	depth   int32
	merged  bool
	members []int32
	base    map[int32]int32    // by member: the state of its first node
	hubs    map[[2]int32]int32 // by member and control: where it is popped
	order   [][2]int32         // the keys of hubs
	copies  map[[3]int32]int32 // by caller, callee and lower symbol: the initial state of the callee's copy
}

func (f *fragment) make(act int32) error {
	b := f.b
	f.hubs = map[[2]int32]int32{}
	for _, m := range f.members {
		f.base[m] = int32(f.a.States())
		for _, t := range b.acts[m].nodes {
			f.a.Add(b.pds.Anywhere[b.sat.Transitions[t].From])
		}
	}
	if err := f.grown(0); err != nil {
		return err
	}
	for _, m := range f.members {
		f.moves(m)
		for _, c := range b.acts[m].calls {
			rule := &b.pds.Rules[c.rule]
			entry, err := f.enter(m, c, rule.To, rule.Upper)
			if err != nil {
				return err
			}
			if entry >= 0 {
				f.a.Connect(f.base[m]+c.node, rule.Letter, entry)
			}
		}
	}
	if err := f.start(act); err != nil {
		return err
	}
	f.leave(act)
	return f.grown(0)
}

// grown counts the states made and those to come.
func (f *fragment) grown(more int) error {
	if f.b.limit > 0 && f.b.states+f.a.States()+more > f.b.limit {
		return errStates
	}
	return nil
}

// moves adds the rules of a member that stay or pop.
func (f *fragment) moves(m int32) {
	b := f.b
	target := b.sat.StateOf(m)
	for n, t := range b.acts[m].nodes {
		head := b.sat.Transitions[t]
		from := f.base[m] + int32(n)
		first, end := b.pds.Head(head.From, head.Symbol)
		for r := first; r < end; r++ {
			switch rule := &b.pds.Rules[r]; rule.Push {
			case 0:
				f.a.Connect(from, rule.Letter, f.hub(m, rule.To))
			case 1:
				f.a.Connect(from, rule.Letter, f.node(m, rule.To, rule.Upper, target))
			}
		}
	}
}

func (f *fragment) hub(m, control int32) int32 {
	key := [2]int32{m, control}
	h, ok := f.hubs[key]
	if !ok {
		h = f.a.Add(automaton.None)
		f.hubs[key] = h
		f.order = append(f.order, key)
	}
	return h
}

func (f *fragment) node(m, control, symbol, target int32) int32 {
	return f.base[m] + f.b.index[f.b.sat.Find(control, symbol, target)]
}

// together tells whether the callee is part of the fragment and not inlined.
func (f *fragment) together(c call) bool {
	_, ok := f.base[c.callee]
	return ok && (f.merged || f.b.sole[c.callee])
}

// enter returns the state in which a call begins, -1 if it is cut.
func (f *fragment) enter(m int32, c call, control, symbol int32) (int32, error) {
	b := f.b
	if f.together(c) {
		return f.node(c.callee, control, symbol, b.sat.StateOf(c.callee)), nil
	}
	depth := int32(b.depth)
	if b.group[c.callee] == b.group[m] && b.looped[b.group[m]] {
		if f.depth == 0 {
			return -1, nil
		}
		depth = f.depth - 1
	}
	return f.inline(m, c, depth)
}

// inline copies the fragment of a callee; its ways out lead back to the caller.
// Calls from one activation to the same callee above the same symbol leave the
// same stack, hence share a copy.
func (f *fragment) inline(m int32, c call, depth int32) (int32, error) {
	key := [3]int32{m, c.callee, c.lower}
	if s, ok := f.copies[key]; ok {
		return s, nil
	}
	callee, err := f.b.fragment(c.callee, depth)
	if err != nil {
		return -1, err
	}
	if err := f.grown(callee.States()); err != nil {
		return -1, err
	}
	offset := int32(f.a.States())
	for s := range callee.Edges {
		f.a.Add(callee.Accept[s])
	}
	target := f.b.sat.StateOf(m)
	for s, edges := range callee.Edges {
		for _, e := range edges {
			if e.Letter < automaton.Epsilon {
				f.a.Connect(offset+int32(s), automaton.Epsilon, f.node(m, -2-e.Letter, c.lower, target))
			} else {
				f.a.Connect(offset+int32(s), e.Letter, offset+e.To)
			}
		}
	}
	f.copies[key] = offset + callee.Start
	return f.copies[key], nil
}

// start sets the initial state: the head with which the activation begins, or for
// a symbol low on the initial stack the activation above it.
func (f *fragment) start(act int32) error {
	b := f.b
	if c := b.acts[act].first; c.callee >= 0 {
		entry, err := f.inline(act, c, int32(b.depth))
		f.a.Start = entry
		return err
	}
	if int(act) >= b.pds.Mids {
		initial := b.pds.Initial
		f.a.Start = f.node(act, int32(initial.Control), int32(initial.Stack[0]), b.sat.StateOf(act))
		return nil
	}
	control, symbol := b.sat.MidHead(act)
	f.a.Start = f.node(act, control, symbol, b.sat.StateOf(act))
	return nil
}

// leave connects the places where activations are popped: out of the fragment, and
// within it to all places that they may return to.
func (f *fragment) leave(act int32) {
	sink := f.a.Add(automaton.None)
	controls := map[int32][]int32{} // by member: those in which it is popped
	for i := 0; i < len(f.order); i++ {
		m, control := f.order[i][0], f.order[i][1]
		controls[m] = append(controls[m], control)
		if m == act {
			f.a.Connect(f.hubs[f.order[i]], exit(control), sink)
		}
	}
	done := map[[3]int32]bool{}
	for _, m := range f.members {
		target := f.b.sat.StateOf(m)
		for _, c := range f.b.acts[m].calls {
			key := [3]int32{m, c.callee, c.lower}
			if done[key] || !f.together(c) {
				continue
			}
			done[key] = true
			for _, control := range controls[c.callee] {
				f.a.Connect(f.hubs[[2]int32{c.callee, control}], automaton.Epsilon, f.node(m, control, c.lower, target))
			}
		}
	}
}
