package harness

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
)

// What a function that a client hands over does to the object belongs to the unit of work that
// calls it. So the functions of clients call whatever clients can call, while the library calls
// them. Where nothing that a method has read before it calls such a function is used after it,
// besides what it lends to it, the two have nothing to do with each other: what the function does
// then is a unit of its own, which clients do anyway. That is said.

// callBacks finds the calls of functions that clients have handed over.
type callBacks struct {
	*libraryCalls
	sites map[*types.Signature][]ssa.CallInstruction // by what is called
	used  map[ssa.CallInstruction]bool               // answers of isUsedAfter
}

// libraryCalls are the calls in functions of the library. They stay as they are.
type libraryCalls struct {
	callers  map[*ssa.Function][]ssa.CallInstruction // where functions are called by name
	handing  []handing
	own      map[*ssa.Package]bool
	packages map[*types.Package]bool // the same
}

// handing is a call that may run functions that were handed over: of a value that is no function of the library, or
// of a function elsewhere that gets one.
type handing struct {
	call   ssa.CallInstruction
	handed []*types.Signature
}

func newCallBacks(p *load.Program, packages []*types.Package) *callBacks {
	calls := load.Keep(p, keyOf[libraryCalls](packages), func() *libraryCalls { return newLibraryCalls(p.SSA, packages) })
	return &callBacks{libraryCalls: calls, sites: map[*types.Signature][]ssa.CallInstruction{},
		used: map[ssa.CallInstruction]bool{}}
}

func newLibraryCalls(program *ssa.Program, packages []*types.Package) *libraryCalls {
	c := &libraryCalls{callers: map[*ssa.Function][]ssa.CallInstruction{}, own: map[*ssa.Package]bool{},
		packages: map[*types.Package]bool{}}
	var functions []*ssa.Function // of the library
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if fn == nil {
			return
		}
		functions = append(functions, fn)
		for _, inner := range fn.AnonFuncs {
			add(inner)
		}
	}
	for _, pkg := range packages {
		c.own[program.Package(pkg)], c.packages[pkg] = true, true
		for _, fn := range functionsOf(pkg) {
			add(program.FuncValue(fn))
		}
	}
	for _, fn := range functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(ssa.CallInstruction)
				if !ok {
					continue
				}
				if _, isCall := instr.(*ssa.Call); isCall {
					if callee := originOf(call.Common().StaticCallee()); callee != nil {
						c.callers[callee] = append(c.callers[callee], call)
					}
				}
				if handed := c.handedBy(call); len(handed) > 0 {
					c.handing = append(c.handing, handing{call, handed})
				}
			}
		}
	}
	return c
}

// originOf returns the generic function of an instance, else the function.
func originOf(fn *ssa.Function) *ssa.Function {
	if fn != nil && fn.Origin() != nil {
		return fn.Origin()
	}
	return fn
}

// handedBy returns the signatures of functions that a call may run that were handed over.
func (c *libraryCalls) handedBy(call ssa.CallInstruction) (handed []*types.Signature) {
	if _, isGo := call.(*ssa.Go); isGo || call.Common().IsInvoke() {
		return nil
	}
	add := func(v ssa.Value) {
		switch v.(type) {
		case *ssa.Function, *ssa.MakeClosure, *ssa.Builtin, *ssa.Const:
			return
		}
		if f, ok := v.Type().Underlying().(*types.Signature); ok {
			handed = append(handed, f)
		}
	}
	add(call.Common().Value)
	if callee := originOf(call.Common().StaticCallee()); callee != nil && !c.own[callee.Pkg] && callee.Parent() == nil {
		for _, arg := range call.Common().Args {
			add(arg)
		}
	}
	return handed
}

// sitesOf returns the calls that may run a function with the signature that a client has handed over.
func (c *callBacks) sitesOf(s *types.Signature) []ssa.CallInstruction {
	if known, ok := c.sites[s]; ok {
		return known
	}
	var all []ssa.CallInstruction
	for _, h := range c.handing {
		if slices.ContainsFunc(h.handed, func(f *types.Signature) bool { return isAlike(f, s) }) {
			all = append(all, h.call)
		}
	}
	c.sites[s] = all
	return all
}

// isAlike tells whether a function of the library may be called with one of a client: the types are
// the same, but for parameters of generic types.
func isAlike(inside, handed *types.Signature) bool {
	same := func(a, b *types.Tuple) bool {
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !types.Identical(a.At(i).Type(), b.At(i).Type()) && !hasTypeParameter(a.At(i).Type(), 0) {
				return false
			}
		}
		return true
	}
	return same(inside.Params(), handed.Params()) && same(inside.Results(), handed.Results())
}

