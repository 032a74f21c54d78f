package candidates

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
)

// makerKey asks whether a function only helps to make objects of a type.
type makerKey struct {
	node *pointsto.Node
	name string
}

// subject returns the type as the stage before knows it.
func (f *finder) subject(t *types.Named) *query.Subject {
	for _, s := range f.types[t.Obj()].variants {
		if s.Type.Obj() == t.Obj() {
			return s
		}
	}
	return &query.Subject{Type: t}
}

type answer uint8

const (
	unasked answer = iota
	no
	yes
)

// isConstruction tells whether a use belongs to the making of the object: no other
// goroutine can reach it yet, and it is made in the same function or in one that called
// this as its helper. A package is made by its initialisers.
func (f *finder) isConstruction(n *pointsto.Node, u use) bool {
	if isInitializer(n.Func) {
		return true
	}
	switch {
	case u.global != nil:
		return false
	case f.isUnshared(n, u):
		return true
	case !f.fresh.Is(n, u.base, u.at):
		return false
	}
	if _, isParameter := placeOf(u.base).root.(*ssa.Parameter); isParameter {
		return f.onlyMakes(n, f.subject(u.owner))
	}
	// What a new object leads to may be older, and known.
	return f.isUnreached(n, u)
}

// isInitializer tells whether fn runs before main.
func isInitializer(fn *ssa.Function) bool {
	return fn.Synthetic == "package initializer" || fn.Pkg != nil && fn.Signature.Recv() == nil && isInitName(fn.Name())
}

// isInitName tells whether that is how an init function is called: init#1.
func isInitName(name string) bool { return len(name) > 5 && name[:5] == "init#" }

// onlyMakes tells whether the node is called only by constructors of the type, and by
// what they alone call.
func (f *finder) onlyMakes(n *pointsto.Node, s *query.Subject) bool {
	key := makerKey{n, nameOf(s.Type)}
	if known := f.makers[key]; known != unasked {
		return known == yes
	}
	f.makers[key] = yes // of a recursive call
	for _, e := range f.graph.Callers(n) {
		if !s.IsConstructor(e.Caller.Func) && !f.onlyMakes(e.Caller, s) {
			f.makers[key] = no
			return false
		}
	}
	if len(f.graph.Callers(n)) == 0 {
		f.makers[key] = no
	}
	return f.makers[key] == yes
}

// isOnNewObject tells whether a call is of a method, on an object of a type that is looked
// at which the caller is still making.
func (f *finder) isOnNewObject(e pointsto.Edge) bool {
	call, ok := e.Site.(*ssa.Call)
	if !ok || e.IsStart() || e.Callee.Func.Signature.Recv() == nil || len(call.Call.Args) == 0 ||
		!f.isOwn(e.Caller.Func) || call.Parent() != e.Caller.Func {
		return false
	}
	receiver := call.Call.Args[0]
	pointer, ok := receiver.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	named := query.NamedStruct(pointer.Elem())
	if named == nil || f.types[named.Obj()] == nil || !f.subject(named).IsConstructor(e.Caller.Func) {
		return false
	}
	u := use{at: call, base: receiver, owner: named}
	return f.isConstruction(e.Caller, u)
}

// isUnshared tells whether a use is in a constructor that has made the object and has not
// yet done anything by which another goroutine would get it: that it has, say, stored a
// method of the object as a callback makes nobody hold a lock.
func (f *finder) isUnshared(n *pointsto.Node, u use) bool {
	made, ok := placeOf(u.base).root.(*ssa.Alloc)
	if !ok || !f.subject(u.owner).IsConstructor(n.Func) ||
		query.NamedStruct(made.Type().Underlying().(*types.Pointer).Elem()) == nil {
		return false
	}
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			if f.isPublishing(n, instr, made) && comesBefore(instr, u.at) {
				return false
			}
		}
	}
	return true
}

// isPublishing tells whether an instruction starts a goroutine, or hands the object that
// was made to who knows whom: all but its own methods, and functions made of them.
func (f *finder) isPublishing(n *pointsto.Node, instr ssa.Instruction, made ssa.Value) bool {
	isMade := func(v ssa.Value) bool { return placeOf(v) == place{root: made} }
	switch v := instr.(type) {
	case *ssa.Go, *ssa.Send:
		return true
	case *ssa.Store:
		_, isLocal := placeOf(v.Addr).root.(*ssa.Alloc)
		return isMade(v.Val) && !isLocal
	case *ssa.MapUpdate:
		return isMade(v.Value) || isMade(v.Key)
	case *ssa.Call:
		for i, arg := range v.Call.Args {
			isReceiver := i == 0 && v.Call.StaticCallee() != nil && v.Call.StaticCallee().Signature.Recv() != nil
			if isMade(arg) && !isReceiver {
				return true
			}
		}
		return len(f.graph.Starts(n, v)) > 0
	}
	return false
}

// comesBefore tells whether control can come from an instruction to another one.
func comesBefore(from, to ssa.Instruction) bool {
	if from.Block() == to.Block() {
		for _, instr := range from.Block().Instrs {
			switch instr {
			case from:
				return true
			case to:
				return false
			}
		}
	}
	seen := map[*ssa.BasicBlock]bool{}
	work := []*ssa.BasicBlock{from.Block()}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		for _, succ := range b.Succs {
			if succ == to.Block() {
				return true
			}
			if !seen[succ] {
				seen[succ] = true
				work = append(work, succ)
			}
		}
	}
	return false
}
