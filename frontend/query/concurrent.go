package query

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"github.com/empire-go/empire-go/frontend/load"
)

// CheckConcurrent tells what is wrong with an entry of the table of functions that
// run a callback on another goroutine: "example.com/p.Pool.Submit#1" has to name a
// function, and an argument of it that can be run. what is where it is written.
func CheckConcurrent(p *load.Program, what, entry string) error {
	function, argument, _ := strings.Cut(entry, "#")
	number, method, _ := strings.Cut(argument, ".")
	n, err := strconv.Atoi(number)
	path, name := splitFunction(p, function)
	if err != nil || path == "" || name == "" {
		return &Error{what, fmt.Sprintf("%q is no function with an argument; write it as example.com/p.Pool.Submit#1", entry)}
	}
	pkg := packageAt(p, path)
	if pkg == nil {
		if p.Exists(path) {
			return nil // the program does not use it
		}
		return &Error{what, fmt.Sprintf("%q: no package %s; write its import path", entry, path)}
	}
	fn := lookupFunction(pkg, name)
	if fn == nil {
		return &Error{what, fmt.Sprintf("%q: package %s has no function %s; write Func or Type.Method", entry, path, name)}
	}
	params := fn.Signature().Params()
	if n < 1 || n > params.Len() {
		return &Error{what, fmt.Sprintf("%q: %s has no argument %d; they are counted from 1, without the receiver", entry,
			name, n)}
	}
	return checkRunnable(what, entry, params.At(n-1).Type(), method)
}

// checkRunnable tells whether an argument is a function, or has the method.
func checkRunnable(what, entry string, t types.Type, method string) error {
	if slice, ok := t.Underlying().(*types.Slice); ok {
		t = slice.Elem() // of a variadic function
	}
	_, isFunc := t.Underlying().(*types.Signature)
	switch {
	case method == "" && !isFunc:
		return &Error{what, fmt.Sprintf("%q: that argument is no function; name the method that is run after it, as #1.Run",
			entry)}
	case method != "":
		found, _, _ := types.LookupFieldOrMethod(t, true, nil, method)
		if _, ok := found.(*types.Func); !ok {
			return &Error{what, fmt.Sprintf("%q: that argument has no method %s", entry, method)}
		}
	}
	return nil
}

// splitFunction splits the import path from the name in it: the path ends at a dot
// after its last slash, at one where a package has been loaded if there is one.
func splitFunction(p *load.Program, function string) (path, name string) {
	function = strings.NewReplacer("(", "", "*", "", ")", "").Replace(function)
	slash := strings.LastIndex(function, "/") + 1
	for i := len(function) - 1; i >= slash; i-- {
		if function[i] == '.' && packageAt(p, function[:i]) != nil {
			return function[:i], function[i+1:]
		}
	}
	path, name, _ = strings.Cut(function[slash:], ".")
	return function[:slash] + path, name
}

// packageAt returns the package with the path, nil if it has not been loaded.
func packageAt(p *load.Program, path string) *types.Package {
	for _, pkg := range p.Imported() {
		if pkg.Pkg.Path() == path {
			return pkg.Pkg
		}
	}
	return nil
}

// lookupFunction finds Func or Type.Method.
func lookupFunction(pkg *types.Package, name string) *types.Func {
	base, method, isMethod := strings.Cut(name, ".")
	obj := pkg.Scope().Lookup(base)
	if !isMethod {
		fn, _ := obj.(*types.Func)
		return fn
	}
	if _, ok := obj.(*types.TypeName); !ok {
		return nil
	}
	found, _, _ := types.LookupFieldOrMethod(obj.Type(), true, pkg, method)
	fn, _ := found.(*types.Func)
	return fn
}
