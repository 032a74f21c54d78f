package channel

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// findBrackets finds the channels that are used like a lock or semaphore: every
// goroutine gives back what it has taken itself. Then goroutines beyond the
// modelled copies enable nobody: leaving one out frees what it holds, and nobody
// waits for what it gives back.
func (f *finder) findBrackets() {
	for _, c := range f.channels {
		if c.Capacity < 1 || c.Has(Close) || c.Own {
			continue
		}
		for _, acquire := range []Op{Send, Receive} {
			b := &brackets{f: f, channel: c, acquire: acquire, initial: map[ssa.Instruction]bool{}, summaries: map[*pointsto.Node]*summary{}}
			if b.hold() {
				c.Brackets, c.Acquire, c.Initial = true, acquire, b.initial
				break
			}
		}
	}
}

// brackets checks one channel: acquire opens, the other operation closes.
type brackets struct {
	f         *finder
	channel   *Channel
	acquire   Op
	initial   map[ssa.Instruction]bool // sends that put in what is there to be taken
	relevant  map[*pointsto.Node]bool  // nodes with an operation, and what calls them
	summaries map[*pointsto.Node]*summary
}

// summary is what an activation of a node does in all.
type summary struct {
	net, least int // opened less closed: at the end, and at the lowest point
	ok         bool
}

// hold tells whether the operations are balanced in every goroutine.
func (b *brackets) hold() bool {
	if b.acquire == Receive && !b.findInitial() {
		return false
	}
	b.relevant = map[*pointsto.Node]bool{}
	var work []*pointsto.Node
	for _, u := range b.channel.Uses {
		if len(b.f.graph.PointsTo(u.Node, u.Value).Objects()) != 1 {
			return false
		}
		if !b.initial[u.Instr] {
			work = append(work, u.Node)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if b.relevant[n] {
			continue
		}
		b.relevant[n] = true
		for _, e := range b.f.graph.Callers(n) {
			if !e.IsStart() {
				work = append(work, e.Caller)
			}
		}
	}
	for n := range b.relevant {
		s := b.summary(n)
		if !s.ok || b.beginsGoroutine(n) && (s.net != 0 || s.least != 0) {
			return false
		}
	}
	return true
}

// findInitial finds the sends, where the channel is made, of what is there to be
// taken.
func (b *brackets) findInitial() bool {
	for _, u := range b.channel.Uses {
		if u.Op == Send && !u.Repeated && u.Instr.Parent() == b.channel.Object.Site.Parent() && b.f.often.OnceAt(u.Node, u.Instr) {
			b.initial[u.Instr] = true
		}
	}
	return len(b.initial) > 0 && len(b.initial) <= b.channel.Capacity
}

// beginsGoroutine tells whether nothing is held when n is entered.
func (b *brackets) beginsGoroutine(n *pointsto.Node) bool {
	callers := b.f.graph.Callers(n)
	for _, e := range callers {
		if e.IsStart() || len(e.Caller.Func.Blocks) == 0 || !b.f.graph.Analysed(e.Caller) {
			return true
		}
	}
	return len(callers) == 0
}

// summary returns what an activation of n does; not ok if that differs from path
// to path, or n calls itself.
func (b *brackets) summary(n *pointsto.Node) *summary {
	if s, known := b.summaries[n]; known {
		return s
	}
	s := &summary{}
	b.summaries[n] = s
	if len(n.Func.Blocks) == 0 || !b.f.graph.Analysed(n) {
		s.ok = true // what it calls back is checked by itself
		return s
	}
	w := &bracketWalk{brackets: b, node: n, seen: map[bracketPoint]bool{}}
	s.ok = w.walk()
	s.net, s.least = w.net, w.least
	return s
}

// bracketPoint is a point of the walk: a block entered with so much open, and so
// much to be closed by deferred calls.
type bracketPoint struct {
	block           *ssa.BasicBlock
	depth, deferred int
}

// bracketWalk follows all paths of one node.
type bracketWalk struct {
	*brackets
	node       *pointsto.Node
	seen       map[bracketPoint]bool
	net, least int
	returned   bool
}

// deepest bounds what may be open in one activation.
const deepest = 4

func (w *bracketWalk) walk() bool {
	work := []bracketPoint{{block: w.node.Func.Blocks[0]}}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if w.seen[p] {
			continue
		}
		w.seen[p] = true
		for _, instr := range p.block.Instrs {
			if !w.step(&p, instr) {
				return false
			}
		}
		for _, to := range p.block.Succs {
			next := p
			next.block = to
			if delta := w.chosen(p.block, to); delta != 0 && !w.change(&next, delta) {
				return false
			}
			work = append(work, next)
		}
	}
	return true
}

