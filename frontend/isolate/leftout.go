package isolate

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// LeaveOut says of all functions but the user's own that what code which nobody understands does for
// them, by reflection or without a body in Go, is taken not to get at the stars. That is an
// assumption, for programs so large that nearly everything can be reached from nearly everywhere.
func (i *Isolation) LeaveOut(isOwn func(*ssa.Function) bool) { i.own = isOwn }

// IsLeftOut tells whether that was said of the function.
func (i *Isolation) IsLeftOut(n *pointsto.Node) bool { return i.own != nil && !i.own(n.Func) }
