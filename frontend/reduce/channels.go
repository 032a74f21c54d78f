package reduce

import (
	"github.com/empire-go/empire-go/frontend/channel"
	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// keepChannels selects the channels that kept nodes operate on and keeps every node
// that operates on one of them, until there are no more: a channel is modelled
// everywhere or nowhere.
func (r *Reduction) keepChannels(graph *pointsto.Result, often *multiplicity.Analysis) {
	asked := map[*pointsto.Object]bool{}
	for {
		var objects []*pointsto.Object
		for _, o := range channel.OperatedOn(graph, r.KeptOf(graph)) {
			if !asked[o] {
				asked[o] = true
				objects = append(objects, o)
			}
		}
		if len(objects) == 0 {
			return
		}
		found := channel.Find(graph, often, objects)
		for _, o := range objects {
			if c := found[o]; c != nil {
				r.Channels[o] = c
				for _, u := range c.Uses {
					r.keep(graph, []*pointsto.Node{u.Node})
				}
			}
		}
	}
}
