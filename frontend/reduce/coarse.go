package reduce

import (
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// A field may lead to so much memory that hundreds of functions of libraries access it, as a
// compiled expression leads to all that a parser has made. To follow in each of them which pointer
// is to which object makes a model that is too large to be of use. Package lower can have one model
// of such a function for all its uses, in which it does what it can do in any order, and as often as
// it likes: each run of the function is one of these, so that this only adds runs. The user's own
// functions are followed as ever, and so is who makes stars, hands them on, or operates on what the
// model has of locks, channels and the like.

// findCoarse finds the kept functions that need not be followed. They stay among the kept ones.
func (r *Reduction) findCoarse(graph *pointsto.Result, stars *isolate.Isolation) {
	p := &loose{Reduction: r, graph: graph, set: r.Coarse}
	p.find(func(n *pointsto.Node) bool {
		return r.Direct[n] != nil && !r.handing[n] && !stars.MakesHolder(n) && !constructsAny(stars, n)
	})
	for n := range r.Coarse {
		r.CoarseInstructions += graph.Instructions(n)
	}
}
