package knowledge

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

func isReflection(path string) bool { return path == "reflect" || path == "internal/reflectlite" }

// reflectRow knows the functions and methods of package reflect: those that handle types do
// nothing to memory, those that look at a value read it. What is left, as everything that
// asks whether the value can be assigned (reflect/value.go: mustBeAssignable), writes.
func reflectRow(fn *ssa.Function) (row, bool) {
	name := fn.Name()
	switch {
	case !handlesValues(fn) || asksOnly[name]:
		return row{nothing, "reflect/value.go: looks at the type of the value"}, true
	case readsValue[name]:
		return row{reading, "reflect/value.go: calls no mustBeAssignable"}, true
	case replacing[name]:
		e := assigning
		e.Fills = true
		return row{e, "reflect/value.go: assigns to the value, whatever was there"}, true
	case strings.HasPrefix(name, "Set"), name == "Copy", strings.HasPrefix(name, "Append"):
		return row{assigning, "reflect/value.go: assigns to the first value"}, true
	}
	return row{}, false
}

// replacing is the setters that look at nothing that was there before, as SetLen and SetMapIndex
// do.
var replacing = set("Set", "SetBool", "SetInt", "SetUint", "SetFloat", "SetComplex", "SetString", "SetBytes",
	"SetPointer", "SetZero")

// assigning is the effect of a setter: that the pointers which it stores lead nowhere is
// assumed.
var assigning = func() Effect {
	e := into(0)
	e.Default = true
	return e
}()

// toldAtEntry is the packages of which every exported function that looks at a value by
// reflection, or assigns to one, is in a table.
var toldAtEntry = set("errors", "encoding/asn1", "encoding/binary", "internal/fmtsort")

// IsToldAtEntry tells whether what the functions that fn calls do to memory by reflection is
// told where others call the package of fn.
func IsToldAtEntry(fn *ssa.Function) bool {
	path := packagePath(fn)
	return toldAtEntry[path] || isPrintingPackage(path)
}

// handlesValues tells whether fn gets a value, rather than a type.
func handlesValues(fn *ssa.Function) bool {
	for _, p := range fn.Params {
		if holdsValue(p.Type()) {
			return true
		}
	}
	return false
}

func holdsValue(t types.Type) bool {
	switch u := t.(type) {
	case *types.Pointer:
		return holdsValue(u.Elem())
	case *types.Slice:
		return holdsValue(u.Elem())
	case *types.Named:
		switch u.Obj().Name() {
		case "Value", "MapIter":
			return true
		case "Type":
			return false
		}
	}
	_, isInterface := t.Underlying().(*types.Interface)
	basic, isBasic := t.Underlying().(*types.Basic)
	return isInterface || isBasic && basic.Kind() == types.UnsafePointer
}

// asksOnly is the functions and methods that look at no memory behind the value, or call what
// is in it.
var asksOnly = set("TypeOf", "ValueOf", "Type", "Kind", "NumField", "NumMethod", "IsValid", "CanInterface", "CanSet",
	"CanAddr",
	"CanInt", "CanUint", "CanFloat", "CanComplex", "CanConvert", "Addr", "Field", "Method", "MethodByName", "Methods",
	"Fields",
	"OverflowComplex", "OverflowFloat", "OverflowInt", "OverflowUint", "Call", "CallSlice", "Pointer", "UnsafeAddr",
	"UnsafePointer",
	"NewAt", "SliceAt", "MakeFunc", "Select", "Send", "TrySend", "Recv", "TryRecv", "Close", "typeSlow", "Reset")

// readsValue is those that read the memory of the value, and write nothing.
var readsValue = set("Interface", "Elem", "Indirect", "Int", "Uint", "Float", "Complex", "Bool", "String", "Bytes",
	"Len", "Cap",
	"Index", "Slice", "Slice3", "IsNil", "IsZero", "Comparable", "Equal", "MapIndex", "MapKeys", "MapRange", "Key",
	"Value", "Next",
	"FieldByIndex", "FieldByIndexErr", "FieldByName", "FieldByNameFunc", "Convert", "Seq", "Seq2", "TypeAssert",
	"DeepEqual",
	"InterfaceData")

// Place returns, of a value of package reflect that is a variable, or a part of one, the
// pointer to it, as of reflect.ValueOf(p).Elem().Field(i). What is assigned to the value
// changes nothing but what that points to.
func Place(value ssa.Value) (pointer ssa.Value, ok bool) {
	for {
		call, is := value.(*ssa.Call)
		if !is || call.Call.StaticCallee() == nil || packagePath(call.Call.StaticCallee()) != "reflect" {
			return nil, false
		}
		switch call.Call.StaticCallee().Name() {
		case "Field":
			value = call.Call.Args[0]
		case "Elem", "Indirect":
			return pointerIn(call.Call.Args[0])
		default:
			return nil, false
		}
	}
}

// pointerIn returns the pointer p if the value is reflect.ValueOf(p).
func pointerIn(value ssa.Value) (pointer ssa.Value, ok bool) {
	call, is := value.(*ssa.Call)
	if !is || call.Call.StaticCallee() == nil || call.Call.StaticCallee().String() != "reflect.ValueOf" {
		return nil, false
	}
	return Boxed(call.Call.Args[0])
}

// Boxed returns the pointer that was put into an interface.
func Boxed(v ssa.Value) (pointer ssa.Value, ok bool) {
	boxed, is := v.(*ssa.MakeInterface)
	if !is {
		return nil, false
	}
	_, isPointer := boxed.X.Type().Underlying().(*types.Pointer)
	return boxed.X, isPointer
}
