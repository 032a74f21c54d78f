package reduce

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/channel"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// keepChannels selects the channels that kept nodes operate on and keeps every node
// that operates on one of them, until there are no more: a channel is modelled
// everywhere or nowhere.
func (r *Reduction) keepChannels(graph *pointsto.Result, often *multiplicity.Analysis, stars *isolate.Isolation) {
	for {
		objects, uses := r.newOperations(graph)
		if len(objects) == 0 {
			if !r.keepHelpers(graph, often, stars) {
				return
			}
			continue
		}
		found := channel.Find(graph, often, stars, uses)
		for _, o := range objects {
			if c := found[o]; c != nil && slices.ContainsFunc(c.Uses, func(u channel.Use) bool { return r.isSeen(u.Node) }) {
				r.Channels[o] = c
				for _, u := range c.Uses {
					r.keep(graph, []*pointsto.Node{u.Node})
				}
				if c.Own {
					r.keep(graph, returning(graph, o))
				}
			}
		}
	}
}

// returning returns the nodes that may return the channel: of which object it is shows
// there only.
func returning(graph *pointsto.Result, o *pointsto.Object) []*pointsto.Node {
	return slices.DeleteFunc(graph.Holders(o), func(n *pointsto.Node) bool {
		return !slices.ContainsFunc(n.Func.Blocks, func(b *ssa.BasicBlock) bool {
			ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
			return ok && slices.ContainsFunc(ret.Results, func(v ssa.Value) bool {
				return slices.Contains(graph.PointsTo(n, v).Objects(), o)
			})
		})
	})
}

// ChannelUses returns the channels that kept nodes operate on, in order of their IDs,
// and for each all operations on it.
func (r *Reduction) ChannelUses(graph *pointsto.Result) ([]*pointsto.Object, map[*pointsto.Object][]channel.Use) {
	r.newOperations(graph)
	return channel.OperatedOn(graph, r.KeptOf(graph)), r.uses
}

// newOperations returns the channels that kept nodes operate on and that were not looked
// at yet, with all operations on them.
func (r *Reduction) newOperations(graph *pointsto.Result) (
	objects []*pointsto.Object, uses map[*pointsto.Object][]channel.Use) {
	for _, o := range channel.OperatedOn(graph, r.KeptOf(graph)) {
		if _, known := r.uses[o]; !known {
			objects = append(objects, o)
		}
	}
	uses = channel.Uses(graph, objects)
	maps.Copy(r.uses, uses)
	return objects, uses
}
