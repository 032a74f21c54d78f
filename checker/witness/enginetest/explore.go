package enginetest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/checker/witness"
	"github.com/empire-go/empire-go/cpds"
)

// names numbers names in the order in which they occur.
type names struct{ list []string }

func (n *names) number(name string) int {
	if i := slices.Index(n.list, name); i >= 0 {
		return i
	}
	n.list = append(n.list, name)
	return len(n.list) - 1
}

func fields(line string) []string { return strings.Fields(line) }

// Labels returns the labels of a system as an engine must answer them.
func Labels(s *cpds.System) []string {
	n := &names{}
	for _, c := range s.Components {
		for _, f := range c.Final {
			if f.Label != "" {
				n.number(f.Label)
			}
		}
	}
	if len(n.list) == 0 {
		return []string{""}
	}
	return n.list
}

// Explore searches a system explicitly, breadth-first by words, with stacks of at
// most depth symbols and at most states global configurations. It returns the
// number of shared actions on a way with as few of them as possible to each label
// that it reaches, and whether it saw all configurations.
func Explore(s *cpds.System, depth, states int) (shortest map[string]int, complete bool) {
	shared := sharedActions(s)
	initial := make([]cpds.Configuration, len(s.Components))
	for i, c := range s.Components {
		initial[i] = c.Initial
	}
	shortest, complete = map[string]int{}, true
	seen := map[string]bool{}
	layer := [][]cpds.Configuration{initial}
	for length := 0; len(layer) > 0; length++ {
		var later [][]cpds.Configuration
		for i := 0; i < len(layer); i++ { // grows by silent steps
			g := layer[i]
			if seen[fmt.Sprint(g)] {
				continue
			}
			seen[fmt.Sprint(g)] = true
			if len(seen) > states {
				return shortest, false
			}
			for _, label := range Labels(s) {
				if _, ok := shortest[label]; !ok && final(s, g, label) {
					shortest[label] = length
				}
			}
			for action := cpds.Tau; action < len(s.Actions); action++ {
				next, cut := successors(s, g, action, depth)
				complete = complete && !cut
				if action != cpds.Tau && shared[action] {
					later = append(later, next...)
				} else {
					layer = append(layer, next...)
				}
			}
		}
		layer = later
	}
	return shortest, complete
}

// sharedActions tells which actions count in words: those of two alphabets, or all
// if there is none.
func sharedActions(s *cpds.System) []bool {
	shared := make([]bool, len(s.Actions))
	for a := range shared {
		n := 0
		for _, c := range s.Components {
			if slices.Contains(c.Alphabet, a) {
				n++
			}
		}
		shared[a] = n > 1
	}
	if !slices.Contains(shared, true) {
		for a := range shared {
			shared[a] = true
		}
	}
	return shared
}

func final(s *cpds.System, g []cpds.Configuration, label string) bool {
	for i, c := range s.Components {
		if !witness.Final(c, g[i], label) {
			return false
		}
	}
	return true
}

// successors takes an action with all components that have it at once, or the
// silent one with one component. cut tells whether a stack was too deep.
func successors(s *cpds.System, g []cpds.Configuration, action, depth int) (next [][]cpds.Configuration, cut bool) {
	if action != cpds.Tau {
		next = append(next, g)
	}
	for i, c := range s.Components {
		if action != cpds.Tau && !slices.Contains(c.Alphabet, action) {
			continue
		}
		from := next
		if action == cpds.Tau {
			from = [][]cpds.Configuration{g}
		} else {
			next = nil
		}
		for _, h := range from {
			for _, r := range c.Rules {
				at := h[i]
				if r.Action != action || r.From != at.Control || len(at.Stack) == 0 || at.Stack[0] != r.Top {
					continue
				}
				stack := append(slices.Clone(r.Push), at.Stack[1:]...)
				if len(stack) > depth {
					cut = true
					continue
				}
				to := slices.Clone(h)
				to[i] = cpds.Configuration{Control: r.To, Stack: stack}
				next = append(next, to)
			}
		}
	}
	if action != cpds.Tau && len(next) == 1 && &next[0][0] == &g[0] {
		return nil, cut // an action of no component
	}
	return next, cut
}
