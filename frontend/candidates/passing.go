package candidates

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/query"
)

// Objects that go from hand to hand belong to who has them: messages, which are sent through
// channels, and what is put back into a pool after each use. That a lock happens to be held while
// they are used makes them no atomic set.

// passing is why objects of a type without a lock are no candidates; "" if they are.
func (f *finder) passing(o *owner) string {
	t := o.variants[0].Type
	if f.passed == nil {
		f.passed = passedAround(f.loaded)
	}
	why := f.passed[t.Obj()]
	if o.hasSync || why == "" || f.isKept(t) {
		return ""
	}
	return why
}

// passedAround returns the types of which objects are put into pools, or sent through channels.
func passedAround(loaded []*ssa.Package) map[*types.TypeName]string {
	all := map[*types.TypeName]string{}
	note := func(t types.Type, why string) {
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		if named := query.NamedStruct(t); named != nil && all[named.Obj()] == "" {
			all[named.Obj()] = why
		}
	}
	for _, pkg := range loaded {
		for _, fn := range query.FunctionsOf(pkg) {
			for _, b := range fn.Blocks {
				for _, instr := range b.Instrs {
					switch v := instr.(type) {
					case *ssa.Send:
						note(v.X.Type(), "its objects are sent through a channel, and kept nowhere")
					case *ssa.Select:
						for _, s := range v.States {
							if s.Send != nil {
								note(s.Send.Type(), "its objects are sent through a channel, and kept nowhere")
							}
						}
					case ssa.CallInstruction:
						if put := pooled(v); put != nil {
							note(put.Type(), "its objects are put into a pool after each use, and kept nowhere")
						}
					}
				}
			}
		}
	}
	return all
}

// pooled returns what a call puts into a pool, nil if it does not.
func pooled(call ssa.CallInstruction) ssa.Value {
	fn := call.Common().StaticCallee()
	if fn == nil || fn.Name() != "Put" || len(call.Common().Args) != 2 || fn.Signature.Recv() == nil ||
		!isPool(fn.Signature.Recv().Type()) {
		return nil
	}
	if made, ok := call.Common().Args[1].(*ssa.MakeInterface); ok {
		return made.X
	}
	return nil
}

// isPool tells whether the type is sync.Pool, or a pointer to it.
func isPool(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync" && named.Obj().Name() == "Pool"
}

// isKept tells whether an object of the type can be in a field of another type, or in a package
// variable, other than in a channel.
func (f *finder) isKept(t *types.Named) bool {
	isOf := func(v *types.Var) bool {
		of := v.Type()
		for {
			switch u := types.Unalias(of).(type) {
			case *types.Pointer:
				of = u.Elem()
				continue
			case *types.Slice:
				of = u.Elem()
				continue
			case *types.Array:
				of = u.Elem()
				continue
			case *types.Map:
				of = u.Elem()
				continue
			}
			named := query.NamedStruct(of)
			i, isInterface := of.Underlying().(*types.Interface)
			return named != nil && named.Obj() == t.Obj() ||
				isInterface && i.NumMethods() > 0 && types.Implements(types.NewPointer(t), i)
		}
	}
	for _, pkg := range f.loaded {
		for _, name := range pkg.Pkg.Scope().Names() {
			switch obj := pkg.Pkg.Scope().Lookup(name).(type) {
			case *types.Var:
				if isOf(obj) {
					return true
				}
			case *types.TypeName:
				if s, ok := obj.Type().Underlying().(*types.Struct); ok && slices.ContainsFunc(slices.Collect(s.Fields()), isOf) {
					return true
				}
			}
		}
	}
	return false
}
