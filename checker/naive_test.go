package checker

import (
	"context"
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/cpds"
)

// naive is an engine that is easy to understand: it explores the product of the
// components breadth first, each as the deterministic automaton of the sets of
// configurations that it can be in, with stacks of at most Depth symbols. Its words
// are shortest ones. It shares no code with the real engines.
type naive struct{ Depth int }

func (naive) Name() string { return "naive" }

func (n naive) Decide(ctx context.Context, s *cpds.System, limits Limits) []Answer {
	e := &exploration{system: s, seen: map[string]bool{}}
	for _, c := range s.Components {
		e.automata = append(e.automata, newSubsets(c, n.Depth))
	}
	labels := s.Labels()
	answers := make([]Answer, len(labels))
	for i, l := range labels {
		answers[i].Label = l
	}
	e.add(make([]int, len(s.Components)), -1, -1)
	for k := 0; k < len(e.queue); k++ {
		if ctx.Err() != nil || limits.States > 0 && k > limits.States {
			e.stopped = true
			break
		}
		e.answer(k, answers)
		for action := range s.Actions {
			if next := e.step(e.queue[k].sets, action); next != nil {
				e.add(next, k, action)
			}
		}
	}
	for i := range answers {
		a := &answers[i]
		a.Work = Work{States: len(e.queue)}
		switch {
		case a.Status == Common:
		case e.stopped:
			a.Reason = "more states than the limit"
		case slices.ContainsFunc(e.automata, func(s *subsets) bool { return s.cut }):
			a.Reason = fmt.Sprintf("a stack of more than %d symbols", n.Depth)
		default:
			a.Status = Empty
		}
	}
	return answers
}

type exploration struct {
	system   *cpds.System
	automata []*subsets
	queue    []product
	seen     map[string]bool
	stopped  bool
}

type product struct {
	sets           []int
	parent, action int
}

func (e *exploration) add(sets []int, parent, action int) {
	if key := fmt.Sprint(sets); !e.seen[key] {
		e.seen[key] = true
		e.queue = append(e.queue, product{sets, parent, action})
	}
}

// step returns the sets after an action, or nil if a component blocks it.
func (e *exploration) step(sets []int, action int) []int {
	next := slices.Clone(sets)
	taken := false
	for i, c := range e.system.Components {
		if slices.Contains(c.Alphabet, action) {
			taken = true
			if next[i] = e.automata[i].after(sets[i], action); next[i] < 0 {
				return nil
			}
		}
	}
	if !taken {
		return nil
	}
	return next
}

// answer records the labels that the kth state reaches first.
func (e *exploration) answer(k int, answers []Answer) {
	for i := range answers {
		a := &answers[i]
		if a.Status == Common {
			continue
		}
		ends := make([]int, len(e.automata))
		for j, s := range e.automata {
			if ends[j] = s.final(e.queue[k].sets[j], a.Label); ends[j] < 0 {
				ends = nil
				break
			}
		}
		if ends == nil {
			continue
		}
		a.Status, a.By = Common, "search"
		for at := k; e.queue[at].parent >= 0; at = e.queue[at].parent {
			a.Word = append(a.Word, e.queue[at].action)
		}
		slices.Reverse(a.Word)
		for j, s := range e.automata {
			a.Runs = append(a.Runs, s.run(a.Word, ends[j]))
		}
	}
}

// subsets is the deterministic automaton of a component, built on demand.
type subsets struct {
	component *cpds.Component
	depth     int
	cut       bool // a configuration was left out because its stack is too high

	configurations []cpds.Configuration
	ids            map[string]int
	sets           [][]int // of configurations, closed under silent rules, ascending
	setIDs         map[string]int
	next           []map[int]int
}

func newSubsets(c *cpds.Component, depth int) *subsets {
	s := &subsets{component: c, depth: depth, ids: map[string]int{}, setIDs: map[string]int{}}
	s.set([]int{s.id(c.Initial)})
	return s
}

