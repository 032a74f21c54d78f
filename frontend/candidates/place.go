package candidates

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/query"
)

// place is an access path: what a function reaches from a value by fields (".items"),
// loads ("*") and elements ("[i]"). Equal paths in one function name the same memory, as
// far as nothing on the way changes: good enough for evidence, not for a proof.
type place struct {
	root ssa.Value
	path string
}

// placeOf returns the access path of a value.
func placeOf(v ssa.Value) place {
	step := func(from ssa.Value, part string) place {
		p := placeOf(from)
		p.path += part
		return p
	}
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return step(v.X, "."+fieldOf(v).Name())
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return step(v.X, "*")
		}
	case *ssa.IndexAddr:
		index := v.Index.Name()
		if c, ok := v.Index.(*ssa.Const); ok {
			index = c.String()
		}
		return step(v.X, "["+index+"]")
	case *ssa.ChangeType:
		return placeOf(v.X)
	case *ssa.ChangeInterface:
		return placeOf(v.X)
	case *ssa.MakeInterface:
		return placeOf(v.X)
	}
	return place{root: v}
}

// within returns the rest of the path of p behind that of outer.
func (p place) within(outer place) (rest string, ok bool) {
	if p.root != outer.root {
		return "", false
	}
	rest, ok = strings.CutPrefix(p.path, outer.path)
	return rest, ok && (rest == "" || strings.IndexByte(".*[", rest[0]) >= 0)
}

// fieldOf returns the field whose address is taken.
func fieldOf(v *ssa.FieldAddr) *types.Var { return query.FieldOf(v) }

// ownerOf returns the named struct type that the address is of a field of, or of a part
// of such a field, and the path of names from there: of x.state.mu, with a named type of
// x.state, that type and "mu". There is none for a variable.
func ownerOf(address ssa.Value) (owner *types.TypeName, name string) {
	for address != nil {
		field, ok := address.(*ssa.FieldAddr)
		if !ok {
			address = foundBy(address)
			continue
		}
		if name != "" {
			name = "." + name
		}
		name = fieldOf(field).Name() + name
		if named := query.NamedStruct(field.X.Type().Underlying().(*types.Pointer).Elem()); named != nil {
			return named.Obj(), name
		}
		address = field.X
	}
	return nil, name
}

// foundBy returns the value by which an address is found, other than one that it is a field of: where it is
// loaded from, or of which it is an element; nil if there is none.
func foundBy(address ssa.Value) ssa.Value {
	switch v := address.(type) {
	case *ssa.UnOp:
		return v.X
	case *ssa.IndexAddr:
		return v.X
	case *ssa.MakeInterface:
		return v.X
	case *ssa.ChangeType:
		return v.X
	}
	return nil
}
