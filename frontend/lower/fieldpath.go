package lower

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// fieldPath returns the value that an address is computed from, and the path of
// fields from there.
func fieldPath(address ssa.Value) (base ssa.Value, path string) {
	field, ok := address.(*ssa.FieldAddr)
	if !ok {
		return address, ""
	}
	base, path = fieldPath(field.X)
	return base, pointsto.JoinPath(path, fieldName(field.X.Type(), field.Field))
}

// cutLast returns the path without its last part.
func cutLast(path, last string) (rest string, ok bool) {
	if path == last {
		return "", true
	}
	return strings.CutSuffix(path, "."+last)
}
