package isolate

import (
	"context"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// Whether a lock is taken, or how, may be said by an object other than a star: a transaction
// knows whether it may write, and its end releases what its beginning has taken. Such an
// object says it by a frozen field; who has it at hand from where it was made knows what the
// field holds.

// Flag is a frozen boolean field of the objects of a site.
type Flag struct {
	Path  string
	Store *ssa.Store // the one that fills it, where the object is allocated; nil if it stays false
	Grows bool       // it is not frozen, but only ever becomes true
}

// MaxFlags bounds the flags of one object.
const MaxFlags = 3

// FindFlags returns the flags of objects, which are neither stars nor what those lead to, that
// decide branches in the functions that operate on locks. Linear in those functions.
func (i *Isolation) FindFlags(ctx context.Context) map[*pointsto.Object][]Flag {
	candidates := map[*pointsto.Object][]string{}
	var objects []*pointsto.Object
	for _, n := range i.operateOnLocks() {
		for _, c := range i.steeredBy(n) {
			if candidates[c.Object] == nil {
				objects = append(objects, c.Object)
			}
			if !slices.Contains(candidates[c.Object], c.Path) {
				candidates[c.Object] = append(candidates[c.Object], c.Path)
			}
		}
	}
	flags := map[*pointsto.Object][]Flag{}
	if len(objects) == 0 {
		return flags
	}
	frozen, growing := FindFrozen(ctx, i.graph, objects...), findGrowing(ctx, i.graph, objects...)
	for _, o := range objects {
		for _, path := range candidates[o] {
			cell := pointsto.Cell{Object: o, Path: path}
			store, ok := onlyStore(o.Site.(*ssa.Alloc), path)
			switch {
			case len(flags[o]) == MaxFlags:
			case ok && frozen.Is(cell):
				flags[o] = append(flags[o], Flag{Path: path, Store: store})
			case growing.Is(cell):
				flags[o] = append(flags[o], Flag{Path: path, Grows: true})
			}
		}
	}
	return flags
}

// steeredThrough is how many calls may lie between a branch and the operation on a lock.
const steeredThrough = 2

// operateOnLocks returns the functions that operate on locks, by themselves or by what they
// call.
func (i *Isolation) operateOnLocks() (all []*pointsto.Node) {
	seen := map[*pointsto.Node]bool{}
	level := i.graph.CallsTo(knowledge.Locks)
	for range 1 + steeredThrough {
		var next []pointsto.Edge
		for _, e := range level {
			if n := e.Caller; !seen[n] && i.graph.Analysed(n) && !knowledge.IsSynchronisation(n.Func) {
				seen[n] = true
				all = append(all, n)
				next = append(next, i.graph.Callers(n)...)
			}
		}
		level = next
	}
	return all
}

// steeredBy returns the boolean fields of which branches of the function are decided.
func (i *Isolation) steeredBy(n *pointsto.Node) (all []pointsto.Cell) {
	for _, b := range n.Func.Blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		cond := branch.Cond
		if not, ok := cond.(*ssa.UnOp); ok && isBoolean(not.X.Type()) {
			cond = not.X
		}
		load, ok := cond.(*ssa.UnOp)
		if !ok {
			continue
		}
		field, ok := load.X.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, c := range i.graph.PointsTo(n, field).Cells() {
			made, isAlloc := c.Object.Site.(*ssa.Alloc)
			if isAlloc && made.Heap && len(i.StarsAt(c)) == 0 && len(i.Regions(c.Object)) == 0 && !i.IsCompanion(c.Object) {
				all = append(all, c)
			}
		}
	}
	return all
}

func isBoolean(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}
