package relevance

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// decisionsAgain returns the branches, by place, that decide from place q on what a
// branch on a first look decides, and where that is decided: at the branch, or in a helper
// before that (see decidesInside).
func (r *Function) decisionsAgain(l *Reads, branch *ssa.If, read, q ssaflow.Place, inside ssaflow.PlaceSet, f *forget) (
	again, decided ssaflow.PlaceSet) {
	again, decided = make(ssaflow.PlaceSet, len(r.Instrs)), make(ssaflow.PlaceSet, len(r.Instrs))
	for p := range r.Instrs {
		second, ok := r.Instrs[p].(*ssa.If)
		if !ok {
			continue
		}
		m := &mustalias.Matcher{Flow: r.Flow, Node: r.node, L: l.values, Read: r.Instrs[read].(ssa.Value), Q: q,
			Inside: inside}
		if m.Same(branch.Cond, second.Cond) && m.Paired {
			at := ssaflow.Place(p)
			if helper := m.DecidesInside(second.Cond); helper != nil {
				at = r.At[helper]
			}
			again[p], decided[at] = true, true
			f.Exact = f.Exact && m.Strict
			if !m.Strict && !m.AtQ {
				return nil, nil
			}
		}
	}
	return again, decided
}

// edgesToward returns the control flow without the ways on which there is no need to
// decide again what the branch decides: a condition of several parts, as in
// if ok && v.isNew(), is decided by its first part alone if that says no. (So it is if a
// no of the first look led on to the second one, too, but not if that gave up: who goes
// on after if !ok || v.isNew() { return } counts on a v that is there.)
func (r *Function) edgesToward(l *Reads, branch *ssa.If, read, q ssaflow.Place,
	inside ssaflow.PlaceSet) [][]ssaflow.Place {
	edges := r.Succs
	for p, in := range inside {
		outer, ok := r.Instrs[p].(*ssa.If)
		if !in || !ok || outer == branch || !r.DerivedFrom(r.Instrs[read].(ssa.Value))[outer.Cond] {
			continue
		}
		way := slices.IndexFunc(outer.Block().Succs, func(b *ssa.BasicBlock) bool {
			return len(b.Preds) == 1 && b.Dominates(branch.Block())
		})
		if way < 0 {
			continue
		}
		if no := r.At[outer.Block().Succs[1-way].Instrs[0]]; no != q && !inside[no] {
			continue
		}
		again, _ := r.decisionsAgain(l, outer, read, q, inside, &forget{Exact: true})
		for p, is := range again {
			if !is {
				continue
			}
			if &edges[0] == &r.Succs[0] {
				edges = slices.Clone(r.Succs)
			}
			second := r.Instrs[p].(*ssa.If)
			toward := way
			if saysYes(outer.Cond) != saysYes(second.Cond) {
				toward = 1 - way
			}
			edges[p] = []ssaflow.Place{r.At[second.Block().Succs[toward].Instrs[0]]}
		}
	}
	return edges
}

// saysYes tells whether a condition is true if its comparison, which may be negated,
// is one for equality that holds, or another one that does.
func saysYes(v ssa.Value) bool {
	yes := true
	for {
		not, ok := v.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			break
		}
		v, yes = not.X, !yes
	}
	if comparison := ssaflow.Equality(v); comparison != nil && comparison.Op == token.NEQ {
		return !yes
	}
	return yes
}
