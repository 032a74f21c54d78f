package knowledge

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
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
	path := PackagePath(fn)
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
// pointer to it, as of reflect.ValueOf(p).Elem().Field(i), and the fields that lead from there to
// the part, as far as they are constant. What is assigned to the value changes nothing but that.
func Place(value ssa.Value) (pointer ssa.Value, path []string, ok bool) {
	var parts []*ssa.Call
	for {
		call, is := assigned(value).(*ssa.Call)
		if !is || call.Call.StaticCallee() == nil || PackagePath(call.Call.StaticCallee()) != "reflect" {
			return nil, nil, false
		}
		switch call.Call.StaticCallee().Name() {
		case "Field", "FieldByName":
			value = call.Call.Args[0]
			parts = append(parts, call)
			continue
		case "Elem", "Indirect":
			pointer, ok = pointerIn(call.Call.Args[0])
		}
		break
	}
	if !ok {
		return nil, nil, false
	}
	t, known := pointer.Type().Underlying().(*types.Pointer).Elem(), true
	for _, part := range slices.Backward(parts) {
		var fields []*types.Var
		if known {
			fields, known = fieldOf(t, part.Call.Args[1])
		}
		if !known && part.Call.StaticCallee().Name() == "FieldByName" {
			return nil, nil, false // it may lie behind an embedded pointer
		}
		for _, f := range fields {
			path, t = append(path, f.Name()), f.Type()
		}
	}
	return pointer, path, true
}

// assigned returns what a local variable that is loaded holds, if it is assigned once and only
// loaded else; any other value is itself. (Variables that are structs are no values of their own.)
func assigned(value ssa.Value) ssa.Value {
	load, ok := value.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return value
	}
	variable, ok := load.X.(*ssa.Alloc)
	if !ok {
		return value
	}
	var held ssa.Value
	for _, use := range *variable.Referrers() {
		switch use := use.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if held != nil || use.Addr != variable {
				return value
			}
			held = use.Val
		default:
			return value
		}
	}
	if held == nil {
		return value
	}
	return held
}

// fieldOf returns the fields that lead to the field of a struct with a constant index or name.
func fieldOf(t types.Type, which ssa.Value) (fields []*types.Var, ok bool) {
	structure, isStruct := t.Underlying().(*types.Struct)
	c, isConst := which.(*ssa.Const)
	if !isStruct || !isConst || c.Value == nil {
		return nil, false
	}
	if c.Value.Kind() == constant.Int {
		i := c.Int64()
		if i < 0 || i >= int64(structure.NumFields()) {
			return nil, false
		}
		return []*types.Var{structure.Field(int(i))}, true
	}
	name := constant.StringVal(c.Value)
	for f := range structure.Fields() { // those of the struct itself hide promoted ones
		if f.Name() == name {
			return []*types.Var{f}, true
		}
	}
	return nil, false
}

// pointerIn returns the pointer p if the value is reflect.ValueOf(p).
func pointerIn(value ssa.Value) (pointer ssa.Value, ok bool) {
	call, is := assigned(value).(*ssa.Call)
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
