package knowledge

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A function is opaque if its body is not understood: it has none (assembly, linkname), it
// is a part of the runtime system or of package reflect, it is C, or it makes a system call.
// Whatever package it is in, it reads what it is handed, with everything that this leads to,
// on the caller's goroutine, while the call lasts, and writes it. That it keeps nothing is an
// assumption. A row of the table says that a function does less.

// row is what is known of one opaque function, and where in the sources of Go one sees it.
type row struct {
	effect   Effect
	evidence string
}

// byDefault is the effect of an opaque function without a row.
var byDefault = Effect{Reads: true, Writes: true, All: true, Default: true}

// opaqueEffect returns what an opaque function does.
func opaqueEffect(fn *ssa.Function) (Effect, bool) {
	path := PackagePath(fn)
	if path == "" || synchronising[path] {
		return Effect{}, false
	}
	if known, ok := rowOf(path, fn); ok {
		return known.effect, true
	}
	if !IsOpaque(fn) || !handsMemory(fn) || isCheckOfCgo(fn) {
		return Effect{}, false
	}
	return byDefault, true
}

// synchronising is the packages whose functions without body are told by tables of their own.
var synchronising = set("sync", "sync/atomic", "internal/sync", "internal/race", "internal/runtime/atomic")

// rowOf returns the row for a function, if there is one.
func rowOf(path string, fn *ssa.Function) (row, bool) {
	if known, ok := packageRows[path]; ok && len(fn.Blocks) == 0 {
		return known, true
	}
	if isReflection(path) {
		return reflectRow(fn)
	}
	if !rowPackages[path] {
		return row{}, false
	}
	known, ok := rows[Name(fn)]
	return known, ok
}

// rowPackages is the packages of the functions that there are rows for: names are costly.
var rowPackages = func() map[string]bool {
	all := map[string]bool{}
	for name := range rows {
		name = strings.TrimLeft(name, "(*")
		slash := strings.LastIndex(name, "/") + 1
		dot := strings.Index(name[slash:], ".")
		all[name[:slash+dot]] = true
	}
	return all
}()

// IsOpaque tells whether the body of fn is not understood.
func IsOpaque(fn *ssa.Function) bool {
	path := PackagePath(fn)
	return path != "" && (len(fn.Blocks) == 0 || IsOpaquePackage(path) || IsC(fn) || IsSystemCall(fn))
}

// IsOpaquePackage tells whether no function of the package is looked into: those of the
// runtime system, and reflection.
func IsOpaquePackage(path string) bool {
	switch path {
	case "runtime", "internal/cpu":
		return true
	}
	return isReflection(path) || strings.HasPrefix(path, "internal/runtime/") ||
		strings.HasPrefix(path, "runtime/internal/")
}

// IsC tells whether fn calls a function of C.
func IsC(fn *ssa.Function) bool { return strings.HasPrefix(fn.Name(), "_Cfunc_") }

// isCheckOfCgo tells whether fn is one of those that cgo puts before and after a call.
func isCheckOfCgo(fn *ssa.Function) bool {
	return strings.HasPrefix(fn.Name(), "_cgo") || strings.HasPrefix(fn.Name(), "_Cgo_")
}

// IsSystemCall tells whether fn hands numbers, which may be addresses, to the operating
// system: syscall.Syscall, RawSyscall6 and the like.
func IsSystemCall(fn *ssa.Function) bool {
	path := PackagePath(fn)
	if path != "syscall" && path != "internal/syscall/unix" && !strings.HasPrefix(path, "golang.org/x/sys/") {
		return false
	}
	name := strings.ToLower(fn.Name())
	return fn.Signature.Recv() == nil && (strings.Contains(name, "syscall") || strings.HasPrefix(name, "rawvfork"))
}

// handsMemory tells whether a parameter leads to memory, or may be an address.
func handsMemory(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool {
		return leadsToMemory(p.Type()) || isAddress(p.Type())
	})
}

// leadsToMemory tells whether values of the type have pointers in them that can be followed.
func leadsToMemory(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Struct:
		for f := range u.Fields() {
			if leadsToMemory(f.Type()) {
				return true
			}
		}
		return false
	case *types.Array:
		return leadsToMemory(u.Elem())
	case *types.Signature:
		return false
	}
	return true
}

// isAddress tells whether t is the type of numbers that have room for an address.
func isAddress(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Uintptr
}

// addresses returns the arguments, in place of numbers the pointers that they were made of in
// the same function.
func addresses(args []ssa.Value) []ssa.Value {
	if !slices.ContainsFunc(args, func(v ssa.Value) bool { return isAddress(v.Type()) }) {
		return args
	}
	var all []ssa.Value
	seen := map[ssa.Value]bool{}
	var follow func(v ssa.Value)
	follow = func(v ssa.Value) {
		if seen[v] {
			return
		}
		seen[v] = true
		if leadsToMemory(v.Type()) {
			all = append(all, v)
			return
		}
		switch v := v.(type) {
		case *ssa.Convert:
			follow(v.X)
		case *ssa.ChangeType:
			follow(v.X)
		case *ssa.BinOp:
			follow(v.X)
			follow(v.Y)
		case *ssa.Phi:
			for _, edge := range v.Edges {
				follow(edge)
			}
		}
	}
	for _, v := range args {
		if isAddress(v.Type()) {
			follow(v)
		} else {
			all = append(all, v)
		}
	}
	return all
}
