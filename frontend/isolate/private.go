package isolate

import (
	"go/token"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
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
