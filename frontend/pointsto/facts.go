package pointsto

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// facts are what each refinement wants to know of the whole program, found once with
// the base solution. Slices are by ID.
type facts struct {
	instructions int     // that there are constraints for
	makers       []*Node // of objects: the function that allocates it; nil if that is not known
	bound        []*Object
	withPart     map[types.Type][]*Object // which objects have a part of the type, in order
}

func (s *solver) findFacts() *facts {
	f := &facts{makers: make([]*Node, len(s.objects)), withPart: map[types.Type][]*Object{}}
	for _, n := range s.order {
		if !n.traits.external {
			f.instructions += n.countInstructions()
		}
	}
	byLayout := map[*layout][]*Object{}
	for _, o := range s.objects[1:] {
		if canSplit(o) {
			byLayout[o.layout] = append(byLayout[o.layout], o)
		}
		if o.Site == nil || o.Site.Parent() == nil {
			continue
		}
		f.makers[o.ID] = s.functions[functionKey{function: o.Site.Parent()}]
		if boundMethod(o) != nil {
			f.bound = append(f.bound, o)
		}
	}
	for l, objects := range byLayout {
		seen := map[types.Type]bool{}
		for _, t := range l.types {
			if t != nil && !seen[t] {
				seen[t] = true
				f.withPart[t] = append(f.withPart[t], objects...)
			}
		}
	}
	return f
}

// objectsWith returns the objects that are, or have a part, of a type for which is holds,
// in order of IDs.
func (f *facts) objectsWith(is func(types.Type) bool) []*Object {
	var all []*Object
	for t, objects := range f.withPart {
		if is(t) {
			all = append(all, objects...)
		}
	}
	slices.SortFunc(all, func(a, b *Object) int { return a.ID - b.ID })
	return slices.Compact(all)
}

// boundMethod returns the function of a closure that is a method with its receiver.
func boundMethod(o *Object) *ssa.Function {
	if c, ok := o.Site.(*ssa.MakeClosure); ok {
		if f := c.Fn.(*ssa.Function); isBound(f) {
			return f
		}
	}
	return nil
}
