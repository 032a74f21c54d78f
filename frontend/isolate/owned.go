package isolate

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Owns tells whether an abstract object is the slice, map or other memory that a
// field itself holds, and no two objects of the checked type share it, because
// every value stored in the field is made for it. Then such contents reached
// through another object than a star are not the star's. Of what the contents lead
// to in turn, nothing is claimed.
func (i *Isolation) Owns(o *pointsto.Object) bool {
	fields := i.first[o]
	for f := range fields {
		if !i.owned[f] {
			return false
		}
	}
	return len(fields) > 0 && len(fields) == len(i.fieldsOf(o))
}

// IsHeld tells whether a field of a star holds the address of the memory itself: a
// slice or map, or what a pointer is to.
func (i *Isolation) IsHeld(o *pointsto.Object) bool { return len(i.first[o]) > 0 }

// fieldsOf returns the fields that lead to the object, of any star.
func (i *Isolation) fieldsOf(o *pointsto.Object) map[int]bool {
	fields := map[int]bool{}
	for _, r := range i.regions[o] {
		fields[r.at.Field] = true
	}
	return fields
}

// IsShallow tells whether a field leads to nothing but the memory that it holds
// itself: a slice of numbers, a map of strings.
func (i *Isolation) IsShallow(at Location) bool {
	at.Apart = false
	for o, regions := range i.regions {
		for _, r := range regions {
			if r.at == at && !i.first[o][at.Field] {
				return false
			}
		}
	}
	return true
}

// findOwned looks at every store to a field of the stars' abstract objects.
func (i *Isolation) findOwned() {
	i.stores, i.rewritten, i.seen = map[int]int{}, map[int]bool{}, map[storeTo]bool{}
	i.owned, i.first, i.moved = map[int]bool{}, map[*pointsto.Object]map[int]bool{}, map[*ssa.UnOp]bool{}
	for _, star := range i.Stars {
		for f, name := range i.Subject.Fields {
			for o := range star.Objects {
				for _, c := range i.under(star, o, name) {
					for _, held := range i.graph.Contents(c).Objects() {
						if i.first[held] == nil {
							i.first[held] = map[int]bool{}
						}
						i.first[held][f] = true
					}
				}
			}
		}
	}
	for f := range i.Subject.Fields {
		i.owned[f] = true
	}
	for _, n := range i.nearStars {
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				if store, ok := instr.(*ssa.Store); ok {
					i.checkStore(n, store)
				}
			}
		}
	}
}

// starObjects returns the abstract objects of all stars.
func (i *Isolation) starObjects() []*pointsto.Object {
	var all []*pointsto.Object
	for _, star := range i.Stars {
		all = append(all, sortedObjects(star.Objects)...)
	}
	return all
}

// Watched returns the abstract objects that are, or may be, memory of a location.
func (i *Isolation) Watched() []*pointsto.Object {
	all := i.starObjects()
	for o := range i.regions {
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b *pointsto.Object) int { return a.ID - b.ID })
	return slices.Compact(all)
}

// Near returns the nodes that may access memory of a location themselves, but for what
// library functions do for them: those that have such memory at hand.
func (i *Isolation) Near() []*pointsto.Node {
	if i.near == nil && len(i.regions) == 0 {
		i.near = i.nearStars
	}
	if i.near == nil {
		i.near = i.graph.Holders(slices.DeleteFunc(i.Watched(), func(o *pointsto.Object) bool {
			return i.IsLeftApart(o) && len(i.StarsAt(pointsto.Cell{Object: o})) == 0
		})...)
	}
	return i.near
}

// NearStars returns the nodes that have a star at hand.
func (i *Isolation) NearStars() []*pointsto.Node { return i.nearStars }

// Region is the memory of the locations.
func (i *Isolation) Region() *pointsto.Region {
	if i.region == nil {
		i.region = i.graph.Region(i.Watched()...)
	}
	return i.region
}

// checkStore notes the fields whose contents the store may share.
func (i *Isolation) checkStore(n *pointsto.Node, store *ssa.Store) {
	for _, c := range i.graph.PointsTo(n, store.Addr).Cells() {
		for _, k := range i.StarsAt(c) {
			for _, at := range i.FieldsAt(k, i.PathOf(k, c)) {
				if counted := (storeTo{store, at.Field}); k == 0 && !i.seen[counted] {
					i.seen[counted] = true
					i.countStore(at.Field, store)
				}
				if i.owned[at.Field] && !i.isMadeFor(n, store.Val, store) &&
					!i.isMadeForPart(pointsto.JoinPath(i.Stars[k].Path, i.Subject.Fields[at.Field]), i.PathOf(k, c), store) {
					i.owned[at.Field] = false
				}
			}
		}
	}
}

// isMadeFor tells whether a stored value leads to memory that nothing else leads
// to: it has no pointers, or is made here and kept nowhere else, or is derived from
// what the same field of the same object held before.
func (i *Isolation) isMadeFor(n *pointsto.Node, v ssa.Value, store *ssa.Store) bool {
	return i.isMade(n, v, store, map[ssa.Value]bool{})
}

