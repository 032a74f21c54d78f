package waits

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// LocksAt names the locks that a call of an operation may be on, if nobody waits for ever for any of these, and each is
// held in calls of functions only that take and release it themselves; else, and where that is not known, none.
func (s *Settlement) LocksAt(site ssa.CallInstruction) []string { return s.at[site] }

// Users returns the functions that may operate on a lock of those that LocksAt names.
func (s *Settlement) Users(lock string) []*ssa.Function { return s.users[lock] }

// findUsers finds out which functions operate on which locks.
func (s *settler) findUsers(all *Settlement) {
	even := s.evenLocks(all)
	all.users, all.at = map[string][]*ssa.Function{}, map[ssa.CallInstruction][]string{}
	isOpen := map[ssa.CallInstruction]bool{}
	for _, n := range s.graph.Nodes() {
		s.poll.Check()
		if isPrimitive(n.Func) {
			continue
		}
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				site, ok := instr.(ssa.CallInstruction)
				if !ok {
					continue
				}
				names := s.operatedAt(n, site)
				for _, name := range append(names, s.releasedAt(n, site)...) {
					if even[name] && !slices.Contains(all.users[name], n.Func) {
						all.users[name] = append(all.users[name], n.Func)
					}
				}
				all.at[site] = append(all.at[site], names...)
				isOpen[site] = isOpen[site] || len(names) == 0
			}
		}
	}
	maps.DeleteFunc(all.at, func(site ssa.CallInstruction, names []string) bool {
		return isOpen[site] || slices.ContainsFunc(names, func(name string) bool { return !even[name] })
	})
}

// evenLocks returns the locks for which nobody waits for ever and that no function takes or releases for its callers.
func (s *settler) evenLocks(all *Settlement) map[string]bool {
	even := map[string]bool{}
	for _, l := range all.Locks {
		even[l.Name] = l.Doubt == "" && !s.unsettled[l.Name]
	}
	for _, b := range s.balances {
		for _, g := range slices.AppendSeq(slices.Collect(maps.Values(b.takes)), maps.Values(b.releases)) {
			for name := range g.each() {
				even[name] = false
			}
		}
	}
	return even
}

// operatedAt names the locks that a call, also of a go statement, may take or release, or on which it runs something
// once.
func (s *settler) operatedAt(n *pointsto.Node, site ssa.CallInstruction) []string {
	names := s.onceNames(n, site)
	for _, op := range s.operationsOf(n, site, s.graph.Callees(n, site)) {
		names = append(names, op.locks...)
	}
	return slices.Clip(names)
}

// releasedAt names the locks that a call may release while it waits for a signal.
func (s *settler) releasedAt(n *pointsto.Node, site ssa.CallInstruction) (names []string) {
	for _, callee := range s.graph.Callees(n, site) {
		if knowledge.IsCondWait(callee.Func) && len(site.Common().Args) > 0 {
			names = append(names, s.locksOfCond(n, site)...)
		}
	}
	return names
}
