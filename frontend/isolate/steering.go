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

// Flags are the flags of objects, which are neither stars nor what those lead to, that decide
// branches in the functions that operate on locks.
type Flags struct {
	isolation *Isolation
	ctx       context.Context
	open      []*pointsto.Object            // those that may have flags, and were not looked at
	paths     map[*pointsto.Object][]string // their booleans that decide branches
	candidate map[int]*pointsto.Object      // them, by ID
	of        map[int][]Flag                // by ID, of those that were looked at
	alone     int                           // how many of them were looked at by themselves
}

// maxAlone is how many objects are looked at by themselves, before all others are at once.
const maxAlone = 8

// FindFlags finds them. Linear in those functions.
func (i *Isolation) FindFlags(ctx context.Context) *Flags {
	f := &Flags{isolation: i, ctx: ctx, paths: map[*pointsto.Object][]string{},
		candidate: map[int]*pointsto.Object{}, of: map[int][]Flag{}}
	for _, n := range i.operateOnLocks() {
		for _, c := range i.steeredBy(n) {
			if f.candidate[c.Object.ID] == nil {
				f.candidate[c.Object.ID] = c.Object
				f.open = append(f.open, c.Object)
			}
			if !slices.Contains(f.paths[c.Object], c.Path) {
				f.paths[c.Object] = append(f.paths[c.Object], c.Path)
			}
		}
	}
	return f
}

// Of returns the flags of an object, by its ID. Linear in the functions that have it at hand; from
// some objects on, in those that have any at hand, once.
func (f *Flags) Of(id int) []Flag {
	o := f.candidate[id]
	if o == nil {
		return nil
	}
	if _, known := f.of[id]; !known {
		if f.alone++; f.alone <= maxAlone {
			f.settle(o)
		} else {
			f.settle(f.open...)
		}
	}
	return f.of[id]
}

// settle finds the flags of the objects.
func (f *Flags) settle(objects ...*pointsto.Object) {
	frozen, growing := findSettled(f.ctx, f.isolation.graph, objects)
	for _, o := range objects {
		var flags []Flag
		for _, path := range f.paths[o] {
			cell := pointsto.Cell{Object: o, Path: path}
			store, ok := onlyStore(o.Site.(*ssa.Alloc), path)
			switch {
			case len(flags) == MaxFlags:
			case ok && frozen.Is(cell):
				flags = append(flags, Flag{Path: path, Store: store})
			case growing.Is(cell):
				flags = append(flags, Flag{Path: path, Grows: true})
			}
		}
		f.of[o.ID] = flags
	}
	f.open = slices.DeleteFunc(f.open, func(o *pointsto.Object) bool { _, known := f.of[o.ID]; return known })
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
