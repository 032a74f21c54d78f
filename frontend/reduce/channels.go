package reduce

import (
	"sort"

	"github.com/empire-go/empire-go/frontend/channel"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// keepChannels selects the channels that kept nodes operate on and keeps every node
// that operates on one of them, until there are no more: a channel is modelled
// everywhere or nowhere.
func (r *Reduction) keepChannels(graph *pointsto.Result, found map[*pointsto.Object]*channel.Channel) {
	var objects []*pointsto.Object
	for o := range found {
		objects = append(objects, o)
	}
	sort.Slice(objects, func(a, b int) bool { return objects[a].ID < objects[b].ID })
	for changed := true; changed; {
		changed = false
		for _, o := range objects {
			if r.Channels[o] != nil || !r.usesChannel(found[o]) {
				continue
			}
			r.Channels[o], changed = found[o], true
			for _, u := range found[o].Uses {
				r.keep(graph, []*pointsto.Node{u.Node})
			}
		}
	}
}

// usesChannel tells whether a kept node operates on the channel.
func (r *Reduction) usesChannel(c *channel.Channel) bool {
	for _, u := range c.Uses {
		if r.Kept[u.Node] {
			return true
		}
	}
	return false
}
