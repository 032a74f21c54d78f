package gaps

import (
	"cmp"
	"slices"
)

// maxCovers bounds the sets that are looked at for a least one.
const maxCovers = 100_000

// cover finds a least set of places that covers gaps, of those with as few calls on the way to them as possible, and
// whether it is sure that there is no smaller one.
func cover(open []*Gap) (all []*Yield, least bool) {
	if len(open) == 0 {
		return nil, true
	}
	type place struct{ pos, action string }
	yields, order := map[place]*Yield{}, []*Yield(nil)
	of := map[*Gap][]*Yield{}
	for _, g := range open {
		for _, p := range g.Points {
			at := place{p.Pos, p.Action}
			y := yields[at]
			if y == nil {
				y = &Yield{Point: p}
				yields[at] = y
				order = append(order, y)
			}
			y.depth = max(y.depth, p.depth)
			y.Gaps = append(y.Gaps, g)
			of[g] = append(of[g], y)
		}
	}
	for _, g := range open {
		slices.SortStableFunc(of[g], func(a, b *Yield) int {
			return cmp.Or(cmp.Compare(len(b.Gaps), len(a.Gaps)), cmp.Compare(a.depth, b.depth))
		})
	}
	best, looked := greedy(open, order), 0
	var search func(chosen []*Yield)
	search = func(chosen []*Yield) {
		if looked++; looked > maxCovers || len(chosen) >= len(best) {
			return
		}
		var next *Gap // the one with the fewest choices
		for _, g := range open {
			isCovered := slices.ContainsFunc(chosen, func(y *Yield) bool { return slices.Contains(y.Gaps, g) })
			if !isCovered && (next == nil || len(of[g]) < len(of[next])) {
				next = g
			}
		}
		if next == nil {
			best = slices.Clone(chosen)
			return
		}
		for _, y := range of[next] {
			search(append(chosen, y))
		}
	}
	search(nil)
	slices.SortFunc(best, func(a, b *Yield) int { return cmp.Compare(a.Pos, b.Pos) })
	return best, looked <= maxCovers
}

// greedy takes the place that covers most of what is left, again and again.
func greedy(open []*Gap, order []*Yield) (chosen []*Yield) {
	covered := map[*Gap]bool{}
	for len(covered) < len(open) {
		var best *Yield
		most := 0
		for _, y := range order {
			n := 0
			for _, g := range y.Gaps {
				if !covered[g] {
					n++
				}
			}
			if n > most || n == most && n > 0 && y.depth < best.depth {
				best, most = y, n
			}
		}
		if best == nil {
			return chosen // a gap without a place
		}
		chosen = append(chosen, best)
		for _, g := range best.Gaps {
			covered[g] = true
		}
	}
	return chosen
}
