package instrument

import (
	"fmt"
	"go/types"
	"strings"
)

// owned is a field that may lead to objects of a type.
type owned struct {
	class *class
	field field
}

// findOwned finds the types that the fields of a class may lead to: structs of the user's packages that
// are not watched themselves and have no lock of their own.
func (r *rewriter) findOwned(c *class, t types.Type) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i := range s.NumFields() {
		for _, w := range c.fields {
			if w.name != s.Field(i).Name() {
				continue
			}
			r.findContents(owned{c, w}, s.Field(i).Type())
			if isLeading(s.Field(i).Type()) {
				r.reach(owned{c, w}, s.Field(i).Type(), map[string]bool{})
			}
		}
	}
}

// isLeading tells whether a value of a type is one pointer, at its beginning.
func isLeading(t types.Type) bool {
	switch types.Unalias(t).Underlying().(type) {
	case *types.Pointer:
		return true
	}
	return false
}

// reach notes the types that a type leads to.
func (r *rewriter) reach(from owned, t types.Type, seen map[string]bool) {
	p, ok := types.Unalias(t).Underlying().(*types.Pointer)
	if !ok {
		return
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !r.own[packagePath(named.Obj().Pkg())] || r.classOf(named) != nil {
		return
	}
	s, ok := named.Underlying().(*types.Struct)
	name := packagePath(named.Obj().Pkg()) + "." + named.Obj().Name()
	if !ok || seen[name] || hasLock(s) {
		return
	}
	seen[name] = true
	r.owned[name] = append(r.owned[name], from)
	r.leads[from.field.number] = true
	for i := range s.NumFields() {
		r.reach(from, s.Field(i).Type(), seen)
	}
}

func hasLock(s *types.Struct) bool {
	for i := range s.NumFields() {
		if strings.HasPrefix(strings.TrimPrefix(types.Unalias(s.Field(i).Type()).String(), "*"), "sync.") {
			return true
		}
	}
	return false
}

// ownedHits returns the accesses to what watched fields lead to, if steps select a field of such a
// type through a pointer.
func (f *file) ownedHits(steps []step) []hit {
	var all []hit
	for i := len(steps) - 1; i >= 0; i-- {
		if !isPointer(steps[i].owner) {
			continue
		}
		named := namedOf(steps[i].owner)
		if named == nil || named.Obj().Pkg() == nil {
			return nil
		}
		offset := "0"
		if last := steps[len(steps)-1]; isLeading(structOf(last.owner).Field(last.index).Type()) {
			offset = "1"
		}
		for _, o := range f.rewriter.owned[packagePath(named.Obj().Pkg())+"."+named.Obj().Name()] {
			all = append(all, hit{class: o.class, field: o.field, offset: offset, owned: true})
		}
		return all
	}
	return nil
}

// leading wraps the address of a watched field that is read so that what it leads to is known.
func (f *file) leading(address string, h hit, kind, ref string) string {
	if h.owned || h.contents || h.isVar || kind != "read" || !f.rewriter.leads[h.field.number] {
		return address
	}
	return f.hook("Leading", address, ref, fmt.Sprint(h.field.number))
}
