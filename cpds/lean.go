package cpds

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// Lean returns the scope of two instances and as few others as may bring them to run: of those that start them, set a
// flag that they await or meet them on a channel, one each, and the same for these. It is false if that is not
// less than the local scope.
//
// Who is left out never moves, and a run in which somebody never moves is one of the program. So most words of a lean
// system are runs, which the whole one, with all its threads, may be too large to be searched for; that it
// has none says nothing.
func (m *Model) Lean(a, b esl.Instance) (s Scope, ok bool) {
	s = Scope{copies: m.copies(a, b)}
	depth := m.startDepth()
	for again := true; again; {
		again = false
		for p := range s.copies {
			if s.copies[p] == 0 {
				continue
			}
			for _, helpers := range m.helpersBy(p, depth) {
				isIn := func(q int) bool { return s.copies[q] > 0 }
				if len(helpers) > 0 && !slices.ContainsFunc(helpers, isIn) {
					s.copies[helpers[0]], again = 1, true
				}
			}
		}
	}
	whole, local := m.Whole(a, b), m.Local(a, b, nil)
	for p, n := range whole.copies {
		if n > s.copies[p] {
			s.left = append(s.left, p)
		}
		ok = ok || local.copies[p] > s.copies[p]
	}
	return s, ok
}

// startDepth returns by process how many Starts there are at least from an initial one to it; some more than there are
// processes where none leads to it.
func (m *Model) startDepth() []int {
	never := len(m.codes) + 1
	depth := make([]int, len(m.codes))
	var work []int
	for p, process := range m.Program.Processes {
		if depth[p] = never; process.Initial {
			depth[p] = 0
			work = append(work, p)
		}
	}
	for ; len(work) > 0; work = work[1:] {
		p := work[0]
		for q := range depth {
			if m.facts[p].starts[q] && depth[q] == never {
				depth[q] = depth[p] + 1
				work = append(work, q)
			}
		}
	}
	return depth
}

// helpersBy returns, for each way in which a process may need another one to go on, those that can help, the
// ones that are started early first. Who awaits a flag may also have set it.
func (m *Model) helpersBy(p int, depth []int) (ways [][]int) {
	add := func(helps func(q int) bool) {
		var all []int
		for q := range m.codes {
			if helps(q) {
				all = append(all, q)
			}
		}
		slices.SortStableFunc(all, func(q, r int) int { return depth[q] - depth[r] })
		ways = append(ways, all)
	}
	if !m.Program.Processes[p].Initial {
		add(func(q int) bool { return m.facts[q].starts[p] && depth[q] < depth[p] })
	}
	for flag := range m.Program.Flags {
		if m.facts[p].awaits[flag] {
			add(func(q int) bool { return m.facts[q].sets[flag] })
		}
	}
	for channel := range m.Program.Channels {
		for _, op := range []esl.Op{esl.Send, esl.Receive, esl.ReceiveClosed} {
			if m.facts[p].channels[channelOp{op, channel}] {
				add(func(q int) bool {
					return q != p && slices.ContainsFunc(unblocks[op], func(op esl.Op) bool {
						return m.facts[q].channels[channelOp{op, channel}]
					})
				})
			}
		}
	}
	return ways
}