func (s *subsets) id(c cpds.Configuration) int {
	key := fmt.Sprint(c)
	id, ok := s.ids[key]
	if !ok {
		id = len(s.configurations)
		s.ids[key] = id
		s.configurations = append(s.configurations, c)
	}
	return id
}

// moves calls f with the rules with the action that apply, and where they lead.
func (s *subsets) moves(from, action int, f func(rule, to int)) {
	c := s.configurations[from]
	if len(c.Stack) == 0 {
		return
	}
	for i, r := range s.component.Rules {
		if r.From != c.Control || r.Top != c.Stack[0] || r.Action != action {
			continue
		}
		stack := append(slices.Clone(r.Push), c.Stack[1:]...)
		if len(stack) > s.depth {
			s.cut = true
			continue
		}
		f(i, s.id(cpds.Configuration{Control: r.To, Stack: stack}))
	}
}

// set closes a set under silent rules and returns its number; -1 if it is empty.
func (s *subsets) set(configurations []int) int {
	if len(configurations) == 0 {
		return -1
	}
	in := map[int]bool{}
	var work []int
	add := func(_, c int) {
		if !in[c] {
			in[c] = true
			work = append(work, c)
		}
	}
	for _, c := range configurations {
		add(0, c)
	}
	for i := 0; i < len(work); i++ {
		s.moves(work[i], cpds.Tau, add)
	}
	slices.Sort(work)
	key := fmt.Sprint(work)
	id, ok := s.setIDs[key]
	if !ok {
		id = len(s.sets)
		s.setIDs[key] = id
		s.sets = append(s.sets, work)
		s.next = append(s.next, map[int]int{})
	}
	return id
}

func (s *subsets) after(set, action int) int {
	next, ok := s.next[set][action]
	if !ok {
		var to []int
		for _, c := range s.sets[set] {
			s.moves(c, action, func(_, c int) { to = append(to, c) })
		}
		next = s.set(to)
		s.next[set][action] = next
	}
	return next
}

// final returns a configuration of the set that is final for the label, or -1.
func (s *subsets) final(set int, label string) int {
	if len(s.component.Final) == 0 {
		return s.sets[set][0]
	}
	named := slices.ContainsFunc(s.component.Final, func(f cpds.Final) bool { return f.Label == label })
	for _, id := range s.sets[set] {
		c := s.configurations[id]
		for _, f := range s.component.Final {
			if (!named || f.Label == label) && f.Control == c.Control && len(c.Stack) >= len(f.Stack) &&
				slices.Equal(f.Stack, c.Stack[:len(f.Stack)]) && (f.Open || len(f.Stack) == len(c.Stack)) {
				return id
			}
		}
	}
	return -1
}

// run returns rules that lead over the word to the configuration end, by a search
// over pairs of a position in the word and a configuration.
func (s *subsets) run(word []int, end int) []int {
	word = slices.DeleteFunc(slices.Clone(word), func(a int) bool { return !slices.Contains(s.component.Alphabet, a) })
	type place struct{ at, configuration int }
	type step struct {
		from place
		rule int
	}
	by := map[place]step{}
	start := place{0, 0}
	queue := []place{start}
	by[start] = step{rule: -1}
	for i := 0; i < len(queue); i++ {
		p := queue[i]
		if p == (place{len(word), end}) {
			var rules []int
			for by[p].rule >= 0 {
				rules = append(rules, by[p].rule)
				p = by[p].from
			}
			slices.Reverse(rules)
			return rules
		}
		visit := func(at int) func(rule, to int) {
			return func(rule, to int) {
				q := place{at, to}
				if _, ok := by[q]; !ok {
					by[q] = step{p, rule}
					queue = append(queue, q)
				}
			}
		}
		s.moves(p.configuration, cpds.Tau, visit(p.at))
		if p.at < len(word) {
			s.moves(p.configuration, word[p.at], visit(p.at+1))
		}
	}
	panic("no run leads there")
}
