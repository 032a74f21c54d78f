package isolate

import (
	"iter"

	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
)

// A set of package variables is one star. It is as if the variables were the fields
// of one struct that exists once: the path of a cell in the star is the variable's
// name and then the path in the variable. So is memory that a function makes, of which
// there may be many.

// variablesOf returns the objects that are the variables of the subject, or its memory.
func variablesOf(graph *pointsto.Result, s *query.Subject) map[*pointsto.Object]string {
	found := map[*pointsto.Object]string{}
	for _, o := range graph.Objects() {
		if s.Local != nil && o.Site == s.Local {
			found[o] = s.Fields[0]
		}
		for name, v := range s.Vars {
			if o.Site == v {
				found[o] = name
			}
		}
	}
	return found
}

// asSet yields the objects as members of a set.
func asSet(names map[*pointsto.Object]string) iter.Seq2[*pointsto.Object, bool] {
	return func(yield func(*pointsto.Object, bool) bool) {
		for o := range names {
			if !yield(o, true) {
				return
			}
		}
	}
}

// PathOf returns the absolute path of a cell in the memory of star k, of which it is
// part.
func (i *Isolation) PathOf(k int, c pointsto.Cell) string {
	if name, ok := i.Stars[k].variables[c.Object]; ok {
		return pointsto.JoinPath(name, c.Path)
	}
	return c.Path
}

// under returns the cells of a field in one of the objects that the star may be.
func (i *Isolation) under(star *Star, o *pointsto.Object, field string) []pointsto.Cell {
	if star.variables == nil {
		return i.graph.Under(o, pointsto.JoinPath(star.Path, field))
	}
	if star.variables[o] != field {
		return nil
	}
	return i.graph.Under(o, "")
}
