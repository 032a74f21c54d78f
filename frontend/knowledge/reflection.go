package knowledge

import "golang.org/x/tools/go/ssa"

// CallsByReflection tells whether a package of the standard library calls functions and
// methods of the program by reflection, and what it calls is not followed.
func CallsByReflection(path string) bool { return path == "net/rpc" || path == "testing/quick" }

// OnlyInspects tells whether a call of package reflect changes nothing, and leads to no
// change: it asks for a type, or is made by a package that formats or encodes, of whose
// functions it is known what they write.
func OnlyInspects(caller, callee *ssa.Function) bool {
	switch packagePath(callee) {
	case "reflect", "internal/reflectlite":
	default:
		return false
	}
	path := packagePath(caller)
	return inspectors[callee.Name()] || isPrintingPackage(path) || path == "internal/fmtsort" || path == "errors"
}

// inspectors is the functions and methods of package reflect that only look at a value, or
// hand it out as it is: what is done with it then is seen where it is done.
var inspectors = set("TypeOf", "ValueOf", "Interface", "Type", "Kind", "Len", "Cap", "NumField", "NumMethod",
	"IsNil", "IsValid", "IsZero", "CanInterface", "CanSet", "CanAddr", "Bool", "Int", "Uint", "Float", "String")

// CallsAtOnce tells whether fn calls a function of the program while it runs, as
// (reflect.Value).Call does, and never later.
func CallsAtOnce(fn *ssa.Function) bool {
	return packagePath(fn) == "reflect" && (fn.Name() == "Call" || fn.Name() == "CallSlice")
}
