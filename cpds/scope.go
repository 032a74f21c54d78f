package cpds

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// Scope says of which instances a system about two of them is made.
//
// The whole one has all that can matter: see helpers. A local one leaves out processes that
// are needed only because they are joined, and lets whoever joins them pass at once
// (localization reduction: Kurshan, Computer-aided verification of coordinating processes,
// 1994). Where many goroutines are joined by one, that leaves two of them and the one.
//
// A local system has all words of the whole one, without the actions of what is left out:
// the steps of these processes can be taken out of a run for the reasons that helpers
// gives, and a Join that waits for nobody is never in the way of one that could be passed.
// So what is empty locally is empty. It may have more words, as somebody may be joined
// that cannot get there: who holds a lock and waits for a goroutine that takes it, or was
// ordered by what was left out, as by a goroutine that itself waits for the other one. A
// word therefore says nothing until it has been made a run of the program; where that
// fails the process that could not be done is kept.
//
// Only a Join is passed for want of a process: who starts another one of the system, sets a
// flag that is awaited there, meets it on a channel or releases a lock that it has taken is
// always part of it. A run without their steps would be none.
//
// The least scope leaves out those as well that are needed because they start somebody, set a
// flag or use a channel, but for initial processes, and other copies of the two instances. What
// they do of that kind an environment does, whenever it likes (environment.go). It has all words
// of the whole system, too, with the environment in the place of what is left out. So what is
// empty there is empty; a word says nothing, and nobody tries to make it a run.
type Scope struct {
	copies []int         // by process: how many copies are part of the system
	left   []int         // processes of which the whole scope has more instances
	only   map[int][]int // by process: the copies that are part of the system, where that is not the first ones
}

// instances returns the copies of a process that are part of the system.
func (s Scope) instances(process int) []int {
	if only := s.only[process]; only != nil {
		return only
	}
	var all []int
	for c := range s.copies[process] {
		all = append(all, c+1)
	}
	return all
}

// Least returns the least scope of two instances; false if it is the local one.
func (m *Model) Least(a, b esl.Instance) (s Scope, ok bool) {
	helpers := m.helpers(func(int) bool { return false }, false, a.Process, b.Process)
	s = Scope{copies: m.copies(a, b, helpers), only: map[int][]int{}}
	for _, in := range []esl.Instance{a, b} {
		if p := in.Process; !helpers[p] && !slices.Contains(s.only[p], in.Copy) {
			s.only[p] = append(s.only[p], in.Copy)
			slices.Sort(s.only[p])
		}
	}
	whole := m.Whole(a, b)
	for p, n := range whole.copies {
		if n > len(s.instances(p)) {
			s.left = append(s.left, p)
		}
	}
	local := m.Local(a, b, nil)
	for p, n := range local.copies {
		ok = ok || n > len(s.instances(p))
	}
	return s, ok
}

// Whole tells whether nothing is left out that can matter.
func (s Scope) Whole() bool { return len(s.left) == 0 }

// Has tells whether instances of the process are part of the system.
func (s Scope) Has(process int) bool { return s.copies[process] > 0 }

// Leaves tells whether the whole scope has more instances of the process.
func (s Scope) Leaves(process int) bool { return slices.Contains(s.left, process) }

// Whole returns the whole scope of two instances.
func (m *Model) Whole(a, b esl.Instance) Scope {
	return Scope{copies: m.copies(a, b, m.needs[a.Process], m.needs[b.Process])}
}

// Local returns the least scope of two instances with the processes that are to be kept if
// they are joined.
func (m *Model) Local(a, b esl.Instance, kept map[int]bool) Scope {
	keep := func(p int) bool { return kept[p] }
	s := Scope{copies: m.copies(a, b, m.helpers(keep, true, a.Process, b.Process))}
	for p, n := range m.Whole(a, b).copies {
		if n > s.copies[p] {
			s.left = append(s.left, p)
		}
	}
	return s
}

// copies returns for each process how many copies of it a system about the two instances and the
// processes that are needed has.
func (m *Model) copies(a, b esl.Instance, needed ...map[int]bool) []int {
	copies := make([]int, len(m.codes))
	for _, in := range []esl.Instance{a, b} {
		copies[in.Process] = max(copies[in.Process], in.Copy)
	}
	for _, some := range needed {
		for p := range some {
			copies[p] = m.Program.Processes[p].Copies
		}
	}
	return copies
}
