package isolate

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// An owner may have its objects in a slice or map of its own:
//
//	for _, r := range h.rooms {
//		r.guests = 0
//	}
//
// Where all that is put in leads back to the owner, by the frozen field of each, what is found
// there is of this owner and of no other one.

// HasMembers tells whether everything that a field of the owner, or of another object of its
// type, holds in a slice or map leads back to the object with the field.
func (w *Owner) HasMembers(path string) bool { return w.members[path] }

// findMembers finds the fields with members of an owner, of which those in alike are of its type.
func (i *Isolation) findMembers(w *Owner) {
	w.members = map[string]bool{}
	alike := i.objectsLike([]*pointsto.Object{w.Object})
	held := map[string]map[*pointsto.Object]bool{}
	for _, o := range alike {
		for _, cell := range i.graph.Cells(o) {
			if cell.Path == "" || strings.Contains(cell.Path, "[") {
				continue
			}
			for _, container := range i.graph.Contents(cell).Objects() {
				if held[cell.Path] == nil {
					held[cell.Path] = map[*pointsto.Object]bool{}
				}
				held[cell.Path][container] = true
			}
		}
	}
	for path, containers := range held {
		f := &members{i, w, path, containers, alike}
		w.members[path] = f.leadToContainers() && f.areKept() && f.areFilled()
	}
}

// members is the slices or maps that a field of an owner holds.
type members struct {
	*Isolation
	owner      *Owner
	path       string
	containers map[*pointsto.Object]bool
	alike      []*pointsto.Object // the owner, and objects of its type
}

// leadToContainers tells whether they are slices or maps, and none leads to from the atomic set.
func (m *members) leadToContainers() bool {
	for o := range m.containers {
		switch site := o.Site.(type) {
		case *ssa.MakeMap, *ssa.MakeSlice, *ssa.Call:
		case *ssa.Alloc:
			if !isVarargs(site) {
				return false
			}
		default:
			return false
		}
		if len(m.regions[o]) > 0 || len(m.StarsAt(pointsto.Cell{Object: o})) > 0 {
			return false
		}
	}
	return len(m.containers) > 0
}

// isVarargs tells whether the array is that of the arguments of a call.
func isVarargs(made *ssa.Alloc) bool { return made.Comment == "varargs" }

// areKept tells whether all that is stored in the field is made for the object with the field.
func (m *members) areKept() bool {
	for _, n := range m.graph.Holders(m.alike...) {
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				store, ok := instr.(*ssa.Store)
				if !ok || !fresh.HoldsPointers(store.Val.Type()) {
					continue
				}
				isField := func(c pointsto.Cell) bool {
					return pointsto.Overlaps(m.path, c.Path) && slices.Contains(m.alike, c.Object)
				}
				if slices.ContainsFunc(m.graph.PointsTo(n, store.Addr).Cells(), isField) && !m.isMadeFor(n, store.Val, store) {
					return false
				}
			}
		}
	}
	return true
}

// areFilled tells whether all that is put in leads back.
func (m *members) areFilled() bool {
	var objects []*pointsto.Object
	for o := range m.containers {
		objects = append(objects, o)
	}
	for _, n := range m.graph.Holders(objects...) {
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				if !m.leavesBack(n, instr) {
					return false
				}
			}
		}
	}
	return true
}

func (m *members) isOne(n *pointsto.Node, v ssa.Value) bool {
	isContainer := func(o *pointsto.Object) bool { return m.containers[o] }
	return fresh.HoldsPointers(v.Type()) && slices.ContainsFunc(m.graph.PointsTo(n, v).Objects(), isContainer)
}

