package candidates

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
)

// Goroutines meet at an object if they evidently reach the same one, and not each one of its own that
// is made at the same place: there is only one in a run; or it is handed to a goroutine while others
// keep it; or such an object, or a package variable, has a field that leads there and nowhere else. An element of
// a slice or a map is no evidence, as workers divide these among themselves; nor is what a goroutine
// makes for itself, or what it returns or sends away.

// met returns the objects at which goroutines evidently meet. Linear in the code of the module, and in
// what they lead to by fields.
func (f *finder) met() map[*pointsto.Object]bool {
	if f.known != nil {
		return f.known
	}
	f.known = map[*pointsto.Object]bool{}
	var work []*pointsto.Object
	add := func(o *pointsto.Object) {
		if !f.known[o] {
			f.known[o] = true
			work = append(work, o)
		}
	}
	for _, o := range f.owners {
		accessed := map[*pointsto.Object]goroutineSet{}
		for _, x := range o.fields {
			for made, s := range x.meetings {
				by := accessed[made]
				by.add(s.by)
				accessed[made] = by
			}
		}
		for made, by := range accessed {
			if f.several(by) && f.isSingle(made) {
				add(made)
			}
		}
	}
	for _, o := range f.graph.Objects() {
		if g, ok := o.Site.(*ssa.Global); ok && f.variables[g] != nil && f.several(f.variables[g].by) {
			add(o)
		}
	}
	handed := f.handed()
	for o, leads := range handed {
		if leads {
			add(o)
		}
	}
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		f.poll.Check()
		if literal, ok := o.Site.(*ssa.MakeClosure); ok {
			for _, n := range f.graph.NodesOf(literal.Parent()) {
				for _, binding := range literal.Bindings {
					if captured := f.graph.PointsTo(n, binding).Objects(); len(captured) == 1 {
						add(captured[0])
					}
				}
			}
		}
		if f.isForeign(o) {
			continue
		}
		for _, c := range f.graph.Cells(o) {
			if isElement(c) {
				continue
			}
			to := f.graph.Contents(c).Cells()
			for _, d := range to {
				if len(to) == 1 && !isElement(d) {
					add(d.Object)
				}
			}
		}
	}
	for o := range handed {
		f.known[o] = true
	}
	return f.known
}

// isSingle tells whether an object is the only one that its site makes in a run.
func (f *finder) isSingle(o *pointsto.Object) bool {
	if _, isVariable := o.Site.(*ssa.Global); isVariable {
		return true
	}
	made, ok := o.Site.(*ssa.Alloc)
	if !ok {
		return false
	}
	var makers []*pointsto.Node
	for _, n := range f.graph.NodesOf(made.Parent()) {
		if f.graph.ObjectAt(n, made) == o {
			makers = append(makers, n)
		}
	}
	return len(makers) == 1 && f.often.OnceAt(makers[0], made)
}

// isForeign tells whether an object is of a struct type that is not looked at.
func (f *finder) isForeign(o *pointsto.Object) bool {
	if o.Type == nil {
		return false
	}
	named := query.NamedStruct(o.Type)
	return named != nil && f.types[named.Obj()] == nil
}

// isElement tells whether a cell is an element, or lies in one.
func isElement(c pointsto.Cell) bool { return strings.Contains(c.Path, "[") }

// noteMeeting notes who accesses a field of which objects, other than as elements and before others can,
// and whether that is written when there may be others.
func (f *finder) noteMeeting(n *pointsto.Node, u use, x *field, by goroutineSet) {
	if u.global != nil || f.Clients || f.isUnreached(n, u) {
		return
	}
	isChanged := u.kind&writes != 0 && f.isLate(n, u.at)
	for _, c := range f.graph.PointsTo(n, u.base).Cells() {
		if !isElement(c) {
			s := x.meetingAt(c.Object)
			s.by.add(by)
			s.written = s.written || isChanged
		}
	}
}

func (x *field) meetingAt(o *pointsto.Object) *share {
	if x.meetings == nil {
		x.meetings = map[*pointsto.Object]*share{}
	}
	if x.meetings[o] == nil {
		x.meetings[o] = &share{}
	}
	return x.meetings[o]
}

// metIn returns what makes the objects at which goroutines evidently meet that access fields of a group
// there, one of them writing.
func (f *finder) metIn(g group) map[ssa.Value]bool {
	all := map[*pointsto.Object]*share{}
	for _, x := range g.fields {
		for o, s := range x.meetings {
			if !f.met()[o] {
				continue
			}
			if all[o] == nil {
				all[o] = &share{}
			}
			all[o].by.add(s.by)
			all[o].written = all[o].written || s.written
		}
	}
	sites := map[ssa.Value]bool{}
	for o, s := range all {
		if f.shared(s) {
			sites[o.Site] = true
		}
	}
	return sites
}

// isSynchronised tells whether the type has a lock, an atomic, a semaphore or what is done once, and so is
// meant for several goroutines.
func (o *owner) isSynchronised() bool {
	return o.hasSync || o.hasField(isForSeveral)
}

// hasField tells whether something holds for the type of a field.
func (o *owner) hasField(is func(types.Type) bool) bool {
	return slices.ContainsFunc(o.variants, func(s *query.Subject) bool {
		fields := slices.Collect(s.Type.Underlying().(*types.Struct).Fields())
		return slices.ContainsFunc(fields, func(v *types.Var) bool { return is(v.Type()) })
	})
}

// isForSeveral tells whether the type is a semaphore or sync.Once, or a pointer to one.
func isForSeveral(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	switch named.Obj().Pkg().Path() + "." + named.Obj().Name() {
	case "golang.org/x/sync/semaphore.Weighted", "sync.Once":
		return true
	}
	return false
}
