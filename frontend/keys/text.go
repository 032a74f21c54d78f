package keys

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/modref"
)

// Text returns what the user calls a key, "" if it has no name: a constant, a variable or a field.
func Text(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value != nil {
			return v.Value.String()
		}
	case *ssa.Parameter:
		return v.Name()
	case *ssa.FreeVar:
		return v.Name()
	case *ssa.Alloc:
		return identifier(v.Comment)
	case *ssa.Phi:
		return identifier(v.Comment)
	case *ssa.MakeInterface:
		return Text(v.X)
	case *ssa.ChangeType:
		return Text(v.X)
	case *ssa.UnOp:
		if address, ok := v.X.(*ssa.FieldAddr); ok {
			return fieldText(address)
		}
		return Text(v.X)
	}
	return ""
}

// fieldText returns the text of a field of a variable.
func fieldText(v *ssa.FieldAddr) string {
	of := Text(v.X)
	if of == "" {
		return ""
	}
	return of + "." + modref.FieldName(v.X.Type(), v.Field)
}

// identifier returns the comment of a value if it is the name of a variable: the others have spaces,
// or are about no variable of the source.
func identifier(comment string) string {
	switch comment {
	case "new", "complit", "slicelit", "makeslice", "varargs", "rangeindex", "rangeint.iter", "&&", "||":
		return ""
	}
	for _, r := range comment {
		if !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_') {
			return ""
		}
	}
	return comment
}

// Header returns the read of the field that leads to the map of which the instruction accesses an
// entry, if it is for that alone; else nil.
func Header(instr ssa.Instruction) *ssa.UnOp {
	m, _ := Access(instr)
	load, ok := m.(*ssa.UnOp)
	if !ok {
		return nil
	}
	for _, r := range *load.Referrers() {
		if _, isDebug := r.(*ssa.DebugRef); !isDebug && r != instr {
			return nil
		}
	}
	return load
}