// hasTypeParameter tells whether a type is, or is made of, a type parameter.
func hasTypeParameter(t types.Type, depth int) bool {
	const deepest = 4
	if depth > deepest {
		return true
	}
	switch u := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		for arg := range u.TypeArgs().Types() {
			if hasTypeParameter(arg, depth+1) {
				return true
			}
		}
	case *types.Map:
		return hasTypeParameter(u.Key(), depth+1) || hasTypeParameter(u.Elem(), depth+1)
	case interface{ Elem() types.Type }:
		return hasTypeParameter(u.Elem(), depth+1)
	}
	return false
}

// bond is how what a function does that is called back belongs to what calls it.
type bond int

const (
	notCalled bond = iota
	locked         // it is called with a lock held: what takes that lock there waits for ever
	apart          // it is called where nothing that was read before is used after
	oneUnit        // what is read before is used after
)

// bondOf returns the closest bond of functions with the signature, and the functions of the library
// that it is about.
func (c *callBacks) bondOf(s *types.Signature) (closest bond, in []string) {
	for _, site := range c.sitesOf(s) {
		b := apart
		switch {
		case isUnderLock(site):
			b = locked
		case c.goesOn(site, map[ssa.CallInstruction]bool{}):
			b = oneUnit
		}
		if b > closest {
			closest, in = b, nil
		}
		if fn := knowledge.Outermost(site.Parent()); b == closest && fn.Pkg != nil {
			in = append(in, fn.RelString(fn.Pkg.Pkg))
		}
	}
	return closest, in
}

// goesOn tells whether what was read before a call is used after it, in the function or in those
// that call it. A function literal that is returned is called by clients.
func (c *callBacks) goesOn(site ssa.CallInstruction, seen map[ssa.CallInstruction]bool) bool {
	if seen[site] {
		return false
	}
	seen[site] = true
	if _, isCall := site.(*ssa.Call); isCall && c.isUsedAfter(site) {
		return true
	}
	fn := site.Parent()
	if fn.Parent() != nil {
		return !isReturned(fn)
	}
	return slices.ContainsFunc(c.callers[fn], func(caller ssa.CallInstruction) bool {
		return !isUnderLock(caller) && c.goesOn(caller, seen)
	})
}

// isReturned tells whether the function around a function literal returns it.
func isReturned(literal *ssa.Function) bool {
	for _, b := range literal.Parent().Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for _, v := range ret.Results {
			if changed, ok := v.(*ssa.ChangeType); ok {
				v = changed.X
			}
			if made, ok := v.(*ssa.MakeClosure); v == ssa.Value(literal) || ok && made.Fn == ssa.Value(literal) {
				return true
			}
		}
	}
	return false
}

// isUnderLock tells whether a lock is held at a call: on all paths to it, what was done last to a lock
// in the function is to take it.
func isUnderLock(site ssa.CallInstruction) bool {
	blocks := site.Parent().Blocks
	at := make([]bool, len(blocks)) // held at the end of each block
	for i := range at {
		at[i] = true
	}
	held := func(b *ssa.BasicBlock, to int) bool {
		is := len(b.Preds) > 0 && !slices.ContainsFunc(b.Preds, func(p *ssa.BasicBlock) bool { return !at[p.Index] })
		for _, instr := range b.Instrs[:to] {
			if call, ok := instr.(*ssa.Call); ok && isOfPackage(call.Call.StaticCallee(), "sync") {
				switch call.Call.StaticCallee().Name() {
				case "Lock", "RLock":
					is = true
				case "Unlock", "RUnlock":
					is = false
				}
			}
		}
		return is
	}
	for changed := true; changed; {
		changed = false
		for _, b := range blocks {
			if now := held(b, len(b.Instrs)); now != at[b.Index] {
				at[b.Index], changed = now, true
			}
		}
	}
	return held(site.Block(), indexOf(site))
}

// isOfPackage tells whether a function is declared in a package, or is a method promoted from there.
func isOfPackage(fn *ssa.Function, path string) bool {
	return fn != nil && fn.Object() != nil && fn.Object().Pkg() != nil && fn.Object().Pkg().Path() == path
}

func indexOf(instr ssa.Instruction) int { return slices.Index(instr.Block().Instrs, instr) }

