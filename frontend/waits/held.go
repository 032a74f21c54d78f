package waits

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// holding is a lock that may be held in a function.
type holding struct {
	lock Lock
	key  string // which one, as the function writes it; "" if a callee has taken it
}

// held is what may be held at a place, with the locks that callees have taken.
type held map[holding]bool

// state is what may be at a place.
type state struct {
	held   held
	defers map[*ssa.Defer]bool // that have been deferred
}

func newState() state { return state{held{}, map[*ssa.Defer]bool{}} }

func (s state) clone() state { return state{maps.Clone(s.held), maps.Clone(s.defers)} }

// add adds another state, and tells whether that is more.
func (s state) add(other state) bool {
	size := len(s.held) + len(s.defers)
	maps.Copy(s.held, other.held)
	maps.Copy(s.defers, other.defers)
	return len(s.held)+len(s.defers) > size
}

// effect is what a call of a node may leave to its caller.
type effect struct {
	holds    map[Lock]bool   // the locks that it may have taken and not released
	releases map[string]bool // those that it releases and has not taken
}

func (e effect) equal(other effect) bool {
	return maps.Equal(e.holds, other.holds) && maps.Equal(e.releases, other.releases)
}

// settled is how often the effect of a node may change before it only grows, so that recursion comes to an end.
const settled = 8

// solveEffects finds the effects of all nodes that operate on locks, and of their callers: again where that of a
// callee has changed.
func (w *walker) solveEffects(ctx context.Context) error {
	var queue []*pointsto.Node
	queued, visits := map[*pointsto.Node]bool{}, map[*pointsto.Node]int{}
	add := func(n *pointsto.Node) {
		if !queued[n] {
			queued[n] = true
			queue = append(queue, n)
		}
	}
	for _, e := range w.graph.CallsTo(knowledge.Locks) {
		add(e.Caller)
	}
	for len(queue) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := queue[0]
		queue, queued[n] = queue[1:], false
		now, before := w.walk(n, false), w.effects[n]
		if visits[n]++; visits[n] > settled {
			maps.Copy(now.holds, before.holds)
			maps.Copy(now.releases, before.releases)
		}
		if now.equal(before) {
			continue
		}
		w.effects[n] = now
		for _, e := range w.graph.Callers(n) {
			if !e.IsStart() {
				add(e.Caller)
			}
		}
	}
	return nil
}

// walk goes through a node with what may be held, and returns its effect. It notes edges if that is asked for.
func (w *walker) walk(n *pointsto.Node, notes bool) effect {
	e := effect{map[Lock]bool{}, map[string]bool{}}
	if len(n.Func.Blocks) == 0 || isPrimitive(n.Func) || w.originOf(n.Func) == Foreign || !w.mayHold(n) {
		return e
	}
	headers := map[*ssa.BasicBlock]bool{}
	if notes && w.originOf(n.Func) == Own {
		for _, header := range waitingLoops(n.Func) {
			headers[header] = true
		}
	}
	at := map[*ssa.BasicBlock]state{n.Func.Blocks[0]: newState()}
	queue := []*ssa.BasicBlock{n.Func.Blocks[0]}
	if n.Func.Recover != nil {
		at[n.Func.Recover] = newState()
		queue = append(queue, n.Func.Recover)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		b := queue[0]
		now := at[b].clone()
		if headers[b] {
			w.note(n, now.held, w.loopEvent(n), nil)
		}
		for _, instr := range b.Instrs {
			w.step(n, instr, now, notes, e)
			if _, ok := instr.(*ssa.Return); ok {
				for h := range now.held {
					e.holds[h.lock] = true
				}
			}
		}
		for _, next := range b.Succs {
			before, known := at[next]
			if !known {
				at[next] = now.clone()
			}
			if !known || before.add(now) {
				queue = append(queue, next)
			}
		}
	}
	return e
}

// mayHold tells whether a lock may be held anywhere in the node.
func (w *walker) mayHold(n *pointsto.Node) bool {
	for _, e := range w.graph.Calls(n) {
		if _, ok := knowledge.LockOperation(e.Callee.Func); ok || len(w.effects[e.Callee].holds) > 0 ||
			len(w.effects[e.Callee].releases) > 0 {
			return true
		}
	}
	return false
}

// step does what an instruction does to what is held.
func (w *walker) step(n *pointsto.Node, instr ssa.Instruction, now state, notes bool, e effect) {
	switch x := instr.(type) {
	case *ssa.Go:
	case *ssa.Defer:
		now.defers[x] = true
	case *ssa.RunDefers:
		for _, d := range inOrder(now.defers) {
			w.call(n, d, now.held, notes, e)
		}
	case ssa.CallInstruction:
		w.call(n, x, now.held, notes, e)
	default:
		if notes && len(now.held) > 0 {
			for _, event := range w.eventsAt(n, instr) {
				w.note(n, now.held, event, nil)
			}
		}
	}
}

// inOrder returns deferred calls in the order in which they run: the last in the source first.
func inOrder(defers map[*ssa.Defer]bool) []*ssa.Defer {
	return slices.SortedFunc(maps.Keys(defers), func(a, b *ssa.Defer) int { return cmp.Compare(b.Pos(), a.Pos()) })
}

// call does what a call does: first what it waits for, then what it leaves.
func (w *walker) call(n *pointsto.Node, site ssa.CallInstruction, now held, notes bool, e effect) {
	if notes && len(now) > 0 {
		for _, event := range w.eventsAt(n, site) {
			w.note(n, now, event, nil)
		}
		for _, callee := range w.graph.Callees(n, site) {
			r := w.reachedFrom(callee)
			for _, event := range r.events {
				w.note(n, now, event, r.releases)
			}
		}
	}
	for _, op := range w.operationsAt(n, site) {
		for _, lock := range op.locks {
			if op.op.IsTaking() {
				now[holding{Lock{lock, op.isShared()}, op.key}] = true
			} else if !release(now, lock, op.key, len(op.locks) > 1) {
				e.releases[lock] = true
			}
		}
	}
	for _, callee := range w.graph.Callees(n, site) {
		left := w.effects[callee]
		for lock := range left.releases {
			if !release(now, lock, "", false) {
				e.releases[lock] = true
			}
		}
		for lock := range left.holds {
			now[holding{lock, ""}] = true
		}
	}
}

// release takes a lock out of what is held: the one that is written so, or else the only one of its name, unless
// it is not certain that it is this lock. It returns false if none is held.
func release(now held, lock, key string, unsure bool) bool {
	keys := map[string]bool{}
	for h := range now {
		if h.lock.Name == lock {
			keys[h.key] = true
		}
	}
	if len(keys) == 0 {
		return false
	}
	if !keys[key] && (unsure || len(keys) > 1) {
		return true // one of them, but which?
	}
	maps.DeleteFunc(now, func(h holding, _ bool) bool {
		return h.lock.Name == lock && (h.key == key || len(keys) == 1)
	})
	return true
}

// note notes that what is held is held while the event is waited for, unless the callee that does may have
// released it, which makes the edge uncertain.
func (w *walker) note(n *pointsto.Node, now held, event Event, released map[string]bool) {
	number := map[string]int{}
	for h := range now {
		number[h.lock.Name]++
	}
	for h := range now {
		if event.unlessHeld == h.lock.Name && number[h.lock.Name] == 1 {
			continue
		}
		edge := Edge{Held: h.lock, Holder: w.name(n.Func), For: event, certain: !released[h.lock.Name]}
		edge.For.unlessHeld = ""
		w.order.edges[edge] = true
		w.order.edges[edge.uncertain()] = true
	}
}
