package directed

import (
	"fmt"
	"maps"
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/limit"
)

// goals is what a process is to come to: one of some statements, and from there to one of others.
type goals struct {
	name   string
	at     map[int32]bool  // by node
	costs  map[int32]int32 // by node, on top of the way there; nil: none
	then   *goals          // nil: that is all
	dist   []int32         // by node: the way to all of it, see graph.toward
	passed []int32         // by node: the way to a return past a goal, see graph.passing; nil if that is all
	walls  walls           // behind which it is not looked for
	inner  map[inner][]int32
}

// begins returns what it costs from the nodes from a first one to a last one, at which it is settled how to go on: at
// a goal, or at a call in which one is passed. After is the way from each node to what comes then.
func (s *Search) begins(g *goals, first, last int32, after func(n int32) int32) map[int32]int32 {
	all := map[int32]int32{}
	for n := first; n <= last; n++ {
		st := s.graph.statement(n)
		switch {
		case g.then == nil && g.at[n]:
			all[n] = g.costs[n]
		case g.then == nil || n == last || s.graph.isShut[n]:
		case g.at[n]:
			all[n] = 1 + after(n+1)
		case st.Op == esl.Call && g.passed[s.graph.first[st.Arg]] < never && after(n+1) < never:
			all[n] = 1 + g.passed[s.graph.first[st.Arg]] + after(n+1)
		}
	}
	return all
}

// inner is an activation that is not to be left, or is not to do something: see graph.within.
type inner struct {
	function int
	object   int    // no unit on it is to end; -1: any may
	keys     string // that are not to be forgotten
}

// walls are statements that a process is not to execute, whatever the activation.
type walls struct {
	object int    // no unit on the object may begin with another label: see label; -1: any may
	label  string // of the unit that is to begin
	locks  uint64 // by lock: it is not to be taken
}

// anything is that there are no walls.
var anything = walls{object: -1}

func (w walls) isWall(s esl.Stmt) bool {
	switch s.Op {
	case esl.LockOp, esl.RLock:
		return s.Arg < 64 && w.locks>>s.Arg&1 != 0
	case esl.UnitBegin:
		return s.Arg == w.object && s.Unit != w.label
	}
	return false
}

// bound is the unit of work that a process has open, whose end it is not to come to.
type bound struct {
	object int
	frame  int              // index in the stack of the activation that has begun the unit
	keys   map[int][]string // by frame: the keys of reads that its activation is not to forget
}

// walker makes a run.
type walker struct {
	*Search
	state *interp.State
	steps []esl.Step
	held  []map[int]int // by thread and lock: how often it holds it; -1: exclusively. See holds
	bound map[int]*bound
	left  int // steps that may still be made
}

// copy returns a walker that goes on by itself.
func (w *walker) copy() *walker {
	if w == nil {
		return nil
	}
	c := *w
	c.state = w.state.Clone()
	c.steps, c.held, c.bound = slices.Clip(w.steps), slices.Clone(w.held), map[int]*bound{}
	for i, b := range w.bound {
		open := *b
		open.keys = maps.Clone(b.keys)
		c.bound[i] = &open
	}
	return &c
}

// take takes a step of a thread.
func (w *walker) take(i int, step esl.Step) bool {
	st := w.graph.statement(w.node(step.Function, step.Index))
	isShut := w.graph.isShut[w.node(step.Function, step.Index)]
	if w.left--; w.left < 0 || isShut || limit.Pay(w.ctx, limit.Replayed) != nil || w.state.Take(step) != nil {
		return false
	}
	w.steps = append(w.steps, step)
	switch st.Op {
	case esl.LockOp:
		w.holds(i, st.Arg, -1)
	case esl.RLock:
		w.holds(i, st.Arg, w.held[i][st.Arg]+1)
	case esl.Unlock, esl.RUnlock:
		for k := range w.held { // whoever has taken it
			if n := w.held[k][st.Arg]; n != 0 && (k == i || w.held[i][st.Arg] == 0) {
				if n < 0 {
					n = 1
				}
				w.holds(k, st.Arg, n-1)
				break
			}
		}
	}
	return true
}