// isUsedAfter tells whether a value that was read before the call is used after it; not what the
// call is handed, nor what only locks are reached by.
func (c *callBacks) isUsedAfter(site ssa.CallInstruction) (isUsed bool) {
	if known, ok := c.used[site]; ok {
		return known
	}
	defer func() { c.used[site] = isUsed }()
	before := reachable(site.Block().Preds, func(b *ssa.BasicBlock) []*ssa.BasicBlock { return b.Preds })
	isBefore := func(instr ssa.Instruction) bool {
		return before[instr.Block()] || instr.Block() == site.Block() && indexOf(instr) < indexOf(site)
	}
	for _, b := range site.Parent().Blocks {
		for _, instr := range b.Instrs {
			v, ok := instr.(ssa.Value)
			if !ok || instr == ssa.Instruction(site) || !isBefore(instr) || site.Common().Value == v ||
				slices.Contains(site.Common().Args, v) || v.Referrers() == nil || !c.isRead(v, map[ssa.Value]bool{}) {
				continue
			}
			after := reachable(without(site.Block().Succs, b), func(x *ssa.BasicBlock) []*ssa.BasicBlock {
				return without(x.Succs, b) // there, it is read anew
			})
			isAfter := func(instr ssa.Instruction) bool {
				return after[instr.Block()] || instr.Block() == site.Block() && indexOf(instr) > indexOf(site)
			}
			if !onlySteers(v, site, isAfter, map[ssa.Value]bool{}) {
				return true
			}
		}
	}
	return false
}

// without returns the blocks but one.
func without(blocks []*ssa.BasicBlock, b *ssa.BasicBlock) []*ssa.BasicBlock {
	return slices.DeleteFunc(slices.Clone(blocks), func(x *ssa.BasicBlock) bool { return x == b })
}

// isRead tells whether a value was read in an object, or comes from what was, or from a function of
// the library.
func (c *callBacks) isRead(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	var from []ssa.Value
	switch v := v.(type) {
	case *ssa.UnOp:
		if address, ok := v.X.(*ssa.FieldAddr); ok {
			of := namedOf(address.X.Type())
			return !isFromSync(v.Type()) && (of == nil || of.Obj().Pkg() == nil || c.packages[of.Obj().Pkg()])
		}
		from = []ssa.Value{v.X}
	case *ssa.Call:
		callee := originOf(v.Call.StaticCallee())
		return callee != nil && c.own[callee.Pkg] && v.Call.Signature().Results().Len() > 0
	case *ssa.IndexAddr:
		from = []ssa.Value{v.X}
	case *ssa.Index:
		from = []ssa.Value{v.X}
	case *ssa.Lookup:
		from = []ssa.Value{v.X}
	case *ssa.Range:
		from = []ssa.Value{v.X}
	case *ssa.Next:
		from = []ssa.Value{v.Iter}
	case *ssa.Extract:
		from = []ssa.Value{v.Tuple}
	case *ssa.Slice:
		from = []ssa.Value{v.X}
	case *ssa.Convert:
		from = []ssa.Value{v.X}
	case *ssa.ChangeType:
		from = []ssa.Value{v.X}
	case *ssa.BinOp:
		from = []ssa.Value{v.X, v.Y}
	case *ssa.Phi:
		from = v.Edges
	}
	return slices.ContainsFunc(from, func(x ssa.Value) bool { return c.isRead(x, seen) })
}

// onlySteers tells whether what is done with a value after a call is only to lock, or to come to
// the next round of a loop that makes the call, and to what is handed over there.
func onlySteers(v ssa.Value, site ssa.CallInstruction, isAfter func(ssa.Instruction) bool,
	seen map[ssa.Value]bool) bool {
	if seen[v] || v.Referrers() == nil {
		return true
	}
	seen[v] = true
	loop := cycleOf(site.Block())
	for _, r := range *v.Referrers() {
		if !isAfter(r) || r == ssa.Instruction(site) {
			continue
		}
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.RunDefers:
		case *ssa.If:
			if !loop[r.Block()] || !slices.ContainsFunc(r.Block().Succs, func(s *ssa.BasicBlock) bool { return !loop[s] }) {
				return false
			}
		case *ssa.FieldAddr:
			if !isFromSync(r.Type()) && !onlySteers(r, site, isAfter, seen) {
				return false
			}
		case *ssa.Next, *ssa.Extract, *ssa.IndexAddr, *ssa.UnOp, *ssa.Phi, *ssa.BinOp, *ssa.Index, *ssa.Lookup, *ssa.Range:
			if !loop[r.Block()] || !onlySteers(r.(ssa.Value), site, isAfter, seen) {
				return false
			}
		case ssa.CallInstruction:
			_, isBuiltin := r.Common().Value.(*ssa.Builtin)
			if !isOfPackage(r.Common().StaticCallee(), "sync") && !(isBuiltin && loop[r.Block()]) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
