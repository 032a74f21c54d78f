package cpds

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// Most of what a process does is visible in few of the systems that it is part of: a guess shows the accesses of two
// units to two locations. So a thread leaves out the procedures in which nothing is visible, nor in what they call: a
// call of one goes on where it returns to. That changes no word, as from the call to the return there is none. One that
// may be unable to return, or only by way of what another system shows, stays where it is called.

// procedure is a clone of a function in a code.
type procedure struct {
	entry   int
	calls   []int // procedures
	callers []int
	doing   []int // the edges that may be visible in some system
}

// findProcedures divides the code into procedures, and finds out how they return.
func (c *code) findProcedures() {
	c.from = make([][]int, len(c.symbols))
	c.owner = make([]int, len(c.symbols))
	for s := range c.owner {
		c.owner[s] = -1
	}
	entries := []int{c.initial[0]}
	for i, e := range c.edges {
		c.from[e.from] = append(c.from[e.from], i)
		if e.isCall() {
			entries = append(entries, e.push[0])
		}
	}
	for _, entry := range entries {
		if c.owner[entry] < 0 {
			c.own(entry)
		}
	}
	for i, e := range c.edges {
		p := c.owner[e.from]
		if p < 0 {
			continue
		}
		if !e.isAlwaysSilent() {
			c.procedures[p].doing = append(c.procedures[p].doing, i)
		}
		if e.isCall() {
			q := c.owner[e.push[0]]
			c.procedures[p].calls = append(c.procedures[p].calls, q)
			c.procedures[q].callers = append(c.procedures[q].callers, p)
		}
	}
	for i := range c.procedures {
		p := &c.procedures[i]
		slices.Sort(p.calls)
		slices.Sort(p.callers)
		p.calls, p.callers = slices.Compact(p.calls), slices.Compact(p.callers)
	}
	c.findWaysBack()
}

// own makes a procedure of the symbols that lead on from an entry without a return.
func (c *code) own(entry int) {
	p := len(c.procedures)
	c.procedures = append(c.procedures, procedure{entry: entry})
	for work := []int{entry}; len(work) > 0; {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if c.owner[s] >= 0 {
			continue
		}
		c.owner[s] = p
		for _, i := range c.from[s] {
			if push := c.edges[i].push; len(push) > 0 {
				work = append(work, push[len(push)-1])
			}
		}
	}
}

// findWaysBack finds for each symbol the edge by which its procedure returns from there soonest, if it can by edges
// that nobody has to wait for, whatever system they are in.
func (c *code) findWaysBack() {
	c.back = make([]int, len(c.symbols))
	into := make([][]int, len(c.symbols)) // by symbol: the edges that need it to lead back
	var work []int
	for s := range c.back {
		c.back[s] = -1
	}
	reach := func(i int) {
		e := &c.edges[i]
		if c.back[e.from] >= 0 || !e.isFree() {
			return
		}
		for _, s := range e.push {
			if c.back[s] < 0 {
				return
			}
		}
		c.back[e.from] = i
		work = append(work, e.from)
	}
	for i, e := range c.edges {
		for _, s := range e.push {
			into[s] = append(into[s], i)
		}
		reach(i)
	}
	for len(work) > 0 {
		s := work[0]
		work = work[1:]
		for _, i := range into[s] {
			reach(i)
		}
	}
}

// isCall tells whether the edge pushes the entry of a procedure.
func (e *edge) isCall() bool { return len(e.push) == 2 }

// isAlwaysSilent tells whether the edge is visible in no system. A Forget is of concern only after a read of its own
// activation that is.
func (e *edge) isAlwaysSilent() bool { return e.op == esl.Skip || e.op == esl.Forget }

// isFree tells whether the edge can be taken in any system.
func (e *edge) isFree() bool {
	switch e.op {
	case esl.Access, esl.UnitBegin, esl.UnitEnd:
		return true
	}
	return e.isAlwaysSilent()
}

// wayBack returns the edges from an entry to the return of its procedure.
func (c *code) wayBack(entry int) (edges []int) {
	for stack := []int{entry}; len(stack) > 0; {
		i := c.back[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		edges = append(edges, i)
		push := slices.Clone(c.edges[i].push)
		slices.Reverse(push)
		stack = append(stack, push...)
	}
	return edges
}

// passed returns by procedure whether calls of it go on where it returns to, in the thread of an instance.
func (b *builder) passed(in esl.Instance, code *code) []bool {
	passed := make([]bool, len(code.procedures))
	var work []int
	stay := func(p int) {
		if passed[p] {
			passed[p] = false
			work = append(work, p)
		}
	}
	for p := range passed {
		passed[p] = true
	}
	isVisible := func(i int) bool { return !b.isSilent(in, *code.edges[i].label) }
	for p := range code.procedures {
		if p == code.owner[code.initial[0]] || slices.ContainsFunc(code.procedures[p].doing, isVisible) {
			stay(p)
		}
	}
	for k := 0; k < len(work); k++ {
		for _, q := range code.procedures[work[k]].callers {
			stay(q)
		}
	}
	for k := 0; k < len(work); k++ {
		for _, q := range code.procedures[work[k]].calls {
			if code.back[code.procedures[q].entry] < 0 { // it may be unable to return
				stay(q)
			}
		}
	}
	return passed
}

// pushOf returns what the edge pushes in a thread that passes procedures; ok is false if the thread does not have it.
func (c *code) pushOf(e *edge, passed []bool) (push []int, ok bool) {
	switch {
	case passed[c.owner[e.from]]:
		return nil, false
	case e.isCall() && passed[c.owner[e.push[0]]]:
		return e.push[1:], true
	}
	return e.push, true
}

// Steps returns the steps of a rule of a thread: one, and where it passes a procedure those until that returns.
func (m *Model) Steps(r Rule) []esl.Step {
	in, e := m.edgeOf(r.Origin)
	step := func(e *edge) esl.Step {
		s := e.step
		s.Instance = in
		return s
	}
	steps := []esl.Step{step(e)}
	if code := m.codes[in.Process]; e.isCall() && len(r.Push) == 1 {
		for _, i := range code.wayBack(e.push[0]) {
			steps = append(steps, step(&code.edges[i]))
		}
	}
	return steps
}
