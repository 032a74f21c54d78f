package atomicity

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// A number that is only added to, and that nobody looks at, is the same in whatever order that is done.
// So additions to it are no steps that others could see.

// sum is something that was added to a variable.
type sum struct{ address, added term }

// isAddition tells whether an access is part of an addition to an integer of which the result is not
// used otherwise: atomic, or a load and a store.
func (p *Program) isAddition(a access) bool {
	switch v := a.at.(type) {
	case *ssa.Call:
		fn := v.Call.StaticCallee()
		return a.atomic && fn != nil && knowledge.Of(fn).Atomic == knowledge.AtomicAdd && !isUsed(v)
	case *ssa.Store:
		return p.addedBy(v) != nil
	case *ssa.UnOp:
		for _, r := range *v.Referrers() {
			if by, ok := r.(*ssa.BinOp); ok {
				for _, r := range *by.Referrers() {
					if store, ok := r.(*ssa.Store); ok && p.addedBy(store) == by && by.X == ssa.Value(v) {
						return true
					}
				}
			}
		}
	}
	return false
}

// addedBy returns the sum that a store puts back where its first operand was loaded from, nil if it is
// none, or if that or the sum is used otherwise.
func (p *Program) addedBy(store *ssa.Store) *ssa.BinOp {
	by, ok := store.Val.(*ssa.BinOp)
	if !ok || by.Op != token.ADD && by.Op != token.SUB || !onlyUsed(by, store) {
		return nil
	}
	load, ok := by.X.(*ssa.UnOp)
	if u, isBasic := by.Type().Underlying().(*types.Basic); !isBasic || u.Info()&types.IsInteger == 0 || !ok ||
		by.Y == by.X || !onlyUsed(load, by) || load.Block() != store.Block() || !p.isLoadOf(load, store.Addr) ||
		!p.isUnchanged(store.Block(), load, store) {
		return nil
	}
	return by
}

func isUsed(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		if _, isDebug := r.(*ssa.DebugRef); !isDebug {
			return true
		}
	}
	return false
}

// isSum tells whether the whole program does nothing with a variable but add to it.
func (p *Program) isSum(c class) bool {
	d := p.of(c)
	return c.of != 0 && !c.contents && d.written && !d.looked && !d.escapes && d.isOrdered()
}

// adds tells whether an access adds to such a variable.
func (p *Program) adds(instr ssa.Instruction) bool {
	all, ok := p.accesses(instr)
	return ok && len(all) == 1 && p.isSum(all[0].class) && !p.isFresh(all[0]) && p.isAddition(all[0])
}

// add carries out a part of an addition. It tells whether the instruction is one.
func (r *run) add(s *state, instr ssa.Instruction) bool {
	if !r.adds(instr) {
		return false
	}
	f := s.top()
	switch v := instr.(type) {
	case *ssa.UnOp:
		f.env[v] = r.apply("sum", r.value(s, v.X))
	case *ssa.Store:
		by := r.addedBy(v)
		added := r.value(s, by.Y)
		if by.Op == token.SUB {
			added = r.apply("negative", added)
		}
		s.sums = append(s.sums, sum{r.value(s, v.Addr), added})
	case *ssa.Call:
		s.sums = append(s.sums, sum{r.value(s, v.Call.Args[0]), r.value(s, v.Call.Args[1])})
		f.env[v] = falseTerm // nobody uses it
	}
	return true
}

// sameSums tells whether two paths add the same.
func (u *unit) sameSums(o, q *outcome) bool {
	if len(o.sums) != len(q.sums) {
		return false
	}
	var terms []term
	for _, s := range append(o.sums[:len(o.sums):len(o.sums)], q.sums...) {
		terms = append(terms, s.address, s.added)
	}
	c := u.close(q.conds, terms...)
	taken := map[int]bool{}
	for _, s := range o.sums {
		found := false
		for i, t := range q.sums {
			if !found && !taken[i] && c.areEqual(s.address, t.address) && c.areEqual(s.added, t.added) {
				found, taken[i] = true, true
			}
		}
		if !found {
			return false
		}
	}
	return true
}
