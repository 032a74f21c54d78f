package checker

import (
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/esl"
)

// schedule turns a word with the runs of a system's components into a run of the
// program. The silent steps of a thread stand right before its next visible one;
// those after its last are left out. The Receive of a rendezvous stands right after
// the Send. at says for each action of the word which step
// it is. The error says that the runs do not fit the word.
func schedule(m *cpds.Model, s *cpds.System, word []int, runs [][]int) (steps []esl.Step, at []int, err error) {
	return scheduleTo(m, s, word, runs, false)
}

// scheduleTo is schedule that does not leave out the silent steps after the last visible ones, if the end of the runs
// is what it is about.
func scheduleTo(m *cpds.Model, s *cpds.System, word []int, runs [][]int, end bool) (
	steps []esl.Step, at []int, err error) {
	if len(runs) != len(s.Components) {
		return nil, nil, fmt.Errorf("%d runs for %d components", len(runs), len(s.Components))
	}
	left := slices.Clone(runs)
	starts := newStarts(m.Program)
	for i, action := range word {
		at = append(at, -1)
		var moves []esl.Step // of a rendezvous two
		for k, c := range s.Components {
			if _, takesPart := slices.BinarySearch(c.Alphabet, action); c.Kind != cpds.Thread || !takesPart {
				continue
			}
			rules, ok := takeUntil(c, left[k], action)
			if !ok {
				return nil, nil, fmt.Errorf("the run of %s does not take action %d of the word, %s", c.Name, i, s.Actions[action])
			}
			left[k] = left[k][len(rules):]
			for _, r := range rules {
				rule := c.Rules[r]
				if rule.Origin < 0 {
					continue // it is started: the step is that of the starter
				}
				for _, step := range m.Steps(rule) {
					if step = starts.resolve(m.Program, step); rule.Action == action {
						moves = append(moves, step)
					} else {
						steps = append(steps, step)
					}
				}
			}
		}
		if len(moves) == 0 {
			return nil, nil, fmt.Errorf("no thread takes action %d of the word, %s", i, s.Actions[action])
		}
		slices.SortStableFunc(moves, func(a, b esl.Step) int { return receives(m.Program, a) - receives(m.Program, b) })
		at[i] = len(steps)
		steps = append(steps, moves...)
	}
	for k, c := range s.Components {
		for _, r := range left[k] {
			if end && c.Kind == cpds.Thread && c.Rules[r].Action == cpds.Tau && c.Rules[r].Origin >= 0 {
				for _, step := range m.Steps(c.Rules[r]) {
					steps = append(steps, starts.resolve(m.Program, step))
				}
			}
		}
	}
	return steps, at, nil
}

// receives is 1 for the step that ends a rendezvous, else 0.
func receives(p *esl.Program, step esl.Step) int {
	if body := p.Functions[step.Function].Body; step.Index < len(body) && body[step.Index].Op == esl.Receive {
		return 1
	}
	return 0
}

// takeUntil returns the beginning of a run that ends with the action.
func takeUntil(c *cpds.Component, run []int, action int) ([]int, bool) {
	for i, r := range run {
		if r < 0 || r >= len(c.Rules) {
			return nil, false
		}
		if c.Rules[r].Action == action {
			return run[:i+1], true
		}
	}
	return nil, false
}

// starts counts the started copies of each process.
type starts []int

func newStarts(p *esl.Program) starts {
	s := make(starts, len(p.Processes))
	for i, q := range p.Processes {
		if q.Initial {
			s[i] = 1
		}
	}
	return s
}

// resolve makes a Start of a copy that runs already pass without effect. Systems
// leave that open for processes that they leave out.
func (s starts) resolve(p *esl.Program, step esl.Step) esl.Step {
	body := p.Functions[step.Function].Body
	if step.Index >= len(body) || body[step.Index].Op != esl.Start || step.Target == 0 {
		return step
	}
	process := body[step.Index].Arg
	if step.Target <= s[process] {
		step.Target = 0
	} else {
		s[process]++
	}
	return step
}
