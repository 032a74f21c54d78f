package fresh

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// escapesOf returns the instructions of the function at which the address of what
// root made gets out of its hands.
func (a *Analysis) escapesOf(root ssa.Value) []ssa.Instruction {
	if found, ok := a.escapes[root]; ok {
		return found
	}
	if a.busy[root] {
		return nil // its holder is held by itself; whoever asked first sees all
	}
	a.busy[root] = true
	e := &escape{analysis: a, seen: map[ssa.Value]bool{}}
	e.follow(root)
	delete(a.busy, root)
	if len(a.busy) == 0 {
		a.escapes[root] = e.found
	}
	return e.found
}

// escape follows the uses of an address.
type escape struct {
	analysis *Analysis
	seen     map[ssa.Value]bool
	found    []ssa.Instruction
}

// follow looks at every use of v, which leads to the memory.
func (e *escape) follow(v ssa.Value) {
	if e.seen[v] || v.Referrers() == nil {
		return
	}
	e.seen[v] = true
	for _, r := range *v.Referrers() {
		if next, ok := r.(ssa.Value); ok && isDerived(next, v) {
			e.follow(next)
			if call, isCall := r.(*ssa.Call); !isCall || len(call.Call.Args) < 2 || call.Call.Args[1] != v {
				continue
			}
		}
		switch r := r.(type) {
		case *ssa.Store:
			if r.Val == v {
				e.stored(r)
			}
		case *ssa.MapUpdate:
			if r.Key == v || r.Value == v {
				e.found = append(e.found, r)
			}
		case *ssa.UnOp:
			if r.Op != token.MUL {
				e.found = append(e.found, r)
			}
		case ssa.CallInstruction:
			if !e.isHarmless(r, v) {
				e.found = append(e.found, r)
			}
		case *ssa.DebugRef, *ssa.BinOp, *ssa.Lookup, *ssa.Range, *ssa.Next, *ssa.If, *ssa.Index, *ssa.Field, *ssa.Extract:
		default: // returned, captured, sent, converted, panicked with
			e.found = append(e.found, r.(ssa.Instruction))
		}
	}
}

// stored looks at a store of the address: in memory made in the same function it
// gets out when that memory does, or by what is loaded from there.
func (e *escape) stored(store *ssa.Store) {
	holder, _, ok := place(store.Addr)
	if !ok {
		if element, isElement := store.Addr.(*ssa.IndexAddr); isElement {
			holder, ok = element.X.(*ssa.Alloc) // the arguments of a variadic call
		}
	}
	if !ok {
		e.found = append(e.found, store)
		return
	}
	for _, x := range e.analysis.escapesOf(holder) {
		e.found = append(e.found, x)
	}
	for _, v := range derived(holder) {
		for _, r := range *v.Referrers() {
			if load, ok := r.(*ssa.UnOp); ok && load.Op == token.MUL {
				if HoldsPointers(load.Type()) {
					if _, isStruct := load.Type().Underlying().(*types.Struct); isStruct {
						e.found = append(e.found, load) // a copy of the pointer goes who knows where
					} else {
						e.follow(load)
					}
				}
			}
		}
	}
}

// isHarmless tells whether a call does not keep v, nor hands it on to anybody.
func (e *escape) isHarmless(call ssa.CallInstruction, v ssa.Value) bool {
	common := call.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append", "copy":
			// What is copied are the elements, whose pointers the other has then, too.
			slice, ok := common.Args[1].Type().Underlying().(*types.Slice)
			return common.Args[1] != v || ok && !HoldsPointers(slice.Elem()) || !ok
		case "panic", "recover":
			return false
		}
		return true
	}
	if _, isCall := call.(*ssa.Call); !isCall || common.Value == v {
		return false
	}
	callee := common.StaticCallee()
	if callee == nil {
		return false
	}
	if knowledge.IsOperation(callee) || onlyPrints(callee) {
		return true
	}
	if effect, ok := knowledge.Accesses(callee); ok {
		return effect.First && common.Args[0] == v && !slices.Contains(common.Args[1:], v)
	}
	for i, argument := range common.Args {
		if argument == v && (i >= len(callee.Params) || e.analysis.keeps(callee, i)) {
			return false
		}
	}
	return true
}

// onlyPrints tells whether the function formats its arguments and keeps none.
func onlyPrints(fn *ssa.Function) bool {
	if fn.Pkg == nil || fn.Signature.Recv() != nil {
		return false
	}
	for _, prefix := range []string{"Print", "Sprint", "Fprint", "Append"} {
		if strings.HasPrefix(fn.Name(), prefix) {
			return fn.Pkg.Pkg.Path() == "fmt" || fn.Pkg.Pkg.Path() == "log"
		}
	}
	return false
}

// isHandedBefore tells whether the address of the memory may have got to another
// function, or into other memory, before the load: then there may be stores to it
// that cannot be seen.
func isHandedBefore(holder *ssa.Alloc, load *ssa.UnOp) bool {
	for _, v := range derived(holder) {
		for _, r := range *v.Referrers() {
			handed := true
			switch r := r.(type) {
			case *ssa.Store:
				handed = r.Val == v
			case *ssa.Call:
				_, isBuiltin := r.Call.Value.(*ssa.Builtin)
				handed = !isBuiltin
			case *ssa.UnOp, *ssa.DebugRef, *ssa.BinOp, *ssa.MapUpdate, *ssa.Lookup, *ssa.Range:
				handed = false
			case ssa.Value:
				handed = !isDerived(r, v)
			}
			if handed && reaches(r, load, holder) {
				return true
			}
		}
	}
	return false
}
