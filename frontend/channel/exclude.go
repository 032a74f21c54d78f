package channel

import (
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// excludeReflected excludes the channels that reflection may operate on.
func (f *finder) excludeReflected() {
	isReflected := Reflected(f.graph)
	for o := range f.channels {
		if isReflected(o) {
			f.excluded[o] = true
		}
	}
}

// Reflected returns what tells whether the program may operate on an object by reflection
// as on a channel: if it does so at all, on what can be reached from values in interfaces.
func Reflected(graph *pointsto.Result) func(*pointsto.Object) bool {
	if len(graph.NodesOfClass(knowledge.ReflectedChannels)) > 0 {
		return graph.IsBoxed
	}
	return func(*pointsto.Object) bool { return false }
}
