package order

import (
	"maps"
	"slices"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/channel"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Goroutines are waited for by channels, too: each sends one message, or closes the
// channel, as its last act, and the function that started them receives as often as
// it started some. Where that is evident it is a join like that of a wait group.

// ChannelJoin is a channel that is used so.
type ChannelJoin struct {
	Group *JoinGroup
	Exits map[ssaflow.Edge]bool // of the loop that receives from all; empty if the receive is the join
}

// channelRole is what the operations on one channel are.
type channelRole struct {
	object   *pointsto.Object
	made     *ssa.MakeChan
	node     *pointsto.Node // that makes it, starts the goroutines and receives
	signals  map[*pointsto.Node]bool
	receives []*ssa.UnOp
	starts   []StartSite
	goesOn   bool // somebody waits for the receiver, and goes on after that
}

// findChannelJoins finds, of the channels that kept nodes operate on, those with evident
// joins.
func (j *joins) findChannelJoins(often *multiplicity.Analysis, kept *reduce.Reduction) {
	j.Channels = map[*pointsto.Object]*ChannelJoin{}
	j.Edges = map[*pointsto.Node]map[ssaflow.Edge]*JoinGroup{}
	channels, uses := kept.ChannelUses(j.graph)
	reflected := sync.OnceValue(func() func(*pointsto.Object) bool { return channel.Reflected(j.graph) })
	for _, o := range channels {
		r := &channelRole{object: o, signals: map[*pointsto.Node]bool{}}
		if !r.read(j.graph, uses[o]) || !r.findStarts(j.graph) {
			continue
		}
		join := r.join(j.graph, often)
		if join == nil || reflected()(o) || r.goesOn && !ssaflow.IsInCycle(r.starts[0].Site.Block()) {
			continue // of one that goes on it is known more as it is
		}
		join.Group = &JoinGroup{Index: len(j.groups) + len(j.Channels)}
		j.Channels[o] = join
		for _, s := range r.starts {
			j.ChannelStarts[s] = append(j.ChannelStarts[s], join.Group)
		}
		for e := range join.Exits {
			if j.Edges[r.node] == nil {
				j.Edges[r.node] = map[ssaflow.Edge]*JoinGroup{}
			}
			j.Edges[r.node][e] = join.Group
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
			_, isSend := v.(*ssa.Send)
			r.goesOn = r.goesOn || isSend && ssaflow.IsInt(made.Size, 0) && doesMore(v)
		default:
			return false
		}
	}
	return r.node != nil && len(r.receives) == 1 && len(r.signals) > 0 && !(ops[channel.Send] && ops[channel.Close])
}

// doesMore tells whether a function does anything after a statement at its end.
func doesMore(at ssa.Instruction) bool {
	instrs := at.Block().Instrs
	for _, instr := range instrs[slices.Index(instrs, at)+1:] {
		switch instr.(type) {
		case *ssa.Return, *ssa.RunDefers, *ssa.DebugRef:
		default:
			return true
		}
	}
	return false
}

// findStarts finds the go statements whose goroutines signal, each once; all of
// them are in the function that receives.
func (r *channelRole) findStarts(graph *pointsto.Result) bool {
	seen := map[StartSite]bool{}
	for _, n := range slices.SortedFunc(maps.Keys(r.signals), func(a, b *pointsto.Node) int { return a.ID - b.ID }) {
		callers := graph.Callers(n)
		if len(callers) == 0 {
			return false
		}
		for _, e := range callers {
			at := StartSite{e.Caller, e.Site}
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
func (r *channelRole) join(graph *pointsto.Result, often *multiplicity.Analysis) *ChannelJoin {
	start, receive := r.starts[0].Site, r.receives[0]
	if !isolate.SingleObject(often, graph, r.object) && (!often.Sequential(r.node) || callsItself(graph, r.node)) {
		return nil
	}
	loops := ssaflow.NaturalLoops(r.made.Parent())
	starting, receiving := ssaflow.Innermost(loops, start.Block()), ssaflow.Innermost(loops, receive.Block())
	around := ssaflow.Innermost(loops, r.made.Block())
	if starting != nil && ssaflow.SameLoop(starting, around) && !ssaflow.SameLoop(receiving, around) {
		return r.joinOfEach(graph, often, loops)
	}
	join := &ChannelJoin{}
	switch {
	case ssaflow.SameLoop(starting, around) && ssaflow.SameLoop(receiving, around):
		// One goroutine, one receive.
		if !ssaflow.Precedes(r.made, start) || !ssaflow.Precedes(start, receive) {
			return nil
		}
	case starting != nil && receiving != nil && !ssaflow.SameLoop(starting, receiving):
		started, received := ssaflow.CountLoop(starting), ssaflow.CountLoop(receiving)
		if started == nil || received == nil || !received.Exact || !ssaflow.SameCount(started.Bound, received.Bound) {
			return nil
		}
		for _, header := range []*ssa.BasicBlock{ssaflow.LoopHeader(starting), ssaflow.LoopHeader(receiving)} {
			if !r.made.Block().Dominates(header) || !ssaflow.OnceAround(r.made.Block(), header) {
				return nil
			}
		}
		if receiving[start.Block()] || starting[receive.Block()] || !receive.Block().Dominates(received.Latch) {
			return nil
		}
		join.Exits = received.Exits(receiving)
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
func (r *channelRole) escapesJoin(join *ChannelJoin, from, next *ssa.BasicBlock) bool {
	receive := r.receives[0].Block()
	if len(join.Exits) == 0 && receive == from {
		return false
	}
	seen := map[*ssa.BasicBlock]bool{}
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] || len(join.Exits) == 0 && b == receive {
			continue
		}
		seen[b] = true
		if len(b.Succs) == 0 {
			return true
		}
		for _, to := range b.Succs {
			switch {
			case join.Exits[ssaflow.Edge{From: b, To: to}]:
			case to == next:
				return true
			default:
				work = append(work, to)
			}
		}
	}
	return false
}