// step follows one instruction; a select takes effect on the way to its cases.
func (w *bracketWalk) step(p *bracketPoint, instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.Select:
		return w.casesAreVisible(v)
	case *ssa.Defer:
		delta, _, ok := w.effect(v)
		p.deferred += delta
		return ok && w.change(p, 0)
	case *ssa.RunDefers:
		delta := p.deferred
		p.deferred = 0
		return w.change(p, delta)
	case *ssa.Return:
		if w.returned && w.net != p.depth {
			return false
		}
		w.returned, w.net = true, p.depth
		return true
	case *ssa.Go:
		return true
	case ssa.CallInstruction:
		delta, least, ok := w.effect(v)
		return ok && w.change(p, least) && w.change(p, delta-least)
	}
	for _, u := range UsesOf(instr) {
		if w.isOn(u) && !w.initial[instr] && !w.change(p, w.delta(u.Op)) {
			return false
		}
	}
	return true
}

// change opens or closes.
func (w *bracketWalk) change(p *bracketPoint, delta int) bool {
	p.depth += delta
	w.least = min(w.least, p.depth)
	return p.depth <= deepest && p.depth >= -deepest && (p.deferred == 0 || p.depth+p.deferred >= 0)
}

func (w *bracketWalk) delta(op Op) int {
	if op == w.acquire {
		return 1
	}
	return -1
}

// isOn tells whether the operation is on the channel.
func (w *bracketWalk) isOn(u Use) bool {
	for _, o := range w.f.graph.PointsTo(w.node, u.Value).Objects() {
		if o == w.channel.Object {
			return true
		}
	}
	return false
}

// effect returns what a call opens less what it closes.
func (w *bracketWalk) effect(call ssa.CallInstruction) (net, least int, ok bool) {
	if b, isBuiltin := call.Common().Value.(*ssa.Builtin); isBuiltin {
		return 0, 0, b.Name() != "close" || !w.isOn(UsesOf(call)[0])
	}
	for i, callee := range w.f.graph.Callees(w.node, call) {
		s := &summary{ok: true}
		if w.relevant[callee] {
			s = w.summary(callee)
		}
		if !s.ok || i > 0 && s.net != net {
			return 0, 0, false
		}
		net, least = s.net, min(least, s.least)
	}
	return net, least, true
}

// casesAreVisible tells whether each case of a select that is on the channel has code
// of its own, so that a path shows whether it was chosen.
func (w *bracketWalk) casesAreVisible(sel *ssa.Select) bool {
	begun := map[int]bool{}
	for _, b := range sel.Parent().Blocks {
		if of, index, ok := caseTest(b); ok && of == sel && b.Succs[0] != b.Succs[1] {
			begun[index] = true
		}
	}
	for i, u := range UsesOf(sel) {
		if w.isOn(u) && !begun[i] {
			return false
		}
	}
	return true
}

// chosen returns the effect of the case of a select whose code begins on the edge.
func (w *bracketWalk) chosen(from, to *ssa.BasicBlock) int {
	sel, index, ok := caseTest(from)
	if !ok || to != from.Succs[0] {
		return 0
	}
	if u := UsesOf(sel)[index]; w.isOn(u) {
		return w.delta(u.Op)
	}
	return 0
}

// caseTest tells whether the block ends by asking whether a case of a select was
// chosen, and which.
func caseTest(b *ssa.BasicBlock) (sel *ssa.Select, index int, ok bool) {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return nil, 0, false
	}
	cond, ok := branch.Cond.(*ssa.BinOp)
	if !ok || cond.Op != token.EQL {
		return nil, 0, false
	}
	part, ok := cond.X.(*ssa.Extract)
	if !ok || part.Index != 0 {
		return nil, 0, false
	}
	if sel, ok = part.Tuple.(*ssa.Select); !ok {
		return nil, 0, false
	}
	k, ok := cond.Y.(*ssa.Const)
	if !ok || k.Value == nil {
		return nil, 0, false
	}
	n, exact := constant.Int64Val(k.Value)
	return sel, int(n), exact && n >= 0 && int(n) < len(sel.States)
}
