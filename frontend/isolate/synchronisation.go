package isolate

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/frontend/spinlock"
)

// isSynchronisation tells whether the cell is, or is part of, a synchronisation object
// in its object, as the lock of an embedded struct or of a shard: no location, whatever
// it is inside of. (Else all that locks anything would access the atomic set.)
func (i *Isolation) isSynchronisation(c pointsto.Cell) bool {
	is, ok := i.synchronisation[c]
	if !ok {
		t := c.Type()
		is = t != nil && query.IsSynchronisation(t)
		if at := strings.LastIndexAny(c.Path, ".["); !is && at >= 0 {
			is = i.isSynchronisation(pointsto.Cell{Object: c.Object, Path: c.Path[:at]})
		} else if !is && c.Path != "" {
			is = i.isSynchronisation(pointsto.Cell{Object: c.Object})
		}
		i.synchronisation[c] = is
	}
	return is
}

// SpinOperation tells which operation on a lock a call is that is on a variable: see package
// spinlock. A variable that is part of the atomic set is data.
func (i *Isolation) SpinOperation(site ssa.CallInstruction) (op knowledge.LockOp, ok bool) {
	op, on, ok := i.program.SpinLocks.Operation(site)
	if !ok {
		return 0, false
	}
	if i.spinning == nil {
		i.findSpinning()
	}
	return op, !i.spinning[on]
}

// findSpinning finds the variables that are used as locks and are part of the atomic set.
func (i *Isolation) findSpinning() {
	i.spinning = map[spinlock.Variable]bool{}
	for site := range i.program.SpinLocks.Operations() {
		for _, n := range i.graph.NodesOf(site.Parent()) {
			cells := i.graph.PointsTo(n, site.Common().Args[0]).Cells()
			if slices.ContainsFunc(cells, func(c pointsto.Cell) bool { return len(i.LocationsAt(c)) > 0 }) {
				_, on, _ := i.program.SpinLocks.Operation(site)
				i.spinning[on] = true
			}
		}
	}
}

// isHiddenAt is isHidden for a path in the memory of star k. The
// objects that a star may be are of one type around it, but for what they are inside of.
func (i *Isolation) isHiddenAt(k int, path string) bool {
	star := i.Stars[k]
	if star.variables != nil {
		for o, name := range star.variables {
			if pointsto.IsWithin(path, name) {
				return i.isHidden(pointsto.Cell{Object: o, Path: strings.TrimPrefix(strings.TrimPrefix(path, name), ".")})
			}
		}
		return false
	}
	for o := range star.Objects {
		if i.isHidden(pointsto.Cell{Object: o, Path: path}) {
			return true
		}
	}
	return false
}
