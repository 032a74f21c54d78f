package interp

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// Finish looks for steps after which the only copy of a process is done, taken by it and,
// while it is blocked, by the first of the others that is not. It looks at no more states than
// budget, from which it takes those it has looked at. There may be other ways to be done,
// where it finds none.
func Finish(s *State, process int, others func(process int) bool, budget *int) ([]esl.Step, *State, bool) {
	type visit struct {
		state  *State
		parent int
		step   esl.Step
	}
	order := []int{s.thread(esl.Instance{Process: process, Copy: 1})}
	who := order[0]
	for i, t := range s.Threads {
		if i != who && others(t.Process) {
			order = append(order, i)
		}
	}
	seen := map[string]bool{s.key(): true}
	visits := []visit{{state: s, parent: -1}}
	for k := 0; k < len(visits); k++ {
		at := visits[k].state
		if at.Threads[who].Done {
			var steps []esl.Step
			for ; visits[k].parent >= 0; k = visits[k].parent {
				steps = append(steps, visits[k].step)
			}
			slices.Reverse(steps)
			return steps, at, true
		}
		if *budget--; *budget < 0 {
			break
		}
		for _, i := range order {
			enabled := at.enabled(i)
			for _, step := range enabled {
				next := at.Clone()
				next.execute(i, step)
				if key := next.key(); !seen[key] {
					seen[key] = true
					visits = append(visits, visit{next, k, step})
				}
			}
			if len(enabled) > 0 {
				break
			}
		}
	}
	return nil, nil, false
}
