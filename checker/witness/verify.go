// Package witness checks the answers of the decision engines: it takes the runs of
// an answer step by step. It shares no code with the engines.
package witness

import (
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/cpds"
)

// Verify returns an error unless a is not Common, or its word drives every
// component of s by its run to a configuration that is final for a.Label.
func Verify(s *cpds.System, a checker.Answer) error {
	if a.Status != checker.Common {
		return nil
	}
	if len(a.Runs) != len(s.Components) {
		return fmt.Errorf("%d runs for %d components", len(a.Runs), len(s.Components))
	}
	for i, c := range s.Components {
		end, word, err := take(c, a.Runs[i])
		if err != nil {
			return fmt.Errorf("component %s: %w", c.Name, err)
		}
		if err := project(s, i, word, a.Word); err != nil {
			return fmt.Errorf("component %s: %w", c.Name, err)
		}
		if !Final(c, end, a.Label) {
			return fmt.Errorf("component %s ends in a configuration that is not final for %q: control %d, stack %v", c.Name,
				a.Label, end.Control, end.Stack)
		}
	}
	return nil
}

// take follows a run and returns where it ends and the actions on the way.
func take(c *cpds.Component, run []int) (at cpds.Configuration, word []int, err error) {
	at.Control = c.Initial.Control
	stack := slices.Clone(c.Initial.Stack) // kept with the top last
	slices.Reverse(stack)
	for i, index := range run {
		if index < 0 || index >= len(c.Rules) {
			return at, nil, fmt.Errorf("step %d: no rule %d", i, index)
		}
		r := c.Rules[index]
		if r.From != at.Control || len(stack) == 0 || stack[len(stack)-1] != r.Top {
			return at, nil, fmt.Errorf("step %d: rule %d does not apply", i, index)
		}
		stack = stack[:len(stack)-1]
		for k := len(r.Push) - 1; k >= 0; k-- {
			stack = append(stack, r.Push[k])
		}
		at.Control = r.To
		if r.Action != cpds.Tau {
			word = append(word, r.Action)
		}
	}
	slices.Reverse(stack)
	at.Stack = stack
	return at, word, nil
}

// project compares the actions of a component's run with a word: private actions
// may be missing from the word.
func project(s *cpds.System, component int, run, word []int) error {
	alphabet := s.Components[component].Alphabet
	var want, got []int
	for _, a := range word {
		if slices.Contains(alphabet, a) {
			want = append(want, a)
		}
	}
	private := func(a int) bool {
		for i, c := range s.Components {
			if i != component && slices.Contains(c.Alphabet, a) {
				return false
			}
		}
		return !slices.Contains(word, a)
	}
	for _, a := range run {
		if !private(a) {
			got = append(got, a)
		}
	}
	if !slices.Equal(want, got) {
		return fmt.Errorf("the run has the actions %v instead of %v", got, want)
	}
	return nil
}

// Final tells whether a configuration of a component is final for a label: it is
// in a final with that label if the component has such finals, in any otherwise.
func Final(c *cpds.Component, at cpds.Configuration, label string) bool {
	if len(c.Final) == 0 {
		return true
	}
	named := slices.ContainsFunc(c.Final, func(f cpds.Final) bool { return f.Label == label })
	return slices.ContainsFunc(c.Final, func(f cpds.Final) bool {
		if named && f.Label != label || f.Control != at.Control || len(at.Stack) < len(f.Stack) {
			return false
		}
		return slices.Equal(at.Stack[:len(f.Stack)], f.Stack) && (f.Open || len(at.Stack) == len(f.Stack))
	})
}
