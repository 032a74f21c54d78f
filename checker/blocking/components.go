package blocking

import "slices"

// components returns the strongly connected components that have an edge of a graph (Tarjan, 1972), without recursion,
// in the order of their first nodes. It has so many nodes, of which some are looked at, and what can be reached from
// there. That takes time linear in their number and that of their edges. It calls poll for each of them.
func components(nodes int, some []int32, next func(int32) []int32, poll func()) (all [][]int32) {
	type call struct {
		node int32
		rest []int32
	}
	number, low := make([]int32, nodes), make([]int32, nodes) // 0: not seen
	isOpen := make([]bool, nodes)
	var open []int32
	count := int32(0)
	for _, root := range some {
		if number[root] != 0 {
			continue
		}
		var calls []call
		enter := func(n int32) {
			poll()
			count++
			number[n], low[n], isOpen[n] = count, count, true
			open = append(open, n)
			calls = append(calls, call{n, next(n)})
		}
		for enter(root); len(calls) > 0; {
			at := &calls[len(calls)-1]
			if len(at.rest) > 0 {
				to := at.rest[0]
				at.rest = at.rest[1:]
				switch {
				case number[to] == 0:
					enter(to)
				case isOpen[to]:
					low[at.node] = min(low[at.node], number[to])
				}
				continue
			}
			n := at.node
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				below := calls[len(calls)-1].node
				low[below] = min(low[below], low[n])
			}
			if low[n] != number[n] {
				continue
			}
			k := slices.Index(open, n)
			component := slices.Clone(open[k:])
			open = open[:k]
			for _, m := range component {
				isOpen[m] = false
			}
			if len(component) > 1 || slices.Contains(next(n), n) {
				slices.Sort(component)
				all = append(all, component)
			}
		}
	}
	slices.SortFunc(all, func(a, b []int32) int { return int(a[0] - b[0]) })
	return all
}
