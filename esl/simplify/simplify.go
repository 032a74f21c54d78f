// Package simplify makes ESL programs smaller without changing what they can do.
//
// Lowering keeps the control flow of Go functions, most of which decides nothing
// that is modelled. Here statements that only move control go, points of a function
// from which the same can happen become one (bisimulation, by partition
// refinement), and so do functions that do the same, and goroutines that run the
// same function and differ only in where they are started. Goroutines of the library
// that only start others go, too. What comes after a process takes a lock again that it holds is cut off.
//
// Required is a valid program. Guaranteed is a valid program with the same
// locations, locks, flags and channels, in the same numbering, and with the same
// runs up to statements that only move control; of goroutines that are merged, two
// instances stand for all (as for copies of one goroutine), and where library
// goroutines go there can be more runs. Code that no run comes to, as it is behind a lock that the process holds, is
// none of what a unit accesses any more: see esl.AccessesOf. Of calls and positions
// nothing is lost, so that a counterexample reads as before.
//
// Waiting makes programs smaller for questions about blocking, which accesses and units have nothing to do with.
package simplify

import (
	"context"
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/limit"
)

// Program returns the simplified program. origin tells for each function of it
// which function of p it was. Functions of p of one kind become one if they do the
// same: clones of one Go function, say. p is not changed.
// O(n log n) for n statements, as long as functions have few merging rounds. It fails
// if ctx is done.
func Program(ctx context.Context, p *esl.Program, kind func(f int) string) (
	simple *esl.Program, origin []int, err error) {
	defer limit.Catch(&err)
	poll := limit.NewPoll(ctx)
	q := *p
	q.Functions = slices.Clone(p.Functions)
	q.Processes = slices.Clone(p.Processes)
	base := make([]int, len(p.Functions)) // the functions of p that those of q stand for
	for i := range base {
		base[i] = i
	}
	base = withoutRelocks(poll, &q, base)
	base = collapseStarters(&q, base)
	for i := range q.Functions {
		q.Functions[i].Body = minimise(poll, q.Functions[i].Body)
	}
	for i, changed := range mergeFunctions(poll, &q, func(f int) string { return kind(base[f]) }) {
		if changed { // calls of merged functions are the same now
			q.Functions[i].Body = minimise(poll, q.Functions[i].Body)
		}
	}
	mergeProcesses(&q)
	origin = dropUnused(&q)
	for i, f := range origin {
		origin[i] = base[f]
	}
	return &q, origin, nil
}