// isMadeForPart tells whether a whole struct is stored at a path, as a call has returned it, and
// what a part of it leads to is made by that call.
func (i *Isolation) isMadeForPart(part, path string, store *ssa.Store) bool {
	call, isCall := store.Val.(*ssa.Call)
	if !isCall || part == path || !pointsto.IsWithin(part, path) || !fresh.IsKeptOnlyBy(call, store) {
		return false
	}
	structure, isStruct := call.Type().Underlying().(*types.Struct)
	if !isStruct {
		return false
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(part, path), "."), ".")
	for at := range structure.NumFields() {
		if f := structure.Field(at); f.Name() == name {
			return !fresh.HoldsPointers(f.Type()) || i.fresh.ReturnsField(call, 0, at)
		}
	}
	return false
}

// isMade is isMadeFor for what an instruction keeps: a store, or a call of a function that stores it, where those in
// seen are looked at already.
func (i *Isolation) isMade(n *pointsto.Node, v ssa.Value, by ssa.Instruction, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	if !fresh.HoldsPointers(v.Type()) {
		return true
	}
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.MakeSlice, *ssa.MakeMap, *ssa.Alloc:
		return fresh.IsKeptOnlyBy(v, by)
	case *ssa.Slice:
		return i.isMade(n, v.X, by, seen)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if !i.isMade(n, e, by, seen) {
				return false
			}
		}
		return true
	case *ssa.UnOp:
		store, ok := by.(*ssa.Store)
		return ok && (fresh.StaysInPlace(v, store, seen) || i.isMoved(n, v, store))
	case *ssa.Parameter:
		return i.isHandedTo(n, v, by)
	case *ssa.Call:
		return i.isMadeBy(n, v, v, 0, by, seen)
	case *ssa.Extract:
		call, ok := v.Tuple.(*ssa.Call)
		return ok && i.isMadeBy(n, v, call, v.Index, by, seen)
	case *ssa.MakeInterface:
		return i.isMade(n, v.X, by, seen)
	case *ssa.ChangeInterface:
		return i.isMade(n, v.X, by, seen)
	case *ssa.ChangeType:
		return i.isMade(n, v.X, by, seen)
	}
	return false
}

// isHandedTo tells whether a parameter, which the function keeps in one place only, leads to memory that was made for
// each call, and that is kept by no caller.
func (i *Isolation) isHandedTo(n *pointsto.Node, p *ssa.Parameter, by ssa.Instruction) bool {
	key := handedTo{n, p, by}
	if known, ok := i.handed[key]; ok {
		return known
	}
	i.handed[key] = false // while it is being found out
	at := slices.Index(n.Func.Params, p)
	callers := i.graph.Callers(n)
	is := len(callers) > 0 && fresh.IsKeptOnlyBy(p, by) &&
		!slices.ContainsFunc(callers, func(e pointsto.Edge) bool {
			call, ok := e.Site.(*ssa.Call)
			if !ok || call.Call.StaticCallee() != n.Func {
				return true
			}
			v := call.Call.Args[at]
			isElsewhere := slices.Contains(call.Call.Args[:at], v) || slices.Contains(call.Call.Args[at+1:], v)
			return isElsewhere || !i.isMade(e.Caller, v, call, map[ssa.Value]bool{})
		})
	i.handed[key] = is
	return is
}

// handedTo is a parameter of a call-graph node that an instruction keeps.
type handedTo struct {
	node      *pointsto.Node
	parameter *ssa.Parameter
	by        ssa.Instruction
}

// isMadeBy is isMade for a value that is a result of a call: new memory, or a slice that grows,
// as by append. That is stored nowhere else, unless it is part of what the field has held.
func (i *Isolation) isMadeBy(n *pointsto.Node, v ssa.Value, call *ssa.Call, result int, by ssa.Instruction,
	seen map[ssa.Value]bool) bool {
	grown, grows := i.fresh.Grows(call, result)
	if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
		grown, grows = call.Call.Args[0], true
	}
	if !grows {
		return i.fresh.Returns(n, call, result) && fresh.IsKeptOnlyBy(v, by)
	}
	return i.isMade(n, grown, by, seen) && (isPartOfField(grown, by) || fresh.IsKeptOnlyBy(v, by))
}

// isPartOfField tells whether a slice is what the field holds that an instruction stores to, or a part of it.
func isPartOfField(v ssa.Value, by ssa.Instruction) bool {
	store, ok := by.(*ssa.Store)
	for ok {
		switch part := v.(type) {
		case *ssa.Slice:
			v = part.X
		case *ssa.ChangeType:
			v = part.X
		case *ssa.UnOp:
			return ssaflow.IsSameField(part.X, store.Addr)
		default:
			return false
		}
	}
	return false
}

// IsWrittenOnce tells whether every object of the stars gets its value of the field
// when it is made, and keeps it.
func (i *Isolation) IsWrittenOnce(field int) bool { return i.stores[field] == 1 && !i.rewritten[field] }

// countStore notes a store to a field for IsWrittenOnce.
func (i *Isolation) countStore(field int, store *ssa.Store) {
	i.stores[field]++
	address, ok := store.Addr.(*ssa.FieldAddr)
	if !ok {
		i.rewritten[field] = true
		return
	}
	made, ok := address.X.(*ssa.Alloc)
	if !ok || made.Block() != store.Block() {
		i.rewritten[field] = true
	}
}

// storeTo is a store instruction, as one to a field.
type storeTo struct {
	store *ssa.Store
	field int
}
