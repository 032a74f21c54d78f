// Package enginetest helps to test decision engines: systems made at random and by
// hand, a naive explicit search, and a test that every engine must pass.
package enginetest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/empire-go/empire-go/cpds"
)

// Shape bounds the systems that Random makes.
type Shape struct {
	Components, Actions, Controls, Symbols, Rules int
}

// Random returns a system with at most as much of everything as the shape says,
// some components of it finite, some recursive.
func Random(r *rand.Rand, shape Shape) *cpds.System {
	s := &cpds.System{Name: "random"}
	for a := range 1 + r.IntN(shape.Actions) {
		s.Actions = append(s.Actions, string(rune('a'+a)))
	}
	for i := range 1 + r.IntN(shape.Components) {
		s.Components = append(s.Components, randomComponent(r, shape, s, i))
	}
	return s
}

func randomComponent(r *rand.Rand, shape Shape, s *cpds.System, index int) *cpds.Component {
	c := &cpds.Component{Name: fmt.Sprint("c", index)}
	for i := range 1 + r.IntN(shape.Controls) {
		c.Controls = append(c.Controls, fmt.Sprint("p", i))
	}
	for i := range 1 + r.IntN(shape.Symbols) {
		c.Symbols = append(c.Symbols, fmt.Sprint("g", i))
	}
	for a := range s.Actions {
		if r.IntN(4) > 0 {
			c.Alphabet = append(c.Alphabet, a)
		}
	}
	finite := r.IntN(4) == 0
	symbol := func() int { return r.IntN(len(c.Symbols)) }
	for range 1 + r.IntN(shape.Rules) {
		rule := cpds.Rule{From: r.IntN(len(c.Controls)), Top: symbol(), Action: cpds.Tau, To: r.IntN(len(c.Controls)),
			Origin: -1}
		if len(c.Alphabet) > 0 && r.IntN(4) > 0 {
			rule.Action = c.Alphabet[r.IntN(len(c.Alphabet))]
		}
		for range [...]int{0, 1, 1, 1, 2, 2}[r.IntN(6)] {
			rule.Push = append(rule.Push, symbol())
		}
		if finite {
			rule.Push = []int{symbol()}
		}
		c.Rules = append(c.Rules, rule)
	}
	c.Initial = cpds.Configuration{Control: r.IntN(len(c.Controls)), Stack: []int{symbol()}}
	if r.IntN(4) == 0 {
		c.Initial.Stack = append(c.Initial.Stack, symbol())
	}
	c.Final = randomFinals(r, c, index == 0)
	return c
}

func randomFinals(r *rand.Rand, c *cpds.Component, labelled bool) []cpds.Final {
	if !labelled && r.IntN(2) == 0 {
		return nil
	}
	var finals []cpds.Final
	for range 1 + r.IntN(3) {
		f := cpds.Final{Control: r.IntN(len(c.Controls)), Open: r.IntN(2) == 0}
		for range r.IntN(3) {
			f.Stack = append(f.Stack, r.IntN(len(c.Symbols)))
		}
		if labelled {
			f.Label = [...]string{"", "x", "y"}[r.IntN(3)]
		}
		finals = append(finals, f)
	}
	return finals
}

// Text returns a component given by lines "p top action q push...", with "-" as
// the silent action; it begins in the control and the symbol of the first rule.
// Names are numbered as they occur. Finals have the form "q stack..." and end in
// "*" if they are open.
type Text struct {
	Rules, Finals []string
}

// System makes a system of components given as text. Each has the actions of its
// rules in its alphabet.
func System(components ...Text) *cpds.System {
	s := &cpds.System{}
	actions := &names{}
	for i, t := range components {
		s.Components = append(s.Components, component(fmt.Sprint("c", i), t, actions))
	}
	s.Actions = actions.list
	return s
}

func component(name string, t Text, actions *names) *cpds.Component {
	c := &cpds.Component{Name: name}
	controls, symbols := &names{}, &names{}
	for i, line := range t.Rules {
		f := fields(line)
		r := cpds.Rule{From: controls.number(f[0]), Top: symbols.number(f[1]), Action: cpds.Tau, To: controls.number(f[3]),
			Origin: -1}
		if f[2] != "-" {
			r.Action = actions.number(f[2])
			if !slices.Contains(c.Alphabet, r.Action) {
				c.Alphabet = append(c.Alphabet, r.Action)
			}
		}
		for _, g := range f[4:] {
			r.Push = append(r.Push, symbols.number(g))
		}
		if i == 0 {
			c.Initial = cpds.Configuration{Control: r.From, Stack: []int{r.Top}}
		}
		c.Rules = append(c.Rules, r)
	}
	slices.Sort(c.Alphabet)
	for _, line := range t.Finals {
		f := fields(line)
		final := cpds.Final{Control: controls.number(f[0])}
		for _, g := range f[1:] {
			if g == "*" {
				final.Open = true
				continue
			}
			final.Stack = append(final.Stack, symbols.number(g))
		}
		c.Final = append(c.Final, final)
	}
	c.Controls, c.Symbols = controls.list, symbols.list
	return c
}
