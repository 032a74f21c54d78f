package instrument

import (
	"go/ast"
	"go/types"
	"strings"
)

// onlyReads are methods of other modules' types that change nothing, by name: of containers,
// buffers, times and numbers. Names that begin with one of readPrefixes are likewise.
var onlyReads = map[string]bool{
	"Len": true, "Cap": true, "Front": true, "Back": true, "Next": true, "Prev": true, "String": true, "Bytes": true,
	"Value": true,
	"Load":  true, "Peek": true, "Size": true, "Equal": true, "Cmp": true, "Compare": true, "Err": true, "Error": true,
	"Available": true,
	"Before":    true, "After": true, "Sub": true, "Unix": true, "UnixNano": true, "Format": true, "Sign": true,
	"Buffered": true, "Count": true,
	"Range": true, "Keys": true, "Values": true, "Name": true, "Done": true, "Deadline": true,
}

var readPrefixes = []string{"Get", "Is", "Has", "Contains", "Lookup"}

func readsOnly(name string) bool {
	if onlyReads[name] {
		return true
	}
	for _, p := range readPrefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// libraryMethod rewrites x.f.M(...) where M belongs to a type of another module that the field is or points
// to: it reads or writes what the field leads to.
func (f *file) libraryMethod(n *ast.CallExpr) (string, bool) {
	s, ok := n.Fun.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	selection := f.info.Selections[s]
	if selection == nil || selection.Kind() != types.MethodVal {
		return "", false
	}
	fn := selection.Obj().(*types.Func)
	recv := fn.Type().(*types.Signature).Recv()
	if fn.Pkg() == nil || f.isOwnPackage(fn.Pkg()) || fn.Pkg().Path() == "sync" || fn.Pkg().Path() == "sync/atomic" ||
		types.IsInterface(recv.Type()) || len(selection.Index()) != 1 || !isPointer(recv.Type()) {
		return "", false
	}
	hits := f.hits(s.X)
	if len(hits) == 0 || !f.canAddress(s.X) {
		return "", false
	}
	address := "&" + f.address(s.X)
	behind := isPointer(f.info.TypeOf(s.X))
	if behind {
		address = f.wrap(address, "Read", "Read", hits, "read", positionOf(s.X))
	}
	name, kind := "Write", "write"
	if readsOnly(fn.Name()) {
		name, kind = "Read", "read"
	}
	address = f.wrap(address, name, name, hits, kind, n.Lparen)
	if behind {
		address = "(*" + address + ")"
	}
	return address + f.text(s.X.End(), n.Fun.End()) + f.argumentsOf(n, fn), true
}

// isOwnPackage tells whether the user writes a package.
func (f *file) isOwnPackage(p *types.Package) bool { return f.own[packagePath(p)] }

// inspectors are packages whose functions look at all fields of what they are given.
var inspectors = map[string]bool{
	"fmt": true, "log": true, "encoding/json": true, "encoding/xml": true, "encoding/gob": true, "encoding/binary": true,
	"text/template": true, "html/template": true,
}

// inspected rewrites the arguments of fmt.Println(x), json.Marshal(x) and the like, which read
// or write every field of a watched object, unless it has methods that do it.
func (f *file) inspected(n *ast.CallExpr) (string, bool) {
	fn := f.inspector(n)
	if fn == nil {
		return "", false
	}
	mode := "R"
	for _, word := range []string{"Unmarshal", "Decode", "Scan"} {
		if strings.Contains(fn.Name(), word) {
			mode = "W"
		}
	}
	var b strings.Builder
	b.WriteString(f.render(n.Fun))
	at, found := n.Fun.End(), false
	for _, a := range n.Args {
		b.WriteString(f.text(at, a.Pos()))
		text := f.render(a)
		if c := f.inspectedClass(a); c != nil {
			text, found = f.whole(mode, text, asDeclared(c, structOf(f.info.TypeOf(a))), n.Lparen), true
		}
		b.WriteString(text)
		at = a.End()
	}
	b.WriteString(f.text(at, n.End()))
	return b.String(), found
}

// inspector returns the function of an inspecting package that is called, nil if it is none.
func (f *file) inspector(n *ast.CallExpr) *types.Func {
	fn := f.callee(n)
	if fn == nil || fn.Pkg() == nil || !inspectors[fn.Pkg().Path()] {
		return nil
	}
	return fn
}

// inspectedClass returns the class of the object of which an inspecting function that is given e
// looks at all fields, nil if there is none.
func (f *file) inspectedClass(e ast.Expr) *class {
	if t := f.info.TypeOf(e); t != nil && isPointer(t) && !formatsItself(t) {
		return f.classOf(t)
	}
	return nil
}

// callee is the function or method that is called, nil if that is not known.
func (f *file) callee(n *ast.CallExpr) *types.Func {
	s, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	fn, _ := f.info.Uses[s.Sel].(*types.Func)
	return fn
}

// formatsItself tells whether a type has a method that the inspecting packages call instead.
func formatsItself(t types.Type) bool {
	set := types.NewMethodSet(t)
	for _, name := range []string{"String", "Error", "Format", "GoString", "MarshalJSON", "UnmarshalJSON", "MarshalText",
		"UnmarshalText", "MarshalBinary", "UnmarshalBinary", "GobEncode", "GobDecode", "MarshalXML"} {
		if set.Lookup(nil, name) != nil {
			return true
		}
	}
	return false
}