// leavesBack tells whether what the instruction puts in, if it does, leads back.
func (m *members) leavesBack(n *pointsto.Node, instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.MapUpdate:
		if m.isOne(n, v.Map) {
			owner := m.ownerOf(v.Map)
			return owner != nil && m.leadsBack(v.Key, owner) && m.leadsBack(v.Value, owner)
		}
	case *ssa.Store:
		if element, ok := v.Addr.(*ssa.IndexAddr); ok && m.isOne(n, v.Addr) {
			if made, ok := element.X.(*ssa.Alloc); ok && isVarargs(made) {
				return true // see below
			}
			owner := m.ownerOf(element.X)
			return owner != nil && m.leadsBack(v.Val, owner)
		}
		return !m.isOne(n, v.Addr) || isOfVariable(v.Addr)
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		switch {
		case !ok:
			return m.graph.Analysed(n) && !m.isHandedToUnknown(n, v)
		case b.Name() == "append" && m.isOne(n, v):
			owner := m.ownerOf(v.Call.Args[0])
			return owner != nil && m.appendsBack(v.Call.Args[1], owner)
		case b.Name() == "copy":
			return !m.isOne(n, v.Call.Args[0])
		}
	case ssa.CallInstruction:
		return !m.isHandedToUnknown(n, v)
	}
	return true
}

// isHandedToUnknown tells whether a call hands one of them to a function that is not analysed.
func (m *members) isHandedToUnknown(n *pointsto.Node, call ssa.CallInstruction) bool {
	return slices.ContainsFunc(call.Common().Args, func(v ssa.Value) bool { return m.isOne(n, v) }) &&
		slices.ContainsFunc(m.graph.Callees(n, call), func(callee *pointsto.Node) bool { return !m.graph.Analysed(callee) })
}

// isOfVariable tells whether the address is that of a variable that holds a slice or map.
func isOfVariable(address ssa.Value) bool {
	_, isAlloc := address.(*ssa.Alloc)
	return isAlloc
}

// ownerOf returns the object whose field a slice or map is loaded from.
func (m *members) ownerOf(container ssa.Value) ssa.Value {
	load, ok := container.(*ssa.UnOp)
	if !ok {
		return nil
	}
	field, ok := load.X.(*ssa.FieldAddr)
	if !ok || fieldName(field.X.Type(), field.Field) != m.path {
		return nil
	}
	return field.X
}

// appendsBack tells whether the arguments of append lead back to the owner.
func (m *members) appendsBack(arguments, owner ssa.Value) bool {
	slice, ok := arguments.(*ssa.Slice)
	if !ok {
		return false
	}
	made, ok := slice.X.(*ssa.Alloc)
	if !ok || !isVarargs(made) {
		return false
	}
	for _, r := range *made.Referrers() {
		element, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, r := range *element.Referrers() {
			if store, ok := r.(*ssa.Store); !ok || !m.leadsBack(store.Val, owner) {
				return false
			}
		}
	}
	return true
}

// leadsBack tells whether a value is a new object whose frozen field leads to the owner, or
// leads nowhere.
func (m *members) leadsBack(v, owner ssa.Value) bool {
	if !fresh.HoldsPointers(v.Type()) {
		return true
	}
	switch v := unboxed(v).(type) {
	case *ssa.Const:
		return true
	case *ssa.Alloc:
		filled := m.filledWith(v)
		return filled != nil && ssaflow.IsSamePointer(filled, owner)
	case *ssa.Call:
		callee := v.Call.StaticCallee()
		if callee == nil || len(callee.Blocks) == 0 {
			return false
		}
		parameter := m.returnsLeadTo(callee)
		return parameter >= 0 && ssaflow.IsSamePointer(unboxed(v.Call.Args[parameter]), owner)
	}
	return false
}

// filledWith returns what the field that leads to the owner is filled with where an object is
// made; nil if that does not show.
func (m *members) filledWith(made *ssa.Alloc) ssa.Value {
	store, ok := onlyStore(made, m.owner.Path)
	changes := func(o *pointsto.Object) bool { return o.Site == made && !m.owner.frozenIn[o] }
	if !ok || store == nil || slices.ContainsFunc(m.graph.Objects(), changes) {
		return nil
	}
	return unboxed(store.Val)
}

// returnsLeadTo returns the parameter to which what a function makes and returns leads, -1 if
// there is none.
func (m *members) returnsLeadTo(fn *ssa.Function) int {
	parameter := -1
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if len(ret.Results) != 1 {
			return -1
		}
		made, ok := unboxed(ret.Results[0]).(*ssa.Alloc)
		if !ok {
			return -1
		}
		filled, ok := m.filledWith(made).(*ssa.Parameter)
		if !ok {
			return -1
		}
		at := slices.Index(fn.Params, filled)
		if parameter >= 0 && parameter != at {
			return -1
		}
		parameter = at
	}
	return parameter
}
