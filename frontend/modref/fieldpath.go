package modref

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// FieldPath returns the value that an address is computed from, and the path of
// fields from there.
func FieldPath(address ssa.Value) (base ssa.Value, path string) {
	field, ok := address.(*ssa.FieldAddr)
	if !ok {
		return address, ""
	}
	base, path = FieldPath(field.X)
	return base, pointsto.JoinPath(path, FieldName(field.X.Type(), field.Field))
}

// CutLast returns the path without its last part.
func CutLast(path, last string) (rest string, ok bool) {
	if path == last {
		return "", true
	}
	return strings.CutSuffix(path, "."+last)
}

// FieldName returns the name of a field of a struct or of the struct that t points
// to.
func FieldName(t types.Type, field int) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.Underlying().(*types.Struct).Field(field).Name()
}
