package poststar

import (
	"context"
	"errors"
	"slices"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/cpds"
)

// maxRun bounds the length of a run: the shortest one can be exponential in the
// size of the system.
const maxRun = 1 << 22

// ErrRun means that a configuration is reachable but its run is too long to build.
var ErrRun = errors.New("the run is longer than 4194304 rules")

// Reaches tells whether a configuration of the component is reachable (with a
// word that Guide accepts, if there is one).
func (s *Saturation) Reaches(c cpds.Configuration) bool { return s.path(c) != nil }

// Witness returns a run from the initial configuration to c: indices into the
// component's rules, or nil if c is not reachable (an empty run is not nil).
func (s *Saturation) Witness(c cpds.Configuration) ([]int, error) {
	path := s.path(c)
	if path == nil {
		return nil, nil
	}
	return s.unwind(path)
}

// FoundRun returns the run to the goal that was found.
func (s *Saturation) FoundRun() ([]int, error) {
	path := []int32{int32(s.Found)}
	for state := s.Transitions[s.Found].To; state != s.final; {
		t := s.firstFrom(state)
		path = append(path, t)
		state = s.Transitions[t].To
	}
	return s.unwind(path)
}

// firstFrom returns the first transition that was made from a state below the
// controls. It leads to a state that is older, so that following it ends.
func (s *Saturation) firstFrom(state int32) int32 {
	t := s.out[state-s.middle]
	for s.Transitions[t].next >= 0 {
		t = s.Transitions[t].next
	}
	return t
}

// path returns the transitions that accept a configuration, nil if there are none.
func (s *Saturation) path(c cpds.Configuration) []int32 {
	for g := range s.width {
		if s.guide != nil && s.guide.Accept[g] == automaton.None {
			continue
		}
		from := int32(c.Control)*s.width + g
		if len(c.Stack) == 0 {
			if t := s.Find(from, silent, s.final); t >= 0 {
				return []int32{int32(t)}
			}
			continue
		}
		if path := s.search(from, c.Stack); path != nil {
			return path
		}
	}
	return nil
}

// search goes through the layers of states that the stack leads to.
func (s *Saturation) search(from int32, stack []int) []int32 {
	type step struct{ state, transition, previous int32 }
	layers := [][]step{{{from, -1, -1}}}
	for _, symbol := range stack {
		var layer []step
		seen := map[int32]bool{}
		for i, at := range layers[len(layers)-1] {
			for to := s.middle; to <= s.final; to++ {
				if t := s.Find(at.state, int32(symbol), to); t >= 0 && !seen[to] {
					seen[to] = true
					layer = append(layer, step{to, int32(t), int32(i)})
				}
			}
		}
		layers = append(layers, layer)
	}
	last := layers[len(layers)-1]
	i := int32(slices.IndexFunc(last, func(x step) bool { return x.state == s.final }))
	if i < 0 {
		return nil
	}
	var path []int32
	for l := len(layers) - 1; l > 0; l-- {
		path = append(path, layers[l][i].transition)
		i = layers[l][i].previous
	}
	slices.Reverse(path)
	return path
}

// unwind undoes the steps that made the transitions of a path, last step first.
// Each replaces transitions by older ones, so that it ends.
func (s *Saturation) unwind(path []int32) ([]int, error) {
	stack := slices.Clone(path) // top last
	slices.Reverse(stack)
	run := []int{}
	for len(stack) > 0 {
		t := s.Transitions[stack[len(stack)-1]]
		rule := t.step
		switch t.step {
		case initially:
			slices.Reverse(run)
			return run, nil
		case joined:
			stack = append(stack[:len(stack)-1], t.second, t.before)
			continue
		case pushed:
			lower := s.Transitions[stack[len(stack)-2]]
			rule = lower.step
			stack = append(stack[:len(stack)-2], lower.before)
		default:
			stack = append(stack[:len(stack)-1], t.before)
		}
		if i := int(s.Pushdown.Rules[rule].Index); i < s.Pushdown.rules {
			run = append(run, i)
		}
		if len(run) > maxRun {
			return nil, ErrRun
		}
	}
	return run, nil
}

// Accepts finds out whether a component has a run whose word guide accepts to a
// final configuration with a label. The run is nil if it has none.
func Accepts(ctx context.Context, p *Pushdown, labels *automaton.Labels, guide *automaton.Automaton, label, limit int) (
	[]int, error) {
	s, err := Saturate(ctx, p, labels, Query{Guide: guide, Goal: true, Label: label, Limit: limit})
	if err != nil || s.Found < 0 {
		return nil, err
	}
	return s.FoundRun()
}

// An activation is a state that is not a control, counted from 0: first the heads
// that are pushed, then the places in the initial stack, top first.

// Activations returns the number of activations, for a saturation without Guide.
func (s *Saturation) Activations() int { return int(s.final-s.middle) + 1 }

// Activation returns the activation of a state that is not a control.
func (s *Saturation) Activation(state int32) int32 { return state - s.middle }

// StateOf returns the state of an activation.
func (s *Saturation) StateOf(activation int32) int32 { return activation + s.middle }

// IsControl tells whether a state is a control.
func (s *Saturation) IsControl(state int32) bool { return state < s.middle }

// Silent tells whether the transition pops the last symbol above To.
func (t Transition) Silent() bool { return t.Symbol == silent }

// MidHead returns the control and the symbol with which a pushed activation begins.
func (s *Saturation) MidHead(activation int32) (control, symbol int32) {
	m := s.Pushdown.mids[activation]
	return int32(m >> 32), int32(m & 0xffffffff)
}

// Visited tells for each state of Guide whether a run leads to it.
func (s *Saturation) Visited() []bool {
	visited := make([]bool, s.width)
	for _, t := range s.Transitions {
		if t.From < s.middle {
			visited[t.From%s.width] = true
		}
	}
	return visited
}

// Ends tells for each state of Guide whether a run leads to it, and to a configuration
// that is final for the label.
func (s *Saturation) Ends(labels *automaton.Labels, label int) []bool {
	ends := make([]bool, s.width)
	for _, t := range s.Transitions {
		if t.From >= s.middle {
			continue
		}
		final := s.Pushdown.Anywhere[t.From/s.width]
		if t.Silent() {
			final = automaton.None
			if t.To == s.final {
				final = s.Pushdown.Emptied[t.From/s.width]
			}
		}
		if labels.Has(final, label) {
			ends[t.From%s.width] = true
		}
	}
	return ends
}
