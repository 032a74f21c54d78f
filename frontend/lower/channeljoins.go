package lower

import (
	"go/constant"
	"go/token"
	"maps"
	"slices"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/channel"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
)

// Goroutines are waited for by channels, too: each sends one message, or closes the
// channel, as its last act, and the function that started them receives as often as
// it started some. Where that is evident it is a join like that of a wait group.

// channelJoin is a channel that is used so.
type channelJoin struct {
	group *joinGroup
	exits map[edge]bool // of the loop that receives from all; empty if the receive is the join
}

// edge is an edge of the control flow.
type edge struct{ from, to *ssa.BasicBlock }

// channelRole is what the operations on one channel are.
type channelRole struct {
	object   *pointsto.Object
	made     *ssa.MakeChan
	node     *pointsto.Node // that makes it, starts the goroutines and receives
	signals  map[*pointsto.Node]bool
	receives []*ssa.UnOp
	starts   []startSite
}

// findChannelJoins finds, of the channels that kept nodes operate on, those with evident
// joins.
func (j *joins) findChannelJoins(often *multiplicity.Analysis, kept *reduce.Reduction) {
	j.channels = map[*pointsto.Object]*channelJoin{}
	j.edges = map[*pointsto.Node]map[edge]*joinGroup{}
	channels, uses := kept.ChannelUses(j.graph)
	reflected := sync.OnceValue(func() func(*pointsto.Object) bool { return channel.Reflected(j.graph) })
	for _, o := range channels {
		r := &channelRole{object: o, signals: map[*pointsto.Node]bool{}}
		if !r.read(j.graph, uses[o]) || !r.findStarts(j.graph) {
			continue
		}
		join := r.join(j.graph, often)
		if join == nil || reflected()(o) {
			continue
		}
		join.group = &joinGroup{index: len(j.groups) + len(j.channels)}
		j.channels[o] = join
		for _, s := range r.starts {
			j.channelStarts[s] = append(j.channelStarts[s], join.group)
		}
		for e := range join.exits {
			if j.edges[r.node] == nil {
				j.edges[r.node] = map[edge]*joinGroup{}
			}
			j.edges[r.node][e] = join.group
		}
	}
}

// read sorts the operations; false if there is one that the pattern has no place for.
func (r *channelRole) read(graph *pointsto.Result, uses []channel.Use) bool {
	made, ok := r.object.Site.(*ssa.MakeChan)
	if !ok {
		return false
	}
	r.made = made
	for _, n := range graph.NodesOf(made.Parent()) {
		if graph.ObjectAt(n, made) == r.object {
			if r.node != nil {
				return false
			}
			r.node = n
		}
	}
	ops := map[channel.Op]bool{}
	for _, u := range uses {
		ops[u.Op] = true
		if len(graph.PointsTo(u.Node, u.Value).Objects()) != 1 {
			return false
		}
		switch v := u.Instr.(type) {
		case *ssa.UnOp:
			if u.Node != r.node {
				return false
			}
			r.receives = append(r.receives, v)
		case *ssa.Send, ssa.CallInstruction:
			if r.signals[u.Node] || !isLastAct(v) {
				return false
			}
			r.signals[u.Node] = true
		default:
			return false
		}
	}
	return r.node != nil && len(r.receives) == 1 && len(r.signals) > 0 && !(ops[channel.Send] && ops[channel.Close])
}

// findStarts finds the go statements whose goroutines signal, each once; all of
// them are in the function that receives.
func (r *channelRole) findStarts(graph *pointsto.Result) bool {
	seen := map[startSite]bool{}
	for _, n := range slices.SortedFunc(maps.Keys(r.signals), func(a, b *pointsto.Node) int { return a.ID - b.ID }) {
		callers := graph.Callers(n)
		if len(callers) == 0 {
			return false
		}
		for _, e := range callers {
			at := startSite{e.Caller, e.Site}
			if _, isGo := e.Site.(*ssa.Go); !isGo || e.Caller != r.node {
				return false
			}
			if seen[at] {
				continue
			}
			seen[at] = true
			r.starts = append(r.starts, at)
			for _, callee := range graph.Callees(e.Caller, e.Site) {
				if !r.signals[callee] {
					return false // it may start somebody who does not signal
				}
			}
		}
	}
	return len(r.starts) == 1
}

// join returns the join that the receives are, if it is evident that they are as
// many as the goroutines.
func (r *channelRole) join(graph *pointsto.Result, often *multiplicity.Analysis) *channelJoin {
	start, receive := r.starts[0].site, r.receives[0]
	if !isolate.SingleObject(often, graph, r.object) && (!often.Sequential(r.node) || callsItself(graph, r.node)) {
		return nil
	}
	loops := naturalLoops(r.made.Parent())
	starting, receiving := innermost(loops, start.Block()), innermost(loops, receive.Block())
	around := innermost(loops, r.made.Block())
	if starting != nil && sameLoop(starting, around) && !sameLoop(receiving, around) {
		return r.joinOfEach(graph, often, loops)
	}
	join := &channelJoin{}
	switch {
	case sameLoop(starting, around) && sameLoop(receiving, around):
		// One goroutine, one receive.
		if !precedes(r.made, start) || !precedes(start, receive) {
			return nil
		}
	case starting != nil && receiving != nil && !sameLoop(starting, receiving):
		started, received := countLoop(starting), countLoop(receiving)
		if started == nil || received == nil || !received.exact || !sameCount(started.bound, received.bound) {
			return nil
		}
		for _, header := range []*ssa.BasicBlock{loopHeader(starting), loopHeader(receiving)} {
			if !r.made.Block().Dominates(header) || !onceAround(r.made.Block(), header) {
				return nil
			}
		}
		if receiving[start.Block()] || starting[receive.Block()] || !receive.Block().Dominates(received.latch) {
			return nil
		}
		join.exits = received.exits(receiving)
	default:
		return nil
	}
	if !isolate.SingleObject(often, graph, r.object) && r.escapesJoin(join, start.Block(), r.made.Block()) {
		return nil
	}
	return join
}

