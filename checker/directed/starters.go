package directed

import (
	"github.com/empire-go/empire-go/esl"
)

// Who is not running may be started by somebody who is not running either, and so on. Each way to do that is tried on a
// copy of the run; so those are left out that cannot lead to it, whatever happens: who is to be started by nobody, or
// by too many others first.

// startStarter starts a process that can come to one of the goals.
func (w *walker) startStarter(but esl.Instance, g *goals, help int) bool {
	first := w.firstStarted()
	failed := map[int]bool{} // what is done for a copy of a process is done for the ones before it
	for k, t := range w.state.Threads {
		entry := w.graph.first[w.program.Processes[t.Process].Entry]
		before, can := first[t.Process]
		if t.Started || t.Process == but.Process || g.dist[entry] == never || !can || before > help || failed[t.Process] {
			continue
		}
		if try := w.copy(); try.start(w.state.Threads[k].Instance, help) {
			*w = *try
			return true
		}
		failed[t.Process] = true
	}
	return false
}

// firstStarted returns how many other processes have to be started before one is, at least; nothing of a process that
// nobody starts. Linear in the number of processes and of those that each may start.
func (w *walker) firstStarted() map[int]int {
	first := map[int]int{}
	var level []int
	for _, t := range w.state.Threads {
		if t.Started {
			level = append(level, t.Process)
		}
	}
	for n := 0; len(level) > 0; n++ {
		var next []int
		for _, q := range level {
			for _, p := range w.startedFrom(w.program.Processes[q].Entry) {
				if _, known := first[p]; !known {
					first[p] = n
					next = append(next, p)
				}
			}
		}
		level = next
	}
	return first
}

// startedFrom returns the processes that what begins in a function may start.
func (s *Search) startedFrom(entry int) []int {
	if all, known := s.starts[entry]; known {
		return all
	}
	var all []int
	seen := map[int]bool{}
	for st := range s.program.StatementsFrom(entry) {
		if st.Op == esl.Start && !seen[st.Arg] {
			seen[st.Arg] = true
			all = append(all, st.Arg)
		}
	}
	s.starts[entry] = all
	return all
}
