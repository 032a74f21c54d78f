package relevance

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// CanForget tells whether a place from an instruction on forgets the read, before it
// is executed again.
func (r *Function) CanForget(read ssa.Value, from ssa.Instruction) bool {
	ahead, ok := r.ahead[read]
	if !ok {
		at := r.At[read.(ssa.Instruction)]
		ahead = make(ssaflow.PlaceSet, len(r.Instrs))
		for _, plan := range []map[ssa.Instruction][]forget{r.Forgets, r.Swapped, r.Unswapped} {
			for instr, forgets := range plan {
				if !slices.ContainsFunc(forgets, func(f forget) bool { return f.Read == read }) {
					continue
				}
				ahead[r.At[instr]] = true
				for p, in := range ssaflow.Reach(r.At[instr], r.Preds, func(p ssaflow.Place) bool { return p == at }) {
					ahead[p] = ahead[p] || in && ssaflow.Place(p) != at
				}
			}
		}
		r.ahead[read] = ahead
	}
	return ahead[r.At[from]]
}
