package blocking

import (
	"fmt"
	"slices"
	"testing"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
)

// The definition of who hinders each other, on the states of the interpreter, without regard to what it costs.

// graph is the states of a program, between the local steps, and the steps between them.
type graph struct {
	states []*interp.State
	steps  [][]moved
}

// moved is a step of a thread to another state.
type moved struct {
	who, to  int
	from, at string // the places before and after it
}

// attempt is a step that a thread tries again and again.
type attempt struct {
	who      int
	from, to string
	thread   *interp.Thread // when it is at the place
	leaves   bool
}

// placeOf is where a thread is.
func placeOf(s *interp.State, i int) string {
	return fmt.Sprint(s.Threads[i].Started, s.Threads[i].Stack)
}

// settled takes the local steps of the threads.
func settled(t *testing.T, s *interp.State) *interp.State {
	for range 100 {
		before := s
		for i, th := range s.Threads {
			if len(th.Stack) == 0 || s.Ended {
				continue
			}
			top := th.Stack[len(th.Stack)-1]
			body := s.Program.Functions[top.Function].Body
			if top.Next < len(body) && !isLocal(body[top.Next]) {
				continue
			}
			next, err := interp.Apply(s, interp.EnabledBy(s, i)[0])
			if err != nil {
				t.Fatal(err)
			}
			s = next
		}
		if s == before {
			break
		}
	}
	return s
}

func graphOf(t *testing.T, p *esl.Program) *graph {
	g := &graph{states: []*interp.State{settled(t, interp.Initial(p))}}
	index := map[string]int{textOf(g.states[0]): 0}
	for n := 0; n < len(g.states); n++ {
		s := g.states[n]
		var own []moved
		for i := range s.Threads {
			for _, step := range interp.EnabledBy(s, i) {
				next, err := interp.Apply(s, step)
				if err != nil {
					t.Fatal(err)
				}
				next = settled(t, next)
				k, ok := index[textOf(next)]
				if !ok {
					k = len(g.states)
					index[textOf(next)] = k
					g.states = append(g.states, next)
				}
				own = append(own, moved{i, k, placeOf(s, i), placeOf(next, i)})
			}
		}
		g.steps = append(g.steps, own)
	}
	return g
}

// components returns the states that are reached from each other by some steps, at least one.
func (g *graph) components(isOne func(moved) bool) (all [][]int) {
	reach := make([]map[int]bool, len(g.states))
	for n := range g.states {
		reach[n] = map[int]bool{}
		for queue := []int{n}; len(queue) > 0; queue = queue[1:] {
			for _, m := range g.steps[queue[0]] {
				if isOne(m) && !reach[n][m.to] {
					reach[n][m.to] = true
					queue = append(queue, m.to)
				}
			}
		}
	}
	isSeen := map[int]bool{}
	for n := range g.states {
		if !reach[n][n] || isSeen[n] {
			continue
		}
		var c []int
		for k := range g.states {
			if reach[n][k] && reach[k][n] {
				c = append(c, k)
				isSeen[k] = true
			}
		}
		all = append(all, c)
	}
	return all
}

// attempts returns the steps that threads try again and again.
func (g *graph) attempts() (all []attempt) {
	next := map[int]map[string][]string{} // of the places of threads
	at := map[string]*interp.Thread{}
	for _, c := range g.components(func(moved) bool { return true }) {
		for _, n := range c {
			for _, m := range g.steps[n] {
				if next[m.who] == nil {
					next[m.who] = map[string][]string{}
				}
				if !slices.Contains(next[m.who][m.from], m.at) {
					next[m.who][m.from] = append(next[m.who][m.from], m.at)
				}
				at[fmt.Sprint(m.who, m.from)] = g.states[n].Threads[m.who]
			}
		}
	}
	for who := range len(g.states[0].Threads) {
		isBack := func(from, to string) bool {
			seen := map[string]bool{to: true}
			for queue := []string{to}; len(queue) > 0; queue = queue[1:] {
				if queue[0] == from {
					return true
				}
				for _, o := range next[who][queue[0]] {
					if !seen[o] {
						seen[o] = true
						queue = append(queue, o)
					}
				}
			}
			return false
		}
		for from, ways := range next[who] {
			for _, to := range ways {
				if slices.ContainsFunc(ways, func(o string) bool { return o != to && isBack(from, o) }) {
					all = append(all, attempt{who, from, to, at[fmt.Sprint(who, from)], !isBack(from, to)})
				}
			}
		}
	}
	return all
}

