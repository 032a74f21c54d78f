package fresh

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// escapesOf returns the instructions of the function at which the address of what a root
// made gets out of its hands, or that of what it holds.
func (a *Analysis) escapesOf(o origin, root ssa.Value) []ssa.Instruction {
	return a.findEscapes(escapesKey{root, o.deep[root]})
}

// escapesKey asks where the address of what root made gets out of the function's
// hands; with contents, or an address that is stored there.
type escapesKey struct {
	root     ssa.Value
	contents bool
}

// findEscapes answers. What an answer depends on may depend on it in turn, where memory holds what holds it: then all
// these are looked at again, each once a round, until nothing more is found of any of them (chaotic iteration).
func (a *Analysis) findEscapes(key escapesKey) []ssa.Instruction {
	if a.rounds != nil {
		return a.rounds.of(a, key)
	}
	if found, ok := a.escapes[key]; ok {
		return found
	}
	r := &rounds{partial: map[escapesKey]*escape{}}
	a.rounds = r
	for r.grows = true; r.grows; {
		r.grows, r.number = false, r.number+1
		r.of(a, key)
	}
	a.rounds = nil
	for key, e := range r.partial {
		if e.round == r.number { // else nothing depends on it any more
			a.escapes[key] = e.found
		}
	}
	return a.escapes[key]
}

// makesApart is makes, which is answered for good: not by what is known so far.
func (a *Analysis) makesApart(v ssa.Value) bool {
	rounds := a.rounds
	defer func() { a.rounds = rounds }()
	a.rounds = nil
	return a.makes(v)
}

// rounds is a question that is being answered, with those that it leads to.
type rounds struct {
	partial map[escapesKey]*escape // what is known so far
	number  int                    // of this round, from 1
	grows   bool                   // something new was found in this round, or is asked
}

// of returns what is known of a question so far, after one look in this round.
func (r *rounds) of(a *Analysis, key escapesKey) []ssa.Instruction {
	if found, ok := a.escapes[key]; ok {
		return found
	}
	e := r.partial[key]
	if e == nil {
		e = &escape{analysis: a, root: key.root, contents: key.contents, isFound: map[ssa.Instruction]bool{}}
		r.partial[key] = e
	}
	if e.round < r.number {
		e.round, e.seen = r.number, map[ssa.Value]bool{}
		before := len(e.found)
		e.follow(key.root)
		r.grows = r.grows || len(e.found) > before
	}
	return e.found
}

// escape follows the uses of an address.
type escape struct {
	analysis *Analysis
	root     ssa.Value
	contents bool // and of the addresses that are loaded from the memory
	seen     map[ssa.Value]bool
	found    []ssa.Instruction // each once
	isFound  map[ssa.Instruction]bool
	round    int // the last one in which this was looked at
}

// add notes that the address gets out at instructions.
func (e *escape) add(some ...ssa.Instruction) {
	for _, x := range some {
		if !e.isFound[x] {
			e.isFound[x] = true
			e.found = append(e.found, x)
		}
	}
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
				e.add(r)
			}
		case *ssa.UnOp:
			if r.Op != token.MUL {
				e.add(r)
			} else if e.contents {
				e.loaded(r)
			}
		case ssa.CallInstruction:
			if back := e.handedBack(r, v); back != nil {
				e.follow(back)
			} else if !e.isHarmless(r, v) {
				e.add(r)
				continue
			}
			if e.isMadeRing(r, v) {
				e.holdsItself()
			}
		case *ssa.Lookup:
			if e.contents {
				e.loaded(r)
			}
		case *ssa.Range:
			if e.contents {
				e.add(r)
			}
		case *ssa.Index, *ssa.Field: // of a struct or array that holds the address
			if HoldsPointers(r.(ssa.Value).Type()) {
				e.follow(r.(ssa.Value))
			}
		case *ssa.DebugRef, *ssa.BinOp, *ssa.Next, *ssa.If, *ssa.Extract:
		default: // returned, captured, sent, converted, panicked with
			e.add(r)
		}
	}
}

// stored looks at a store of the address: in memory made in the same function it
// gets out when that memory does, at once if that has got out before, or by what is loaded
// from there. In its own memory, as in a ring, it gets out by what is loaded from there.
func (e *escape) stored(store *ssa.Store) {
	if ssaflow.BaseOf(store.Addr) == e.root {
		e.holdsItself()
		return
	}
	var holder ssa.Value
	if made, ok := placeOrElement(store.Addr); ok {
		holder = made
	} else if made, _, ok := madePlace(store.Addr); ok && e.analysis.makesApart(made) {
		holder = made
	} else {
		e.add(store)
		return
	}
	out := e.analysis.findEscapes(escapesKey{holder, true})
	e.add(out...)
	if isReached(store, out, ssaflow.MadeBy(holder)) {
		e.add(store)
	}
}

// holdsItself notes that the memory holds its own address: it gets out by what is loaded from there, too.
func (e *escape) holdsItself() {
	if rounds := e.analysis.rounds; !e.analysis.rings[e.root] {
		e.analysis.rings[e.root], rounds.grows = true, true
	}
	if !e.contents {
		e.add(e.analysis.findEscapes(escapesKey{e.root, true})...)
	}
}

