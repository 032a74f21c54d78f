package steer

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// qualify imports a package, and returns its name in the client.
func (w *clientWriter) qualify(pkg *types.Package) string {
	if pkg.Path() == "sync" {
		return "sync"
	}
	if w.imports[pkg.Path()] == "" {
		w.imports[pkg.Path()] = fmt.Sprintf("%s%d", pkg.Name(), len(w.imports)+1)
	}
	return w.imports[pkg.Path()]
}

// typeText returns a type as the client writes it.
func (w *clientWriter) typeText(t types.Type) string { return types.TypeString(t, w.qualify) }

// standard imports a package of the standard library.
func (w *clientWriter) standard(path string) string {
	name := path[strings.LastIndex(path, "/")+1:]
	return w.qualify(types.NewPackage(path, name))
}

// arguments returns the call of a function with arguments made from a number, which is an
// expression.
func (w *clientWriter) arguments(call string, signature *types.Signature, number string) (string, error) {
	var list []string
	for i := range signature.Params().Len() {
		if signature.Variadic() && i == signature.Params().Len()-1 {
			break // none
		}
		value, err := w.value(signature.Params().At(i).Type(), number, 0)
		if err != nil {
			return "", err
		}
		list = append(list, value)
	}
	return call + "(" + strings.Join(list, ", ") + ")", nil
}

// maxDepth bounds values in values.
const maxDepth = 4

// value returns an expression of a type: the object where it fits, else something made from
// the number.
func (w *clientWriter) value(t types.Type, number string, depth int) (string, error) {
	if w.object != nil && !isEmptyInterface(t) && types.AssignableTo(w.object, t) {
		return "object", nil
	}
	if depth > maxDepth {
		return "", fmt.Errorf("no argument of type %s can be made", t)
	}
	if text, ok := w.known(t); ok {
		return text, nil
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return w.basic(t, u, number)
	case *types.Slice:
		element, err := w.value(u.Elem(), number, depth+1)
		return w.typeText(t) + "{" + element + "}", err
	case *types.Array, *types.Struct:
		return w.typeText(t) + "{}", w.nameable(t)
	case *types.Map:
		key, err := w.value(u.Key(), number, depth+1)
		if err != nil {
			return "", err
		}
		element, err := w.value(u.Elem(), number, depth+1)
		return w.typeText(t) + "{" + key + ": " + element + "}", err
	case *types.Pointer:
		if made, ok := w.made(t, number, depth); ok {
			return made, nil
		}
		return "new(" + w.typeText(u.Elem()) + ")", w.nameable(u.Elem())
	case *types.Chan:
		return "make(chan " + w.typeText(u.Elem()) + ", 64)", nil
	case *types.Signature:
		return w.function(u, number, depth)
	case *types.Interface:
		if u.NumMethods() == 0 {
			return "any(" + number + ")", nil
		}
		return w.stub(u)
	}
	return "", fmt.Errorf("no argument of type %s can be made", t)
}

// stub declares a type that implements an interface and does nothing.
func (w *clientWriter) stub(u *types.Interface) (string, error) {
	name := fmt.Sprintf("stub%d", len(w.stubs)+1)
	text := "type " + name + " struct{}\n"
	for m := range u.Methods() {
		if !m.Exported() {
			return "", fmt.Errorf("no value can implement %s outside of its package", u)
		}
		var results []string
		for i := range m.Signature().Results().Len() {
			results = append(results, fmt.Sprintf("r%d %s", i, w.typeText(m.Signature().Results().At(i).Type())))
		}
		params := strings.TrimPrefix(
			w.typeText(types.NewSignatureType(nil, nil, nil, m.Signature().Params(), nil, m.Signature().Variadic())), "func")
		text += "func (" + name + ") " + m.Name() + params + " (" + strings.Join(results, ", ") + ") { return }\n"
	}
	w.stubs = append(w.stubs, text)
	return name + "{}", nil
}

