// Package shared finds the memory that data races can be about: what several goroutines access, one of them writing,
// once others can reach it. Locks and the order of things are not looked at: that is for the stages that follow.
//
//	shared    which memory goroutines meet at
//	accesses  what instructions access
//	escape    what memory others than its maker can reach
//	owners    whose the memory is: fields of types, variables of packages, memory that functions make
//
// What is found is a superset of what can race, as far as the points-to sets and the call graph are right: a location
// that is not found is accessed by one goroutine only, or not written any more once it is shared. Linear in the code of
// the program, times the sizes of the points-to sets.
package shared

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/limit"
)

// Find returns the subjects of questions about data races in a program: for each type that is declared in the packages
// named its fields, for each of these packages its variables, and memory that their functions make. It fails if ctx is
// done.
func Find(ctx context.Context, program *load.Program, graph *pointsto.Result, often *multiplicity.Analysis) (
	all []*query.Subject, err error) {
	defer limit.Catch(&err)
	graph = graph.During(ctx)
	f := &finder{program: program, graph: graph, often: often, fresh: fresh.New(ctx, graph), poll: limit.NewPoll(ctx)}
	f.findOwners()
	f.findEscaping()
	met := f.met(func(c pointsto.Cell) bool { return f.escapes[c.Object] }, func(access) bool { return false })
	met = f.met(func(c pointsto.Cell) bool { return met[c] }, func(a access) bool {
		return isInitializer(a.node.Func) || f.fresh.Is(a.node, a.pointer, a.instr)
	})
	return f.subjects(met), ctx.Err()
}

type finder struct {
	program *load.Program
	graph   *pointsto.Result
	often   *multiplicity.Analysis
	fresh   *fresh.Analysis
	poll    *limit.Poll

	region  *pointsto.Region                     // the memory that has an owner
	holders map[*pointsto.Object][]pointsto.Cell // the memory in it that leads there
	own     map[*pointsto.Object]bool            // objects that are looked at by themselves
	escapes map[*pointsto.Object]bool            // see findEscaping
}

// use is who accesses a cell.
type use struct {
	by      multiplicity.Goroutines
	written bool
	plainly bool // not by atomic operations only
}

// met returns the cells at which goroutines meet, among some, by all accesses but those that are left out.
func (f *finder) met(among func(pointsto.Cell) bool, isLeftOut func(access) bool) map[pointsto.Cell]bool {
	uses := map[pointsto.Cell]*use{}
	for _, n := range f.graph.Nodes() {
		f.poll.Check()
		f.accesses(n, func(a access) {
			var known, leftOut bool
			for _, c := range f.parts(a.cells) {
				if !among(c) {
					continue
				}
				if !known {
					known, leftOut = true, isLeftOut(a)
				}
				if leftOut {
					return
				}
				u := uses[c]
				if u == nil {
					u = &use{}
					uses[c] = u
				}
				u.by = u.by.With(f.often.GoroutinesOf(n))
				u.written, u.plainly = u.written || a.isWrite, u.plainly || !a.isAtomic
			}
		})
	}
	met := map[pointsto.Cell]bool{}
	for c, u := range uses {
		if u.written && u.plainly && u.by.AreSeveral() {
			met[c] = true
		}
	}
	return met
}

// parts returns the fields of objects, or of their elements, that have memory in common with some cells, those of
// structs in structs told apart: what is within an array or a slice is not.
func (f *finder) parts(cells []pointsto.Cell) (all []pointsto.Cell) {
	add := func(c pointsto.Cell) {
		if !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	for _, c := range cells {
		if part, ok := toArray(c.Path); ok {
			add(pointsto.Cell{Object: c.Object, Path: part})
			continue
		}
		for _, d := range f.graph.Under(c.Object, c.Path) {
			part, _ := toArray(d.Path)
			add(pointsto.Cell{Object: c.Object, Path: part})
		}
	}
	return all
}

// toArray returns a path as far as the first array in a struct; ok is false if there is none, so that there may be more
// below.
func toArray(path string) (part string, ok bool) {
	begin := len(path) - len(strings.TrimLeft(path, "[]"))
	if end := strings.IndexByte(path[begin:], '['); end >= 0 {
		return path[:begin+end], true
	}
	return path, false
}

// isInitializer tells whether fn runs before main.
func isInitializer(fn *ssa.Function) bool {
	return knowledge.Outermost(fn).Synthetic == "package initializer"
}