// couldDo tells whether a thread could take a step in a state if it were at its place. What is done as nothing else can
// be is no step to try.
func (g *graph) couldDo(t *testing.T, n int, a attempt) bool {
	s := g.states[n].Clone()
	s.Threads = slices.Clone(s.Threads)
	s.Threads[a.who] = a.thread
	top := a.thread.Stack[len(a.thread.Stack)-1]
	body := s.Program.Functions[top.Function].Body
	for _, step := range interp.EnabledBy(s, a.who) {
		targets := body[top.Next].Targets
		isDefault := body[top.Next].Op == esl.SelectDefault && step.Index == targets[len(targets)-1]
		next, err := interp.Apply(s, step)
		if err != nil {
			t.Fatal(err)
		}
		if placeOf(settled(t, next), a.who) == a.to && !isDefault {
			return true
		}
	}
	return false
}

// hinderedBy returns those of some attempts in which threads hinder each other in a component of some steps.
func (g *graph) hinderedBy(t *testing.T, c []int, all []attempt, isOne func(moved) bool) (some []attempt) {
	for i := range g.states[0].Threads {
		isFair := false
		for _, n := range c {
			can := false
			for _, m := range g.steps[n] {
				can = can || m.who == i
				isFair = isFair || m.who == i && isOne(m) && slices.Contains(c, m.to)
			}
			isFair = isFair || !can
		}
		if !isFair {
			return nil
		}
	}
	within := func(f func(n int, m moved) bool) bool {
		return slices.ContainsFunc(c, func(n int) bool {
			return slices.ContainsFunc(g.steps[n], func(m moved) bool {
				return isOne(m) && slices.Contains(c, m.to) && f(n, m)
			})
		})
	}
	for _, a := range all {
		if within(func(n int, m moved) bool { return m.who == a.who && m.from == a.from && !g.couldDo(t, n, a) }) {
			some = append(some, a)
		}
	}
	for before := -1; before != len(some); {
		before = len(some)
		old := slices.Clone(some)
		some = slices.DeleteFunc(some, func(a attempt) bool {
			return !within(func(n int, m moved) bool {
				isLost := m.who != a.who && g.couldDo(t, n, a) && !g.couldDo(t, m.to, a)
				return isLost && slices.ContainsFunc(old, func(b attempt) bool {
					return b.who == m.who && (b.from != m.from || b.to != m.at)
				})
			})
		})
	}
	if !slices.ContainsFunc(some, func(a attempt) bool { return a.who != some[0].who }) {
		return nil
	}
	return some
}

// hindered returns where threads of a program of few states hinder each other for certain, and whether they may.
func hindered(t *testing.T, p *esl.Program) (certain map[interp.Place]bool, may bool) {
	g := graphOf(t, p)
	all := g.attempts()
	var leaving []attempt
	for _, a := range all {
		if a.leaves {
			leaving = append(leaving, a)
		}
	}
	without := func(fail []attempt) func(moved) bool {
		return func(m moved) bool {
			return !slices.ContainsFunc(fail, func(a attempt) bool {
				return a.who == m.who && a.from == m.from && a.to == m.at
			})
		}
	}
	certain = map[interp.Place]bool{}
	isOne := without(leaving)
	for _, c := range g.components(isOne) {
		for _, a := range g.hinderedBy(t, c, leaving, isOne) {
			top := a.thread.Stack[len(a.thread.Stack)-1]
			certain[interp.Place{Process: a.thread.Process, Function: top.Function, Index: top.Next}] = true
		}
	}
	for k, a := range all {
		for _, b := range all[:k] {
			if a.who == b.who {
				continue
			}
			isOne := without([]attempt{a, b})
			for _, c := range g.components(isOne) {
				some := g.hinderedBy(t, c, all, isOne)
				may = may || slices.Contains(some, a) && slices.Contains(some, b)
			}
		}
	}
	return certain, may
}
