package isolate

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// isPrivate tells whether the cell is in an unexported field of an object of the standard
// library that guards itself, as a net.Conn: no location, and leads to none. (Else a map
// of connections would lead to the tables of the operating system.)
func (i *Isolation) isPrivate(c pointsto.Cell) bool {
	at := strings.LastIndexAny(c.Path, ".[")
	if c.Path == "" {
		return false
	}
	is, ok := i.private[c]
	if !ok {
		outer := pointsto.Cell{Object: c.Object, Path: c.Path[:max(at, 0)]}
		t := outer.Type()
		is = i.isPrivate(outer) || t != nil && knowledge.IsBlackBox(t) && !token.IsExported(c.Path[at+1:])
		i.private[c] = is
	}
	return is
}

// isHidden tells whether the cell is no location, whatever it is inside of.
func (i *Isolation) isHidden(c pointsto.Cell) bool { return i.isSynchronisation(c) || i.isPrivate(c) }

// BlackBoxes returns the objects that fields of stars lead to and that guard themselves.
func (i *Isolation) BlackBoxes() []*pointsto.Object {
	return slices.DeleteFunc(i.Watched(), func(o *pointsto.Object) bool {
		return len(i.regions[o]) == 0 || !knowledge.IsBlackBox(o.Type)
	})
}

// isOtherwise tells whether the cell is in a field that is synchronised without locks, of an
// object that fields of stars lead to: see query.Subject. It is no location, and leads to
// none.
func (i *Isolation) isOtherwise(c pointsto.Cell) bool {
	return i.fieldOtherwise(c) != "" || i.isUnlocked(c)
}

// isUnlocked tells whether the cell is in an object, or in a part of one, that is never used with a lock held, where
// one guards the set.
func (i *Isolation) isUnlocked(c pointsto.Cell) bool {
	return len(i.Subject.Unlocked) > 0 &&
		ssaflow.Remember(i.inUnlocked, c, func() bool { return isWithin(c, i.isOfUnlocked) })
}

// isWithin tells whether something holds for the type of the cell, or of what it is a part of. There may be no type.
func isWithin(c pointsto.Cell, is func(types.Type) bool) bool {
	for !is(c.Type()) {
		if c.Path == "" {
			return false
		}
		c.Path = c.Path[:max(strings.LastIndexAny(c.Path, ".["), 0)]
	}
	return true
}

func (i *Isolation) isOfUnlocked(t types.Type) bool {
	named := namedOf(t)
	if named == nil || !i.Subject.Unlocked[named] {
		return false
	}
	i.unlocked[named] = true
	return true
}

// namedOf returns the name of a type, of its origin if it is generic; nil if it has none.
func namedOf(t types.Type) *types.TypeName {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil
	}
	return named.Origin().Obj()
}

// fieldOtherwise names such a field as "type.field"; it is empty if the cell is in none.
func (i *Isolation) fieldOtherwise(c pointsto.Cell) string {
	if len(i.Subject.Otherwise) == 0 {
		return ""
	}
	name, ok := i.otherwise[c]
	if !ok {
		for outer := c.Path; outer != "" && name == ""; {
			outer = outer[:max(strings.LastIndexAny(outer, ".["), 0)]
			inner := strings.TrimPrefix(strings.TrimPrefix(c.Path, outer), ".")
			named, ok := types.Unalias((pointsto.Cell{Object: c.Object, Path: outer}).Type()).(*types.Named)
			if !ok {
				continue
			}
			for _, field := range i.Subject.Otherwise[named.Origin().Obj()] {
				if pointsto.IsWithin(inner, field) {
					name = named.Obj().Name() + "." + field
				}
			}
		}
		i.otherwise[c] = name
	}
	return name
}

// FieldsOtherwise returns the names of the fields that are synchronised without locks of the
// objects that fields of stars lead to, sorted.
func (i *Isolation) FieldsOtherwise() (names []string) {
	for o := range i.regions {
		for _, c := range i.graph.Cells(o) {
			if name := i.fieldOtherwise(c); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}
