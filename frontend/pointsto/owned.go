package pointsto

import (
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// What the objects asked about lead to is theirs, as long as the slice that it takes stays
// small: a buffer with its array, a list with its elements, the nodes of a tree. Functions
// that make it, or are handed it first, as methods are, in whatever package, are told apart
// by owner (ownership types: Clarke, Potter and Noble, OOPSLA 1998): what is made in the
// context of an owner belongs to it, and what is handed a part runs in the context in which
// the part was made. Contexts do not grow with the depth of a structure: there are at most
// as many clones of a function as there are owners.
type owned struct {
	handed map[*ssa.Function]bool // methods of the types of parts, and functions whose first parameter may be one
	makers map[*ssa.Function]bool // others, which make parts, or hand on what others make
}

// has reports whether the function is told apart by owner.
func (o owned) has(f *ssa.Function) bool { return o.handed[f] || o.makers[f] }

// all yields the functions.
func (o owned) all() iter.Seq[*ssa.Function] {
	return func(yield func(*ssa.Function) bool) {
		for _, functions := range []map[*ssa.Function]bool{o.handed, o.makers} {
			for f := range functions {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// isPerReceiver reports whether the owner is that of the receiver, or of the first parameter.
func (o owned) isPerReceiver(f *ssa.Function) bool {
	return o.handed[f] && pointerlike(f.Params[0].Type())
}

// findOwned finds the functions that are told apart by owner, given the objects asked about
// and what they lead to.
func (p *plan) findOwned(objects []*Object, subjects, most int) owned {
	found := owned{map[*ssa.Function]bool{}, map[*ssa.Function]bool{}}
	parts := map[*types.TypeName]bool{}
	var memory []*Object
	var work []*Node
	back := p.leadingBack(objects, subjects)
	p.forAffordable(objects, subjects, most-p.size, func(o *Object) {
		if back[o.ID] {
			return // a parent of what is asked about, and what that has, is not owned by it
		}
		for _, t := range o.layout.types {
			if named := namedOf(t); named != nil && len(p.layouts.value(t).slots) > 0 {
				parts[named] = true
			}
		}
		memory = append(memory, o)
		// Those that are asked about have constructors, which are told apart already.
		if !slices.Contains(objects[:subjects], o) && !slices.ContainsFunc(o.layout.types, isSynchronisation) {
			work = append(work, p.facts.makers[o.ID])
		}
	})
	if len(memory) == 0 {
		return found
	}
	region := p.region(memory)
	for _, n := range p.order {
		if f := n.Func; f.Signature.Recv() != nil && parts[receiverName(f.Signature.Recv().Type())] || p.isHanded(n, region) {
			found.handed[f] = !n.traits.external
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for n != nil && n.Func.Parent() != nil {
			n = p.functions[functionKey{function: n.Func.Parent()}]
		}
		if n == nil || n.traits.external || found.has(n.Func) {
			continue
		}
		if n.Func.Signature.Recv() != nil {
			found.handed[n.Func] = true
			continue
		}
		found.makers[n.Func] = true
		if p.layouts.slots(n.Func.Signature.Results()) == 0 {
			continue
		}
		for _, e := range n.callers { // it may return what it makes
			work = append(work, e.Caller)
		}
	}
	if len(found.handed)+len(found.makers) > maxOwned {
		return owned{}
	}
	return found
}

// leadingBack returns, by ID, those of the objects that lead to one of the first, the subjects. Each
// round takes those further back by one: linear in the different sets that the objects contain.
func (p *plan) leadingBack(objects []*Object, subjects int) []bool {
	back := make([]bool, len(p.objects))
	subject := objects[:min(subjects, len(objects))]
	containers := p.containers(objects)
	for frontier := subject; len(frontier) > 0; {
		for _, o := range frontier {
			back[o.ID] = true
		}
		region := p.region(frontier)
		frontier = nil
		for number, held := range containers {
			if held == nil || !region.meets(p.index.sets[number]) {
				continue
			}
			for _, o := range held {
				if !back[o.ID] {
					back[o.ID] = true
					frontier = append(frontier, o)
				}
			}
			containers[number] = nil
		}
	}
	for _, o := range subject {
		back[o.ID] = false
	}
	return back
}

// containers returns, by number of a points-to set, those of the objects that contain it.
func (p *plan) containers(objects []*Object) [][]*Object {
	containers := make([][]*Object, len(p.index.sets))
	for _, o := range objects {
		for c := o.base; c < o.base+uint32(o.layout.size()); c++ {
			if id := p.cells[c].content; id != 0 {
				_, number := p.setOf(id)
				if last := len(containers[number]) - 1; last < 0 || containers[number][last] != o {
					containers[number] = append(containers[number], o)
				}
			}
		}
	}
	return containers
}

// maxOwned bounds the functions that are told apart by owner: each has a clone for each owner.
const maxOwned = 32

// isSynchronisation reports whether the type is one of package sync: whose a lock is, is found
// out in other ways.
func isSynchronisation(t types.Type) bool {
	named := namedOf(t)
	return named != nil && named.Pkg() != nil && named.Pkg().Path() == "sync"
}

// isHanded reports whether the first parameter of a function that is no method may point into
// the region.
func (p *plan) isHanded(n *Node, region *Region) bool {
	f := n.Func
	if n.traits.external || f.Parent() != nil || f.Signature.Recv() != nil || f.Signature.Params().Len() == 0 ||
		isWrapper(f) || isBound(f) {
		return false
	}
	switch f.Params[0].Type().Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface:
		first := n.values[f.Params[0]]
		return first != 0 && p.leadsInto(first, region)
	}
	return false
}

// namedOf returns the name of a type that is declared, nil for others.
func namedOf(t types.Type) *types.TypeName {
	if t == nil {
		return nil
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Origin().Obj()
	}
	return nil
}

// receiverName returns the name of the type of which a method is.
func receiverName(t types.Type) *types.TypeName {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return namedOf(t)
}

// ownerContext is the context of a method that is told apart by owner, for the receiver:
// the one in which that was made. What is asked about is an owner itself, with what lies in
// it, and so is what was made in no context.
func (s *solver) ownerContext(cell uint32) *Context {
	if o := s.objectOf(cell); o.Context != nil && !s.isSubject(o) {
		return o.Context
	}
	return s.receiverContext(cell)
}

// isSubject reports whether the object is, or has a part, of a type asked about.
func (s *solver) isSubject(o *Object) bool {
	is, known := s.subjects[o.layout]
	if !known {
		for _, t := range o.layout.types {
			is = is || t != nil && s.config.Sensitivity.Subject(t)
		}
		s.subjects[o.layout] = is
	}
	return is
}