// exportedFields returns the elements of a literal: those fields that clients can set and
// that are of no use unset.
func (w *clientWriter) exportedFields(named *types.Named) string {
	structure, ok := named.Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	var list []string
	for f := range structure.Fields() {
		switch f.Type().Underlying().(type) {
		case *types.Interface, *types.Signature, *types.Map, *types.Chan:
			if value, err := w.value(f.Type(), "1", 1); err == nil && f.Exported() {
				list = append(list, f.Name()+": "+value)
			}
		}
	}
	return strings.Join(list, ", ")
}

func isEmptyInterface(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.NumMethods() == 0
}

// nameable tells whether a client can write the type.
func (w *clientWriter) nameable(t types.Type) error {
	if named, ok := types.Unalias(t).(*types.Named); ok && !named.Obj().Exported() && named.Obj().Pkg() != nil {
		return fmt.Errorf("no argument of the unexported type %s can be made", t)
	}
	return nil
}

// known returns values of some types of the standard library.
func (w *clientWriter) known(t types.Type) (string, bool) {
	if t.String() == "time.Duration" {
		return w.standard("time") + ".Millisecond", true
	}
	row := knowledge.StandInFor(t.String())
	if row == nil {
		return "", false
	}
	for _, text := range row.Declarations() {
		if text = knowledge.StandInText(text, w.standard); !slices.Contains(w.stubs, text) {
			w.stubs = append(w.stubs, text)
		}
	}
	return knowledge.StandInText(row.Values[0], w.standard), true
}

func (w *clientWriter) basic(t types.Type, u *types.Basic, number string) (string, error) {
	text := ""
	switch {
	case u.Info()&types.IsString != 0:
		text = `string(rune('a' + ` + number + `))`
	case u.Info()&types.IsBoolean != 0:
		text = number + "%2 == 0"
	case u.Info()&types.IsNumeric != 0 && u.Info()&types.IsComplex == 0:
		return w.typeText(t) + "(" + number + " + 1)", w.nameable(t)
	default:
		return "", fmt.Errorf("no argument of type %s can be made", t)
	}
	if types.Identical(t, u) {
		return text, nil
	}
	return w.typeText(t) + "(" + text + ")", w.nameable(t)
}

// made returns a call of an exported function that makes the value that a pointer leads to.
func (w *clientWriter) made(t types.Type, number string, depth int) (string, bool) {
	named, ok := types.Unalias(t.Underlying().(*types.Pointer).Elem()).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return "", false
	}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		fn, ok := scope.Lookup(name).(*types.Func)
		if !ok || !fn.Exported() || fn.Signature().TypeParams().Len() > 0 || fn.Signature().Results().Len() != 1 ||
			!types.Identical(fn.Signature().Results().At(0).Type(), t) {
			continue
		}
		w.imports[fn.Pkg().Path()] = w.qualify(fn.Pkg())
		if call, err := w.arguments(w.qualify(fn.Pkg())+"."+name, fn.Signature(), number); err == nil && depth < maxDepth {
			return call, true
		}
	}
	return "", false
}

// function returns a function literal, which returns its first parameter where that fits.
func (w *clientWriter) function(s *types.Signature, number string, depth int) (string, error) {
	var params, results, values []string
	for i := range s.Params().Len() {
		t := w.typeText(s.Params().At(i).Type())
		if s.Variadic() && i == s.Params().Len()-1 {
			t = "..." + strings.TrimPrefix(t, "[]")
		}
		params = append(params, fmt.Sprintf("p%d %s", i, t))
	}
	for i := range s.Results().Len() {
		t := s.Results().At(i).Type()
		results = append(results, w.typeText(t))
		value := ""
		for j := range s.Params().Len() {
			if types.Identical(s.Params().At(j).Type(), t) {
				value = fmt.Sprintf("p%d", j)
				break
			}
		}
		switch {
		case value != "":
		case t.String() == "error":
			value = "nil"
		case t.String() == "bool":
			value = "true"
		default:
			var err error
			if value, err = w.value(t, number, depth+1); err != nil {
				return "", err
			}
		}
		values = append(values, value)
	}
	body := ""
	if len(values) > 0 {
		body = "return " + strings.Join(values, ", ")
	}
	return "func(" + strings.Join(params, ", ") + ") (" + strings.Join(results, ", ") + ") { " + body + " }", nil
}