// isMadeRing tells whether a function that is called may store the address v in the memory that it is of.
func (e *escape) isMadeRing(call ssa.CallInstruction, v ssa.Value) bool {
	args := call.Common().Args
	if call.Common().IsInvoke() {
		args = append([]ssa.Value{call.Common().Value}, args...)
	}
	return slices.ContainsFunc(e.analysis.graph.CalleeFunctions(call), func(callee *ssa.Function) bool {
		for i, argument := range args {
			if argument == v && i < len(callee.Params) && e.analysis.rings[callee.Params[i]] {
				return true
			}
		}
		return false
	})
}

// loaded looks at a value loaded from memory that holds the address: it may be that.
func (e *escape) loaded(load ssa.Value) {
	if !HoldsPointers(load.Type()) {
		return
	}
	if _, isTuple := load.Type().(*types.Tuple); isTuple {
		e.add(load.(ssa.Instruction))
		return
	}
	e.follow(load) // in a struct or array there is a copy of the pointer
}

// handedBack returns the result of a call that does nothing with v but return it, as a method that returns its
// receiver; nil if it is no such call.
func (e *escape) handedBack(call ssa.CallInstruction, v ssa.Value) ssa.Value {
	result, ok := call.(*ssa.Call)
	if !ok {
		return nil
	}
	i := handsBack(result)
	if i < 0 || result.Call.Args[i] != v || slices.Contains(result.Call.Args[i+1:], v) {
		return nil
	}
	for _, x := range e.analysis.findEscapes(escapesKey{result.Call.StaticCallee().Params[i], e.contents}) {
		if _, isReturn := x.(*ssa.Return); !isReturn {
			return nil
		}
	}
	return result
}

// handsBack returns which argument a call returns, and nothing else; -1 if it is none.
func handsBack(call *ssa.Call) int {
	fn := call.Call.StaticCallee()
	if fn == nil || len(fn.Blocks) == 0 || fn.Signature.Results().Len() != 1 || len(fn.Params) != len(call.Call.Args) {
		return -1
	}
	found := -1
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		p, ok := ret.Results[0].(*ssa.Parameter)
		i := slices.Index(fn.Params, p)
		if !ok || found >= 0 && found != i {
			return -1
		}
		found = i
	}
	return found
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
	if _, isStart := call.(*ssa.Go); isStart || common.Value == v {
		return false
	}
	args := common.Args
	if common.IsInvoke() {
		args = append([]ssa.Value{common.Value}, args...)
	}
	callees := e.analysis.graph.CalleeFunctions(call) // as of one of a list of options
	return len(callees) > 0 && len(callees) <= maxCallees &&
		!slices.ContainsFunc(callees, func(callee *ssa.Function) bool { return !e.isForgottenBy(callee, args, v) })
}

// maxCallees bounds the functions of a call that are looked at.
const maxCallees = 32

// isForgottenBy tells whether a function keeps nothing of v, which it is handed as an argument.
func (e *escape) isForgottenBy(callee *ssa.Function, args []ssa.Value, v ssa.Value) bool {
	if knowledge.IsOperation(callee) || knowledge.Forgets(callee) {
		return true
	}
	if effect, ok := knowledge.Accesses(callee); ok {
		return effect.First && args[0] == v && !slices.Contains(args[1:], v)
	}
	for i, argument := range args {
		if argument == v && e.analysis.keeps(callee, i, e.contents) {
			return false
		}
	}
	return true
}

// isHandedBefore tells whether the address of the memory may have got to another
// function, or into other memory, before the load: then there may be stores to it
// that cannot be seen.
func isHandedBefore(holder ssa.Value, load ssa.Instruction) bool {
	made := holder.(ssa.Instruction)
	for _, v := range derived(holder) {
		for _, r := range *v.Referrers() {
			handed := true
			switch r := r.(type) {
			case *ssa.Store:
				if variable := variableSet(r, v); variable == nil {
					handed = r.Val == v
				} else if handed = false; isCapturedBefore(variable, load, made) {
					return true
				}
			case *ssa.Call:
				_, isBuiltin := r.Call.Value.(*ssa.Builtin)
				handed = !isBuiltin && !storesNoPointers(r, v)
			case *ssa.UnOp, *ssa.DebugRef, *ssa.BinOp, *ssa.MapUpdate, *ssa.Lookup, *ssa.Range:
				handed = false
			case ssa.Value:
				handed = !isDerived(r, v)
			}
			if handed && reaches(r, load, made) {
				return true
			}
		}
	}
	return false
}

// storesNoPointers tells whether the function that is called stores no pointers through an
// address that it is handed, and does nothing else with that but read fields, as one that sets
// counters to zero.
func storesNoPointers(call *ssa.Call, address ssa.Value) bool {
	callee := call.Call.StaticCallee()
	if callee == nil || len(callee.Blocks) == 0 || call.Call.IsInvoke() {
		return false
	}
	for i, arg := range call.Call.Args {
		if arg == address && !isStoredToOnly(callee.Params[i]) {
			return false
		}
	}
	return true
}

// isStoredToOnly tells whether an address, and those of the fields there, are used for nothing
// but to load, and to store what holds no pointers.
func isStoredToOnly(address ssa.Value) bool {
	for _, r := range *address.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.Store:
			if r.Val == address || HoldsPointers(r.Val.Type()) {
				return false
			}
		case *ssa.FieldAddr:
			if !isStoredToOnly(r) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
