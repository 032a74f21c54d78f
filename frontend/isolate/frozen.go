package isolate

import (
	"context"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// A field is frozen if nothing but the code that allocates an object writes it, before anything
// else is done with the object: whoever reads it later finds one value, always the same for
// one object. So branches on it go the same way each time.

// Frozen says which fields of some objects are frozen.
type Frozen struct {
	graph   *pointsto.Result
	written map[*pointsto.Object][]string // paths that are written in other ways
}

// FindFrozen looks at everything that writes the objects. Linear in the functions that have one
// of them at hand.
func FindFrozen(ctx context.Context, graph *pointsto.Result, objects ...*pointsto.Object) *Frozen {
	return findWritten(ctx, graph, objects, isInitialising)[0]
}

// findSettled is FindFrozen, and the same for booleans that only ever become true, once the object
// is made.
func findSettled(ctx context.Context, graph *pointsto.Result, objects []*pointsto.Object) (frozen, growing *Frozen) {
	all := findWritten(ctx, graph, objects, isInitialising, func(store *ssa.Store) bool {
		k, ok := store.Val.(*ssa.Const)
		return ok && k.Value != nil && k.Value.Kind() == constant.Bool && constant.BoolVal(k.Value) || isInitialising(store)
	})
	return all[0], all[1]
}

// findWritten returns, for each way to accept stores, the fields that are written by no others.
func findWritten(ctx context.Context, graph *pointsto.Result, objects []*pointsto.Object,
	ways ...func(*ssa.Store) bool) (all []*Frozen) {
	writes := fresh.New(ctx, graph)
	writes.Watch(objects...)
	for _, written := range writes.WrittenOtherwise(ways...) {
		all = append(all, &Frozen{graph, written})
	}
	return all
}

// isInitialising tells whether the store fills an object that was allocated just before, once.
func isInitialising(store *ssa.Store) bool {
	made, _ := allocOfField(store.Addr)
	return made != nil && made.Heap && isFilledOnce(made, store) && !isUsedBefore(made, store)
}

// Is tells whether the field is frozen.
func (f *Frozen) Is(c pointsto.Cell) bool {
	return !pointsto.OverlapsAny(f.written[c.Object], c.Path)
}

// maxPassed bounds how many calls up a constant is followed.
const maxPassed = 4

// Bool returns the value of a frozen boolean, if it is known and the same for all objects
// that the cell's may be.
func (f *Frozen) Bool(c pointsto.Cell) (value, known bool) {
	made, ok := c.Object.Site.(*ssa.Alloc)
	if !ok {
		return false, false
	}
	store, of, ok := onlyFill(made, c.Path)
	if !ok {
		return false, false
	}
	if store == nil {
		return false, true
	}
	for _, n := range f.graph.NodesOf(made.Parent()) {
		if f.graph.ObjectAt(n, made) != c.Object {
			continue
		}
		v, ok := f.constant(n, store.Val, strings.TrimPrefix(strings.TrimPrefix(c.Path, of), "."), 0)
		if !ok || known && v != value {
			return false, false
		}
		value, known = v, true
	}
	return value, known
}

// onlyStore returns the one store to a field where the object is allocated, which is executed
// whenever that is; nil if there is none. ok is false if there are several.
func onlyStore(made *ssa.Alloc, path string) (only *ssa.Store, ok bool) {
	only, at, ok := onlyFill(made, path)
	return only, ok && (only == nil || at == path)
}

// onlyFill is onlyStore for a store to the field, or to all that it is part of, at a path.
func onlyFill(made *ssa.Alloc, path string) (only *ssa.Store, of string, ok bool) {
	for _, b := range made.Parent().Blocks {
		for _, instr := range b.Instrs {
			store, isStore := instr.(*ssa.Store)
			if !isStore {
				continue
			}
			filled, at := allocOfField(store.Addr)
			if filled != made || !pointsto.Overlaps(path, at) {
				continue
			}
			if only != nil || !pointsto.IsWithin(path, at) || store.Block() != made.Block() {
				return nil, "", false
			}
			only, of = store, at
		}
	}
	return only, of, true
}

// constant returns what a value, or a boolean at a path in it, is if it is a constant, here or
// in every caller.
func (f *Frozen) constant(n *pointsto.Node, v ssa.Value, path string, depth int) (value, known bool) {
	switch v := v.(type) {
	case *ssa.Const:
		return v.Value != nil && constant.BoolVal(v.Value), true
	case *ssa.Field:
		field := v.X.Type().Underlying().(*types.Struct).Field(v.Field).Name()
		return f.constant(n, v.X, pointsto.JoinPath(field, path), depth)
	case *ssa.UnOp:
		if variable, at := allocOfField(v.X); variable != nil && v.Op == token.MUL && isFilledOnly(variable) {
			path = pointsto.JoinPath(at, path)
			store, of, ok := onlyFill(variable, path)
			if ok && store == nil {
				return false, true
			}
			if ok && ssaflow.Precedes(store, v) {
				return f.constant(n, store.Val, strings.TrimPrefix(strings.TrimPrefix(path, of), "."), depth)
			}
		}
	case *ssa.Parameter:
		return f.passed(n, v, path, depth)
	}
	return false, false
}

// passed is constant for a parameter.
func (f *Frozen) passed(n *pointsto.Node, p *ssa.Parameter, path string, depth int) (value, known bool) {
	i := slices.Index(n.Func.Params, p)
	for _, e := range f.graph.Callers(n) {
		common := e.Site.Common()
		if e.IsStart() || common.IsInvoke() || common.StaticCallee() != n.Func || depth == maxPassed {
			return false, false
		}
		passed, ok := f.constant(e.Caller, common.Args[i], path, depth+1)
		if !ok || known && passed != value {
			return false, false
		}
		value, known = passed, true
	}
	return value, known
}

// isFilledOnly tells whether the variable, or its fields, are only loaded and stored to.
func isFilledOnly(address ssa.Value) bool {
	return !slices.ContainsFunc(*address.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
			return false
		case *ssa.Store:
			return r.Val == address
		case *ssa.FieldAddr:
			return !isFilledOnly(r)
		}
		return true
	})
}

// IsOnlyStore tells whether the store fills a field of an object that is allocated there, and no
// other store there does.
func IsOnlyStore(store *ssa.Store) bool {
	made, path := allocOfField(store.Addr)
	if made == nil {
		return false
	}
	only, ok := onlyStore(made, path)
	return ok && only == store
}