// holds notes how often a thread holds a lock. Copies of the walker share the maps.
func (w *walker) holds(i, lock, times int) {
	own := maps.Clone(w.held[i])
	if own == nil {
		own = map[int]int{}
	}
	own[lock] = times
	w.held[i] = own
}

func (w *walker) node(function, index int) int32 { return w.graph.first[function] + int32(index) }

// distance returns how far a thread is from the nearest goal, if the next statement of its innermost activation is the
// one with that index.
func (w *walker) distance(i int, g *goals, next int) int32 {
	stack := w.state.Threads[i].Stack
	b, best := w.bound[i], int32(never)
	sum, passed := int32(0), int32(never) // the way to the frame, as it is or past a goal
	for k := len(stack) - 1; k >= 0 && sum < never; k-- {
		n := w.node(stack[k].Function, stack[k].Next)
		if k == len(stack)-1 {
			n = w.node(stack[k].Function, next)
		}
		best = min(best, sum+w.from(g, b, k, n))
		if g.then != nil {
			best = min(best, passed+w.from(g.then, b, k, n))
			passed = min(passed+w.graph.ret[n], sum+g.passed[n], never)
		}
		if sum += w.graph.ret[n]; b != nil && k <= b.frame {
			break
		}
	}
	return best
}

// from returns the way from a node to the goals in an activation, of a unit perhaps.
func (w *walker) from(g *goals, b *bound, frame int, n int32) int32 {
	if f := w.graph.of[n]; b != nil && (frame == b.frame || len(b.keys[frame]) > 0) {
		return w.inside(g, b, frame, int(f))[n-w.graph.first[f]]
	}
	return g.dist[n]
}

// inside returns the distances by statement in the activation of a frame with walls of its own.
func (s *Search) inside(g *goals, b *bound, frame, f int) []int32 {
	in := inner{f, -1, fmt.Sprintf("%q", b.keys[frame])}
	if frame == b.frame {
		in.object = b.object
	}
	if _, known := g.inner[in]; !known {
		first, last := s.graph.first[f], s.graph.first[f]+int32(len(s.program.Functions[f].Body))
		begins := s.begins(g, first, last, func(n int32) int32 { return s.inside(g.then, b, frame, f)[n-first] })
		g.inner[in] = s.graph.within(f, begins, g.dist, b.wallOf(frame, g.walls))
	}
	return g.inner[in]
}

// wallOf returns what the activation of a frame is not to execute.
func (b *bound) wallOf(frame int, also walls) func(esl.Stmt) bool {
	return func(s esl.Stmt) bool {
		switch s.Op {
		case esl.UnitEnd:
			return frame == b.frame && s.Arg == b.object
		case esl.Return:
			return frame == b.frame
		case esl.Forget:
			return slices.Contains(b.keys[frame], s.Key)
		}
		return also.isWall(s)
	}
}

// maxDetours is how often a walk begins again around a lock that is held, and maxHelp how deep threads may help each
// other on.
const maxDetours, maxHelp = 3, 4

// drive makes a thread go on until it is at a goal, which it has not executed then.
func (w *walker) drive(i int, g *goals, help int) bool {
	for range maxDetours {
		before := w.copy()
		lock, ok := w.walk(i, g, help)
		switch {
		case ok:
			return true
		case lock < 0 || lock >= 64:
			return false
		}
		left := w.left
		*w = *before
		w.left = left
		around := g.walls
		around.locks |= 1 << lock
		g = w.goalsOf(*g, around)
	}
	return false
}

// walk is drive on one way. Where a lock is in the way that nobody can be brought to release, it is returned; else -1.
func (w *walker) walk(i int, g *goals, help int) (lock int, ok bool) {
	for {
		t := w.state.Threads[i]
		if !t.Started || len(t.Stack) == 0 {
			return -1, false
		}
		top := t.Stack[len(t.Stack)-1]
		n := w.node(top.Function, top.Next)
		if g.at[n] && w.isBest(i, g, top.Next) {
			return -1, true
		}
		steps := interp.EnabledBy(w.state, i)
		st := w.graph.statement(n)
		if len(steps) == 0 {
			if made := len(w.steps); w.unblock(i, st, help) && len(w.steps) > made {
				continue
			}
			if st.Op == esl.LockOp || st.Op == esl.RLock {
				return st.Arg, false
			}
			return -1, false
		}
		step := steps[0]
		if st.Op == esl.Choice || st.Op == esl.Goto {
			best := int32(never)
			for _, s := range steps {
				if d := w.distance(i, g, s.Target); d < best {
					best, step = d, s
				}
			}
			if best == never {
				return -1, false
			}
		} else if w.distance(i, g, top.Next) == never {
			return -1, false
		}
		if !w.take(i, step) {
			return -1, false
		}
	}
}

