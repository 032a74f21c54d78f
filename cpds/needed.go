package cpds

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// helpers returns the processes that the given ones may wait for, transitively,
// and the processes that these wait for. Only they and the given instances are
// part of a system, and it has the same runs as if all were: take the steps of any
// other process out of a run, and the rest still is a run, because the steps
// neither start, nor are joined, nor set an awaited flag, nor release somebody
// else's lock, nor do anything on a channel that an operation there waits for, and every lock is
// free at least as often. Two kinds of
// process are treated apart:
//
//   - One with several copies is not needed because it is joined: its Start may
//     pass without effect, so that any copies can be taken out, start and all, and
//     the ones that are left be renumbered.
//   - One with one copy is started for real, but never moves.
//
// Of those that are needed only because they are joined, the ones that keep names are.
//
// Without the others, they are only those that others wait for in a way that the environment of a least scope cannot
// stand for, and initial ones.
func (m *Model) helpers(keep func(process int) bool, others bool, processes ...int) map[int]bool {
	needed := map[int]bool{}
	work := slices.Clone(processes)
	seen := map[int]bool{}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[p] {
			continue
		}
		seen[p] = true
		for _, q := range m.waits[p] {
			acts := q.acts && (others || m.Program.Processes[q.process].Initial)
			if !needed[q.process] && (q.releases || acts || q.isJoined && keep(q.process)) {
				needed[q.process] = true
				work = append(work, q.process)
			}
		}
	}
	return needed
}

// wait is a process that another one may wait for.
type wait struct {
	process  int
	releases bool // a lock that another one has taken
	acts     bool // otherwise: it starts the one that waits, sets a flag or uses a channel
	isJoined bool // it may be done
}

// waitsOf returns the processes that a process may wait for itself.
func (m *Model) waitsOf(p int) (all []wait) {
	for q := range m.codes {
		w := wait{q, m.waitForStranger(m.facts[p], m.facts[q]), m.waitsFor(p, q), m.joins(p, q)}
		if w.releases || w.acts || w.isJoined {
			all = append(all, w)
		}
	}
	return all
}

// helpersOfAll returns, for each process, the processes that helpers returns for it alone; those
// for two are the union of those for each.
func (m *Model) helpersOfAll() []map[int]bool {
	all := func(int) bool { return true }
	of := make([]map[int]bool, len(m.codes))
	for p := range of {
		of[p] = m.helpers(all, true, p)
	}
	return of
}

// waitsFor tells whether process p may need a step of process q to go on, other than that
// q releases a lock or is done.
func (m *Model) waitsFor(p, q int) bool {
	f, g := m.facts[p], m.facts[q]
	return !m.Program.Processes[p].Initial && g.starts[p] ||
		intersect(f.awaits, g.sets) ||
		waitsForChannel(f, g)
}

// waitForStranger tells whether both use a lock that somebody may release who has not taken it.
func (m *Model) waitForStranger(f, g facts) bool {
	for l := range f.locks {
		if g.locks[l] && m.holds.stranger(l) {
			return true
		}
	}
	return false
}

// joins tells whether process p may wait until process q is done.
func (m *Model) joins(p, q int) bool {
	return m.facts[p].joins[q] && m.Program.Processes[q].Copies == 1
}

func intersect(a, b map[int]bool) bool {
	for x := range a {
		if b[x] {
			return true
		}
	}
	return false
}

// pairs returns the ordered pairs of different instances that stand for all pairs
// of the two processes. Unless other copies matter besides, one copy stands for
// all, and two for two: the others can be taken out of a run and the rest
// renumbered in the order in which they were started.
func (m *Model) pairs(p, q int) [][2]esl.Instance {
	copies := func(r int) int {
		switch n := m.Program.Processes[r].Copies; {
		case m.needs[p][r] || m.needs[q][r]:
			return n
		case p == q:
			return min(n, 2)
		}
		return 1
	}
	var pairs [][2]esl.Instance
	for i := range copies(p) {
		for j := range copies(q) {
			if p != q || i != j {
				pairs = append(pairs, [2]esl.Instance{{Process: p, Copy: i + 1}, {Process: q, Copy: j + 1}})
			}
		}
	}
	return pairs
}
