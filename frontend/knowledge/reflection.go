package knowledge

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// CallsByReflection tells whether a package of the standard library calls functions and
// methods of the program by reflection, and what it calls is not followed.
func CallsByReflection(path string) bool { return path == "net/rpc" || path == "testing/quick" }

// CallsAtOnce tells whether fn calls a function of the program while it runs, as
// (reflect.Value).Call does, and never later.
func CallsAtOnce(fn *ssa.Function) bool {
	return PackagePath(fn) == "reflect" && (fn.Name() == "Call" || fn.Name() == "CallSlice")
}

// CallsOnce tells whether fn calls a function of the program at most once each time that it is
// called: "Get [...] returns the result of calling p.New" where it would otherwise return nil.
func CallsOnce(fn *ssa.Function) bool { return Of(fn).Container == PoolGet }

// IsOfReflection tells whether fn belongs to package reflect.
func IsOfReflection(fn *ssa.Function) bool { return isReflection(PackagePath(fn)) }

// IsReflectType tells whether a type is reflect.Type: an interface that is implemented by package reflect alone, of
// memory of the run time, and by what embeds one.
func IsReflectType(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "reflect" && named.Obj().Name() == "Type"
}

// LooksAtType tells whether a call is of a method of reflect.Type that calls nothing back.
func LooksAtType(call *ssa.CallCommon) bool {
	return call.IsInvoke() && IsReflectType(call.Value.Type()) && call.Method.Name() != "FieldByNameFunc"
}
