package blocking

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// callsBack is the packages of the standard library whose functions are followed where they are handed what
// synchronises: they are small, and call it on the goroutine that calls them.
var callsBack = map[string]bool{"io": true, "sort": true, "slices": true, "maps": true, "strings": true, "bytes": true,
	"iter": true, "errors": true, "bufio": true}

// packageOf returns the path of the package that a function is of, "" if it is of none.
func packageOf(fn *ssa.Function) string {
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	if fn.Pkg == nil {
		return ""
	}
	return fn.Pkg.Pkg.Path()
}

// handsOver tells whether a call hands over a function, or something with methods, that synchronise.
func (l *lowerer) handsOver(s *state, c callee) bool {
	seen := map[*object]bool{}
	var queue []*object
	is := false
	var look func(v value)
	look = func(v value) {
		switch v := v.(type) {
		case closure:
			is = is || l.c.IsFollowed(v.fn) && l.synchronises(v.fn, nil)
		case native:
			is = true
		case boxed:
			is = is || l.hasSynchronising(v.dynamic)
			look(v.value)
		case several:
			for _, w := range v {
				look(w)
			}
		case pointer:
			if !seen[v.to] {
				seen[v.to] = true
				queue = append(queue, v.to)
			}
		case slice:
			look(v.pointer)
		}
	}
	for _, v := range c.args {
		look(v)
	}
	for ; len(queue) > 0 && !is; queue = queue[1:] {
		for at, v := range s.store {
			if at.of == queue[0] {
				look(v)
			}
		}
	}
	return is
}

// recovers tells whether a function calls recover, so that a panic does not end the program.
func recovers(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok {
				if builtin, ok := call.Call.Value.(*ssa.Builtin); ok && builtin.Name() == "recover" {
					return true
				}
			}
		}
	}
	return false
}

// hasSynchronising tells whether a type has a method that synchronises.
func (l *lowerer) hasSynchronising(t types.Type) bool {
	is, known := l.synchronising[t]
	if known {
		return is
	}
	set := l.prog.MethodSets.MethodSet(t)
	for i := range set.Len() {
		fn := l.prog.MethodValue(set.At(i))
		is = is || fn != nil && (l.c.IsFollowed(fn) || isWrapper(fn)) && l.synchronises(fn, nil)
	}
	l.synchronising[t] = is
	return is
}
