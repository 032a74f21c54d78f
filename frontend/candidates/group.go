package candidates

import (
	"cmp"
	"go/token"
	"slices"
	"sort"
)

// group is fields that belong together.
type group struct {
	fields []*field
	guard  guard  // that is held at most accesses; without a name if there is none
	set    string // the name of an annotation
}

// groupsOf returns the groups of the fields that are written after construction, and
// those that are annotated.
func groupsOf(fields []*field) []group {
	var all []group
	var loose []*field
	add := func(x *field, same func(group) bool, made group) {
		for i := range all {
			if same(all[i]) {
				all[i].fields = append(all[i].fields, x)
				return
			}
		}
		made.fields = []*field{x}
		all = append(all, made)
	}
	for _, x := range fields {
		guarded := x.guard()
		switch {
		case x.set != "":
			add(x, func(g group) bool { return g.set == x.set }, group{set: x.set})
		case !x.isMutable():
		case guarded.name != "":
			add(x, func(g group) bool { return g.set == "" && g.guard == guarded }, group{guard: guarded})
		default:
			loose = append(loose, x)
		}
	}
	for i := range all {
		if all[i].set != "" {
			all[i].guard = commonGuard(all[i].fields)
		}
	}
	all, loose = withFlags(all, loose)
	together := usedTogether(loose)
	if len(all) == 0 && !slices.ContainsFunc(together, func(g group) bool { return len(g.fields) > 1 }) {
		return nothingTies(loose)
	}
	var divided []group
	for _, g := range append(all, together...) {
		divided = append(divided, g.apart()...)
	}
	return divided
}

// nothingTies returns the groups where there is no evidence: one, and each atomic by
// itself.
func nothingTies(fields []*field) []group {
	var plain group
	var all []group
	for _, x := range fields {
		if x.isAtomic() {
			all = append(all, group{fields: []*field{x}})
		} else {
			plain.fields = append(plain.fields, x)
		}
	}
	if len(plain.fields) > 0 {
		all = append([]group{plain}, all...)
	}
	return all
}

// commonGuard returns the guard of all fields, none if they have different ones.
func commonGuard(fields []*field) guard {
	common := fields[0].guard()
	if slices.ContainsFunc(fields, func(x *field) bool { return x.guard() != common }) {
		return guard{}
	}
	return common
}

// guard returns the lock that guards a field: of those that are held at at least half of
// the accesses, or at all that write, one of the object, or else the one that is held most
// often. Where a comment names one, it is that, unless another one is always held.
func (f *field) guard() guard {
	observed := f.observedGuard()
	c := f.claim
	if c.guard.name != "" && (c.named || f.isHeldAnywhere(c.guard)) && !(observed.own && f.isHeldEverywhere(observed)) {
		return c.guard
	}
	return observed
}

// isHeldAnywhere tells whether the lock is held at an access.
func (f *field) isHeldAnywhere(g guard) bool {
	for _, a := range f.accesses {
		if a.holds(g) {
			return true
		}
	}
	return false
}

// isHeldEverywhere tells whether the lock is held at all accesses.
func (f *field) isHeldEverywhere(g guard) bool {
	for _, a := range f.accesses {
		if !a.holds(g) {
			return false
		}
	}
	return true
}

// observedGuard is guard by the locks that are held alone.
func (f *field) observedGuard() guard {
	held, atWrites := map[guard]int{}, map[guard]int{}
	writing := 0
	for _, a := range f.accesses {
		isWrite := a.kind&writes != 0
		if isWrite {
			writing++
		}
		for _, g := range a.guards() {
			held[g]++
			if isWrite {
				atWrites[g]++
			}
		}
	}
	var best guard
	for g, n := range held {
		if 2*n < len(f.accesses) && (writing == 0 || atWrites[g] < writing) || !g.own && atWrites[g] == 0 {
			continue
		}
		if best.name == "" || cmp.Or(compareBools(g.own, best.own), n-held[best], len(best.name)-len(g.name),
			cmp.Compare(best.name, g.name)) > 0 {
			best = g
		}
	}
	return best
}

func compareBools(a, b bool) int {
	switch {
	case a && !b:
		return 1
	case b && !a:
		return -1
	}
	return 0
}

// guards returns the locks that are held throughout an access.
func (a *access) guards() []guard {
	var all []guard
	for g := range a.uses[0].guards {
		if a.holds(g) {
			all = append(all, g)
		}
	}
	return all
}

// usedTogether ties fields that no lock guards: those that one function writes, and
// atomics that it accesses, one of them to write it; and flags with what they control.
func usedTogether(fields []*field) []group {
	return tied(fields, func(x, y *field) bool {
		return inOneFunction(x, y) || x.isFlagFor(y, reads|writes) || y.isFlagFor(x, reads|writes)
	})
}

// tied divides fields into groups: of those that are together, directly or not.
func tied(fields []*field, together func(x, y *field) bool) []group {
	of := map[*field]int{}
	for i, x := range fields {
		of[x] = i
	}
	for i, x := range fields {
		for _, y := range fields[:i] {
			if of[x] != of[y] && together(x, y) {
				from, to := of[x], of[y]
				for _, z := range fields {
					if of[z] == from {
						of[z] = to
					}
				}
			}
		}
	}
	var all []group
	index := map[int]int{}
	for _, x := range fields {
		i, known := index[of[x]]
		if !known {
			i = len(all)
			index[of[x]] = i
			all = append(all, group{})
		}
		all[i].fields = append(all[i].fields, x)
	}
	return all
}

func inOneFunction(x, y *field) bool {
	atomics := x.isAtomic() && y.isAtomic()
	for _, a := range x.accesses {
		for _, b := range y.accesses {
			if a.fn == b.fn && (a.kind&b.kind&writes != 0 || atomics && (a.kind|b.kind)&writes != 0) {
				return true
			}
		}
	}
	return false
}

// names returns the names of the fields, sorted.
func (g group) names() []string {
	var names []string
	for _, x := range g.fields {
		names = append(names, x.name)
	}
	sort.Strings(names)
	return names
}

// count returns the number of accesses.
func (g group) count() int {
	n := 0
	for _, x := range g.fields {
		n += len(x.accesses)
	}
	return n
}

// first returns where the fields are accessed first.
func (g group) first() token.Pos {
	first := token.NoPos
	for _, x := range g.fields {
		for pos := range x.accesses {
			if first == token.NoPos || pos < first {
				first = pos
			}
		}
	}
	return first
}

// ownFields returns the fields that are in the group by the guard that they have.
func (g group) ownFields() []*field {
	return slices.DeleteFunc(slices.Clone(g.fields), func(x *field) bool { return x.guard() != g.guard })
}

// isClaimed tells whether a comment names the guard.
func (g group) isClaimed() bool {
	return g.guard.name != "" && slices.ContainsFunc(g.fields, func(x *field) bool { return x.claim.guard == g.guard })
}

// isAlwaysGuarded tells whether the guard is held at all accesses.
func (g group) isAlwaysGuarded() bool {
	for _, x := range g.fields {
		if !x.isHeldEverywhere(g.guard) {
			return false
		}
	}
	return true
}
