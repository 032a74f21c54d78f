package harness

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/frontend/load"
)

// The user can say how values of a type are made, by functions that need not be in the
// package that is called: arguments are made so, in place of all other ways.

// resolveMakers returns the functions that make values, by type. An error says what of the
// table means nothing.
func resolveMakers(p *load.Program, table map[string]string) (map[string]*types.Func, error) {
	all := map[string]*types.Func{}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		obj, err := lookUp(p, name)
		if err != nil {
			return nil, fmt.Errorf("make: %s: %w", name, err)
		}
		t, ok := obj.(*types.TypeName)
		if !ok {
			return nil, fmt.Errorf("make: %s: is no type; write the type of an argument, as example.com/p.Op", name)
		}
		obj, err = lookUp(p, table[name])
		if err != nil {
			return nil, fmt.Errorf("make: %s: %s: %w", name, table[name], err)
		}
		fn, ok := obj.(*types.Func)
		switch {
		case !ok || !fn.Exported() || fn.Signature().TypeParams().Len() > 0:
			return nil, fmt.Errorf("make: %s: %s is no exported function without type parameters; write one", name, table[name])
		case !makes(fn, t.Type()):
			const why = "make: %s: %s does not return one; write a function whose first result is a %s or a pointer to one"
			return nil, fmt.Errorf(why, name, table[name], t.Name())
		}
		all[types.TypeString(t.Type(), nil)] = fn
	}
	return all, nil
}

// CheckMakers tells what is wrong with the functions that make values, by type: see
// ClientConfig.
func CheckMakers(p *load.Program, table map[string]string) error {
	_, err := resolveMakers(p, table)
	return err
}

// lookUp finds "example.com/p.Name".
func lookUp(p *load.Program, name string) (types.Object, error) {
	dot := strings.LastIndex(name, ".")
	if dot < 1 || dot < strings.LastIndex(name, "/") {
		return nil, fmt.Errorf("names nothing; write it as example.com/p.Name")
	}
	pkg := p.SSA.ImportedPackage(name[:dot])
	if pkg == nil {
		return nil, fmt.Errorf("no package %s; write its import path", name[:dot])
	}
	obj := pkg.Pkg.Scope().Lookup(name[dot+1:])
	if obj == nil {
		return nil, fmt.Errorf("package %s has no %s; write a name that it declares", name[:dot], name[dot+1:])
	}
	return obj, nil
}

// makes tells whether the first result of the function is of the type, or points to it.
func makes(fn *types.Func, t types.Type) bool {
	results := fn.Signature().Results()
	if results.Len() == 0 {
		return false
	}
	first := results.At(0).Type()
	return types.AssignableTo(first, t) || types.Identical(first, types.NewPointer(t))
}

// stated writes the call of the function that the user has named for a type, and returns
// what it makes; ok is false if there is none.
func (v *valueWriter) stated(b *strings.Builder, t types.Type) (name string, ok bool) {
	of := t
	p, isPointer := types.Unalias(t).(*types.Pointer)
	fn := v.makers[types.TypeString(t, nil)]
	if fn == nil && isPointer {
		of = p.Elem()
		fn = v.makers[types.TypeString(of, nil)]
	}
	key := "stated " + types.TypeString(t, nil)
	if fn == nil || v.making[key] { // a function that takes what it returns
		return "", false
	}
	v.making[key] = true
	defer delete(v.making, key)
	call, ok := v.call(b, "", fn, fn.Signature(), nil)
	if !ok {
		return "", false
	}
	name = v.fresh("v")
	results := fn.Signature().Results()
	fmt.Fprintf(b, "%s := %s\n", resultList(results.Len(), 0, name), call)
	switch first := results.At(0).Type(); {
	case types.AssignableTo(first, t):
		return name, true
	case isPointer && !types.Identical(of, t) && types.AssignableTo(first, of):
		return "&" + name, true
	}
	return "*" + name, true
}
