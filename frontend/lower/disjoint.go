package lower

import (
	"slices"

	"github.com/empire-go/empire-go/frontend/ownership"
	"github.com/empire-go/empire-go/frontend/rules"
)

// Goroutines that a loop starts with a different index each share a slice without
// sharing an element:
//
//	for i := range jobs {
//		go func() { b.results[i] = run(jobs[i]) }()
//	}
//
// Between two of them what they do to the slice is as if it were two.

// disjoint returns the locations of the model of which each copy of the process
// accesses elements of its own.
func (l *lowerer) disjoint(p *process) []int {
	if p.copies < 2 || p.alike || p.key.entry == nil || !l.Multiplicity.Once(p.key.node) {
		return nil
	}
	var all []int
	for _, at := range l.owners.OwnElementsOf(
		ownership.GoroutineStart{Node: p.key.node, Site: p.key.site, Entry: p.key.entry}) {
		all = append(all, l.locationIndex(at))
		if at.Held = true; l.Races {
			all = append(all, l.locationIndex(at))
		}
	}
	l.Rules.Use(rules.OwnElements, len(all) > 0)
	slices.Sort(all)
	return all
}
