package races

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// pointed is in a path where it goes through a pointer.
const pointed = "->"

// place is a part of the object, by its path: ".items", ".state.idle", ".list->.length".
type place struct {
	path       string
	isValue    bool // what is stored there, not the address
	isCaptured bool // the address of a variable that holds it
}

// captured returns the place that a variable holds which a literal captures.
func captured(known map[ssa.Value]place, v ssa.Value) (place, bool) {
	if a, ok := v.(*ssa.Alloc); ok {
		if value := onlyValue(a); value != nil {
			p, ok := placeOf(known, value)
			p.isCaptured = true
			return p, ok
		}
	}
	return placeOf(known, v)
}

// onlyValue returns the value of a variable that is assigned once, by its own function; nil of others.
func onlyValue(a *ssa.Alloc) ssa.Value {
	stores := 0
	if !ssaflow.OnlyLoaded(a, &stores) || stores != 1 {
		return nil
	}
	for _, user := range *a.Referrers() {
		if store, ok := user.(*ssa.Store); ok {
			return store.Val
		}
	}
	return nil
}

// placeOf returns which part of the object a value is, or is the address of.
func placeOf(known map[ssa.Value]place, v ssa.Value) (place, bool) {
	for range 16 {
		if p, ok := known[v]; ok {
			return p, true
		}
		switch x := v.(type) {
		case *ssa.ChangeType:
			v = x.X
		case *ssa.FieldAddr:
			p, ok := placeOf(known, x.X)
			if !ok {
				return place{}, false
			}
			if p.isValue {
				p.path += pointed
			}
			return place{path: p.path + "." + query.FieldOf(x).Name()}, true
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return place{}, false
			}
			a, isVariable := x.X.(*ssa.Alloc)
			if _, isObject := known[x.X]; isVariable && !isObject {
				if v = onlyValue(a); v == nil {
					return place{}, false
				}
				continue
			}
			p, ok := placeOf(known, x.X)
			switch {
			case !ok || p.isValue && !p.isCaptured:
				return place{}, false
			case p.isCaptured:
				p.isCaptured = false
				return p, true
			}
			return place{path: p.path, isValue: true}, true
		case *ssa.Global:
			return place{path: x.String()}, true
		default:
			return place{}, false
		}
	}
	return place{}, false
}

// isMap tells whether the value is a map.
func isMap(v ssa.Value) bool {
	_, ok := v.Type().Underlying().(*types.Map)
	return ok
}