// escapesJoin tells whether control can leave the function after the goroutines are
// started, or come to where the next channel is made, without passing the join.
func (r *channelRole) escapesJoin(join *channelJoin, from, next *ssa.BasicBlock) bool {
	receive := r.receives[0].Block()
	if len(join.exits) == 0 && receive == from {
		return false
	}
	seen := map[*ssa.BasicBlock]bool{}
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] || len(join.exits) == 0 && b == receive {
			continue
		}
		seen[b] = true
		if len(b.Succs) == 0 {
			return true
		}
		for _, to := range b.Succs {
			switch {
			case join.exits[edge{b, to}]:
			case to == next:
				return true
			default:
				work = append(work, to)
			}
		}
	}
	return false
}

// innermost returns the smallest loop around the block, nil if there is none.
func innermost(loops []map[*ssa.BasicBlock]bool, b *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	var inner map[*ssa.BasicBlock]bool
	for _, loop := range loops {
		if loop[b] && (inner == nil || len(loop) < len(inner)) {
			inner = loop
		}
	}
	return inner
}

func sameLoop(a, b map[*ssa.BasicBlock]bool) bool {
	return (a == nil) == (b == nil) && (a == nil || loopHeader(a) == loopHeader(b))
}

// precedes tells whether a comes before b on every way to b.
func precedes(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return a.Block().Dominates(b.Block())
	}
	for _, instr := range a.Block().Instrs {
		switch instr {
		case a:
			return true
		case b:
			return false
		}
	}
	return false
}

// countedLoop is a loop that counts by ones up to a bound.
type countedLoop struct {
	bound    ssa.Value
	from, to *ssa.BasicBlock // the edge that leaves it at the bound
	latch    *ssa.BasicBlock
	exact    bool // there is no other way out: it runs as often as the bound says
}

// exits returns the edges by which control leaves the loop, or passes it by.
func (c *countedLoop) exits(loop map[*ssa.BasicBlock]bool) map[edge]bool {
	all := map[edge]bool{{c.from, c.to}: true}
	for _, from := range c.to.Preds {
		if !loop[from] && isGuard(from, c) {
			all[edge{from, c.to}] = true
		}
	}
	return all
}

// countLoop recognises for i := 0; i < n; i++, for i := 1; i <= n; i++, and ranges
// over integers and slices. Other loops give nil. The iterations are never more
// than the bound.
func countLoop(loop map[*ssa.BasicBlock]bool) *countedLoop {
	header := loopHeader(loop)
	var latch, tested *ssa.BasicBlock
	exits := 0
	for _, b := range header.Parent().Blocks {
		if !loop[b] {
			continue
		}
		for _, to := range b.Succs {
			if to == header {
				if latch != nil {
					return nil
				}
				latch = b
			}
			if !loop[to] {
				exits++
			}
		}
	}
	for _, b := range []*ssa.BasicBlock{header, latch} {
		if branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok && loop[b.Succs[0]] && !loop[b.Succs[1]] && counts(branch.Cond, header, b == latch) {
			tested = b
			break
		}
	}
	if tested == nil {
		return nil
	}
	cond := tested.Instrs[len(tested.Instrs)-1].(*ssa.If).Cond.(*ssa.BinOp)
	return &countedLoop{bound: cond.Y, from: tested, to: tested.Succs[1], latch: latch, exact: exits == 1}
}

// counts tells whether the condition, tested at the end of each iteration or before
// it, compares a counter of the iterations with a bound.
func counts(cond ssa.Value, header *ssa.BasicBlock, atEnd bool) bool {
	test, ok := cond.(*ssa.BinOp)
	if !ok || test.Op != token.LSS && test.Op != token.LEQ {
		return false
	}
	first := int64(0) // the value that is compared, in the first iteration
	if test.Op == token.LEQ {
		first = 1
	}
	if atEnd {
		first++ // it is compared for the second iteration
	}
	if !atEnd && countsVariable(test.X, header, first) {
		return true
	}
	counter, isPhi := test.X.(*ssa.Phi)
	if !isPhi {
		sum, isSum := test.X.(*ssa.BinOp)
		if !isSum || sum.Op != token.ADD || !isInt(sum.Y, 1) {
			return false
		}
		if counter, isPhi = sum.X.(*ssa.Phi); !isPhi {
			return false
		}
		first--
	}
	if counter.Block() != header {
		return false
	}
	for i, e := range counter.Edges {
		if !header.Dominates(header.Preds[i]) {
			k, isConst := e.(*ssa.Const)
			if !isConst || k.Value == nil || k.Value.Kind() != constant.Int || !isInt(k, first) {
				return false
			}
			continue
		}
		sum, isSum := e.(*ssa.BinOp)
		if !isSum || sum.Op != token.ADD || sum.X != ssa.Value(counter) || !isInt(sum.Y, 1) {
			return false
		}
	}
	return true
}

// isGuard tells whether the block passes a loop by because its bound is not more
// than zero.
func isGuard(b *ssa.BasicBlock, loop *countedLoop) bool {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || b.Succs[1] != loop.to {
		return false
	}
	test, ok := branch.Cond.(*ssa.BinOp)
	return ok && test.Op == token.LSS && isInt(test.X, 0) && sameCount(test.Y, loop.bound)
}
