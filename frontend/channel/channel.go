// Package channel finds the channels of a program that a model can have exactly:
// each is one channel at run time, and every operation on it, in any goroutine, is
// known. All others order nothing.
package channel

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// Op is an operation on a channel that can wait or let others go on.
type Op uint8

const (
	Send Op = iota
	Receive
	Close
)

// Use is an operation that may be on a channel.
type Use struct {
	Node  *pointsto.Node
	Instr ssa.Instruction // a send, receive, select or call of close
	Op    Op
	Value ssa.Value // the channel
}

// Channel is a channel that exists at most once, or once for each object of the checked
// type.
type Channel struct {
	Object   *pointsto.Object
	Capacity int // -1 if it is not constant
	Uses     []Use
	Own      bool // each object of the checked type has one, its companion
}

// Has tells whether there is such an operation.
func (c *Channel) Has(op Op) bool {
	for _, u := range c.Uses {
		if u.Op == op {
			return true
		}
	}
	return false
}

// OperatedOn returns the channels that operations of the nodes may be on, in order of
// their IDs.
func OperatedOn(graph *pointsto.Result, nodes []*pointsto.Node) []*pointsto.Object {
	var all []*pointsto.Object
	for _, n := range nodes {
		forUses(n, func(u Use) { all = append(all, graph.PointsTo(n, u.Value).Objects()...) })
	}
	slices.SortFunc(all, func(a, b *pointsto.Object) int { return a.ID - b.ID })
	return slices.Compact(all)
}

// Find returns those of the channels that can be modelled, by object, given their Uses.
func Find(graph *pointsto.Result, often *multiplicity.Analysis, stars *isolate.Isolation,
	uses map[*pointsto.Object][]Use) map[*pointsto.Object]*Channel {
	f := &finder{graph: graph, often: often, stars: stars, channels: map[*pointsto.Object]*Channel{},
		excluded: map[*pointsto.Object]bool{}, isLibrary: Libraries(graph)}
	for o, all := range uses {
		for _, u := range all {
			f.visit(o, u)
		}
	}
	f.dropExcluded()
	if len(f.channels) > 0 {
		f.excludeReflected()
		f.dropExcluded()
	}
	return f.channels
}

// Uses returns the operations on each of the channels, in order of nodes. Linear in the
// size of what has one of them at hand.
func Uses(graph *pointsto.Result, channels []*pointsto.Object) map[*pointsto.Object][]Use {
	all := map[*pointsto.Object][]Use{}
	if len(channels) == 0 {
		return all
	}
	for _, o := range channels {
		all[o] = nil
	}
	for _, n := range graph.Holders(channels...) {
		forUses(n, func(u Use) {
			for _, o := range graph.PointsTo(n, u.Value).Objects() {
				if _, wanted := all[o]; wanted {
					all[o] = append(all[o], u)
				}
			}
		})
	}
	return all
}

// forUses calls do for each operation of the node on a channel.
func forUses(n *pointsto.Node, do func(Use)) {
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			for _, u := range UsesOf(instr) {
				u.Node = n
				do(u)
			}
		}
	}
}

// finder is the state of Find.
type finder struct {
	graph    *pointsto.Result
	often    *multiplicity.Analysis
	stars    *isolate.Isolation
	channels map[*pointsto.Object]*Channel
	excluded map[*pointsto.Object]bool

	isLibrary func(*ssa.Function) bool
}

// dropExcluded removes the channels that were found not to do.
func (f *finder) dropExcluded() {
	for o := range f.excluded {
		delete(f.channels, o)
	}
}

// visit notes an operation on a channel.
func (f *finder) visit(o *pointsto.Object, u Use) {
	site, ok := o.Site.(*ssa.MakeChan)
	if !ok || f.excluded[o] {
		return
	}
	known := f.channels[o]
	single := known != nil && !known.Own || known == nil && isolate.SingleObject(f.often, f.graph, o)
	if f.isLibrary(u.Node.Func) || f.isLibrary(site.Parent()) || !single && !f.stars.IsCompanion(o) {
		// What the library does with channels of its own is much, and
		// matters little.
		f.excluded[o] = true
		return
	}
	if known == nil {
		f.channels[o] = &Channel{Object: o, Capacity: f.capacity(o, site), Own: !single}
	}
	f.channels[o].Uses = append(f.channels[o].Uses, u)
}

// UsesOf returns the operations of an instruction on channels, for a select in the
// order of its cases.
func UsesOf(instr ssa.Instruction) []Use {
	switch v := instr.(type) {
	case *ssa.Send:
		return []Use{{Instr: v, Op: Send, Value: v.Chan}}
	case *ssa.UnOp:
		if v.Op == token.ARROW {
			return []Use{{Instr: v, Op: Receive, Value: v.X}}
		}
	case *ssa.Select:
		var all []Use
		for _, st := range v.States {
			op := Receive
			if st.Dir == types.SendOnly {
				op = Send
			}
			all = append(all, Use{Instr: v, Op: op, Value: st.Chan})
		}
		return all
	case ssa.CallInstruction:
		if b, ok := v.Common().Value.(*ssa.Builtin); ok && b.Name() == "close" {
			return []Use{{Instr: v, Op: Close, Value: v.Common().Args[0]}}
		}
	}
	return nil
}
