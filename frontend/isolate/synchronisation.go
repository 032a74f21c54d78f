package isolate

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// isSynchronisation tells whether the cell is, or is part of, a synchronisation object
// in its object, as the lock of an embedded struct or of a shard: no location, whatever
// it is inside of. (Else all that locks anything would access the atomic set.)
func (i *Isolation) isSynchronisation(c pointsto.Cell) bool {
	is, ok := i.synchronisation[c]
	if !ok {
		t := c.Type()
		is = t != nil && query.IsSynchronisation(t) && !(i.Subject.Races && query.IsReference(t))
		if at := strings.LastIndexAny(c.Path, ".["); !is && at >= 0 {
			is = i.isSynchronisation(pointsto.Cell{Object: c.Object, Path: c.Path[:at]})
		} else if !is && c.Path != "" {
			is = i.isSynchronisation(pointsto.Cell{Object: c.Object})
		}
		i.synchronisation[c] = is
	}
	return is
}

// OnlySynchronises tells whether the memory that a pointer may lead to, of which these are
// the cells, is all inside of synchronisation objects, as the flag of a sync.Once.
func (i *Isolation) OnlySynchronises(cells []pointsto.Cell) bool {
	return len(cells) > 0 && !slices.ContainsFunc(cells, func(c pointsto.Cell) bool { return !isInsideSynchronisation(c) })
}

// isInsideSynchronisation tells whether the cell is a proper part of a synchronisation object.
func isInsideSynchronisation(c pointsto.Cell) bool {
	for c.Path != "" {
		c.Path = c.Path[:max(strings.LastIndexAny(c.Path, ".["), 0)]
		if t := c.Type(); t != nil && query.IsSynchronisation(t) {
			if _, isStruct := t.Underlying().(*types.Struct); isStruct {
				return true
			}
		}
	}
	return false
}

// SpinOperation tells which operation on a lock a call is that is on a variable: see package
// spinlock.
func (i *Isolation) SpinOperation(site ssa.CallInstruction) (op knowledge.LockOp, ok bool) {
	return i.program.SpinLocks.Operation(site)
}

// inStar is a path in the memory of a star.
type inStar struct {
	star *Star
	path string
}

// isHiddenAt is isHidden for a path in the memory of star k, which is remembered: a star may be thousands of objects.
func (i *Isolation) isHiddenAt(k int, path string) bool {
	at := inStar{i.Stars[k], path}
	return ssaflow.Remember(i.hidden, at, func() bool { return i.isHiddenIn(at) })
}

// isHiddenIn is isHiddenAt. The objects that a star may be are of one type around it, but for what they are inside of.
func (i *Isolation) isHiddenIn(at inStar) bool {
	if at.star.variables != nil {
		for o, name := range at.star.variables {
			if pointsto.IsWithin(at.path, name) {
				path := strings.TrimPrefix(strings.TrimPrefix(at.path, name), ".")
				return i.isHidden(pointsto.Cell{Object: o, Path: path})
			}
		}
		return false
	}
	for o := range at.star.Objects {
		if i.isHidden(pointsto.Cell{Object: o, Path: at.path}) {
			return true
		}
	}
	return false
}