// isBest tells whether a thread at a goal can go on from there no worse than from another one.
func (w *walker) isBest(i int, g *goals, next int) bool {
	stack := w.state.Threads[i].Stack
	way := g.costs[w.node(stack[len(stack)-1].Function, next)]
	if g.then != nil {
		way = 1 + w.distance(i, g.then, next+1)
	}
	return way < never && way <= w.distance(i, g, next)
}

// unblock tries to bring others to do what a thread waits for.
func (w *walker) unblock(i int, st esl.Stmt, help int) bool {
	if help == 0 {
		return false
	}
	switch st.Op {
	case esl.LockOp, esl.RLock:
		for k := range w.state.Threads {
			if n := w.held[k][st.Arg]; k != i && n != 0 {
				op := esl.RUnlock
				if n < 0 {
					op = esl.Unlock
				}
				return w.drive(k, w.statements(op, st.Arg), help-1) && w.execute(k)
			}
		}
	case esl.Await:
		return w.bringAny(i, esl.Set, st.Arg, help-1)
	case esl.Join:
		for k, t := range w.state.Threads {
			if t.Process == st.Arg && t.Started && !t.Done {
				return w.drive(k, w.statements(esl.Done, 0), help-1) && w.execute(k)
			}
		}
	case esl.Send:
		receiver, g := w.nearest(i, esl.Receive, st.Arg)
		return receiver >= 0 && w.drive(receiver, g, help-1)
	case esl.Receive:
		return w.bringAny(i, esl.Send, st.Arg, help-1)
	case esl.ReceiveClosed:
		return w.bringAny(i, esl.CloseChannel, st.Arg, help-1)
	}
	return false
}

// bringAny makes the nearest thread, but one, execute a statement. A Send that meets is followed by the Receive.
func (w *walker) bringAny(but int, op esl.Op, arg, help int) bool {
	nearest, g := w.nearest(but, op, arg)
	if nearest < 0 || !w.drive(nearest, g, help) || !w.execute(nearest) {
		return false
	}
	return !w.state.Meeting.Open || w.execute(but)
}

// nearest returns the thread, but one, that is nearest to a statement, or -1.
func (w *walker) nearest(but int, op esl.Op, arg int) (nearest int, g *goals) {
	g, nearest = w.statements(op, arg), -1
	best := int32(never)
	for k, t := range w.state.Threads {
		if k == but || !t.Started || len(t.Stack) == 0 {
			continue
		}
		if d := w.distance(k, g, t.Stack[len(t.Stack)-1].Next); d < best {
			nearest, best = k, d
		}
	}
	return nearest, g
}

// execute makes a thread execute the statement that it is at, if it can. A Start starts a copy then.
func (w *walker) execute(i int) bool {
	steps := interp.EnabledBy(w.state, i)
	return len(steps) > 0 && w.take(i, steps[len(steps)-1])
}

// start makes some thread start an instance, unless it runs.
func (w *walker) start(in esl.Instance, help int) bool {
	i := w.thread(in)
	for !w.state.Threads[i].Started {
		starter, g := w.nearest(-1, esl.Start, in.Process)
		if starter < 0 {
			if help == 0 || !w.startStarter(in, g, help-1) {
				return false
			}
			continue
		}
		if !w.drive(starter, g, maxHelp) || !w.execute(starter) || w.steps[len(w.steps)-1].Target == 0 {
			return false
		}
	}
	return true
}

// thread returns the index of an instance.
func (w *walker) thread(in esl.Instance) int {
	return slices.IndexFunc(w.state.Threads, func(t *interp.Thread) bool { return t.Instance == in })
}
