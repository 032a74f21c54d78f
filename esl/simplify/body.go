package simplify

import (
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/limit"
)

// minimise returns the smallest body that does the same as body: the body as an
// automaton over its statements, without those that only move control, divided by
// bisimilarity.
func minimise(poll *limit.Poll, body []esl.Stmt) []esl.Stmt {
	m := newMachine(poll, body)
	m.refine()
	return m.emit()
}

// machine is a body as an automaton. Its points are the indices of statements, and
// the end. What can happen next at a point is the edges of the statements that
// control reaches from it silently.
type machine struct {
	poll  *limit.Poll
	body  []esl.Stmt
	label []string // by point: identifies its statement
	next  [][]int  // by point: the statements that can be executed next, ascending; len(body) stands for a return
	class []int    // by point: points of one class do the same
}

func newMachine(poll *limit.Poll, body []esl.Stmt) *machine {
	m := &machine{poll: poll, body: body, label: make([]string, len(body)+1), next: make([][]int, len(body)+1),
		class: make([]int, len(body)+1)}
	for i, s := range body {
		m.label[i] = identity(s)
	}
	for i := range m.next {
		poll.Check()
		m.next[i] = m.closure(i)
	}
	return m
}

// identity is equal for statements that are equal but for where they stand.
func identity(s esl.Stmt) string {
	return fmt.Sprintf("%d %d %d %q %v %q %v", s.Op, s.Arg, s.Access, s.Unit, s.With, s.Key, s.Pos)
}

// isSilent tells whether the statement only moves control within the function.
func isSilent(op esl.Op) bool { return op == esl.Skip || op == esl.Goto || op == esl.Choice }

// closure returns the statements that can be executed next at a point.
func (m *machine) closure(point int) []int {
	var found []int
	seen := map[int]bool{}
	work := []int{point}
	for len(work) > 0 {
		m.poll.Check()
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[i] {
			continue
		}
		seen[i] = true
		switch {
		case i == len(m.body) || m.body[i].Op == esl.Return:
			found = append(found, len(m.body))
		case m.body[i].Op == esl.Skip:
			work = append(work, i+1)
		case isSilent(m.body[i].Op):
			work = append(work, m.body[i].Targets...)
		default:
			found = append(found, i)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// refine computes the classes: first by what is open, then again and again by what
// can happen next and what class comes after it, until nothing is split.
func (m *machine) refine() {
	for i, open := range m.openUnits() {
		m.class[i] = open
	}
	for classes := 0; ; {
		numbers := map[string]int{}
		fresh := make([]int, len(m.class))
		for i := range m.class {
			m.poll.Check()
			key := m.signature(i)
			if _, ok := numbers[key]; !ok {
				numbers[key] = len(numbers)
			}
			fresh[i] = numbers[key]
		}
		m.class = fresh
		if len(numbers) == classes {
			return
		}
		classes = len(numbers)
	}
}

// signature is what distinguishes a point, as far as the classes so far tell.
func (m *machine) signature(point int) string {
	var edges []string
	for _, s := range m.next[point] {
		m.poll.Check()
		edges = append(edges, m.edge(s))
	}
	slices.Sort(edges)
	return fmt.Sprint(m.class[point], slices.Compact(edges))
}

// edge is a statement and the class that comes after it; of a return, only that.
func (m *machine) edge(stmt int) string {
	if stmt == len(m.body) {
		return "return"
	}
	return fmt.Sprintf("%s>%d", m.label[stmt], m.class[stmt+1])
}

// openUnits numbers the points by the units that are open there: a statement that
// ends one depends on them. Points that control does not reach are numbered apart.
func (m *machine) openUnits() []int {
	numbers := map[string]int{"unreached": 0}
	open := make([]int, len(m.body)+1)
	type visit struct {
		point int
		units openUnits
	}
	seen := make([]bool, len(open))
	work := []visit{{0, nil}}
	for len(work) > 0 {
		m.poll.Check()
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[v.point] {
			continue
		}
		seen[v.point] = true
		key := fmt.Sprint(v.units)
		if _, ok := numbers["open "+key]; !ok {
			numbers["open "+key] = len(numbers)
		}
		open[v.point] = numbers["open "+key]
		if v.point == len(m.body) {
			continue
		}
		units, targets := v.units, []int{v.point + 1}
		switch s := m.body[v.point]; s.Op {
		case esl.UnitBegin:
			units = units.with(s.Arg, m.label[v.point])
		case esl.UnitEnd:
			units = units.without(s.Arg)
		case esl.Goto, esl.Choice:
			targets = s.Targets
		case esl.Return:
			targets = nil
		}
		for _, t := range targets {
			work = append(work, visit{t, units})
		}
	}
	return open
}

// openUnits is the units that are open at a point: of each object, in order, those that were begun
// first come first. Units of different objects are independent of each other: one may end before
// another that was begun later.
type openUnits []openUnit

type openUnit struct {
	object int
	begin  string
}

// end returns where those of the object, and of the objects before it, end.
func (units openUnits) end(object int) int {
	end := 0
	for end < len(units) && units[end].object <= object {
		end++
	}
	return end
}

func (units openUnits) with(object int, begin string) openUnits {
	return slices.Insert(slices.Clone(units), units.end(object), openUnit{object, begin})
}

func (units openUnits) without(object int) openUnits {
	end := units.end(object)
	if end == 0 || units[end-1].object != object {
		return units
	}
	return slices.Delete(slices.Clone(units), end-1, end)
}

// emit writes the classes reachable from the entry as a body.
func (m *machine) emit() []esl.Stmt {
	e := &emitter{machine: m, at: map[int]int{}, blocks: map[string]int{}, choices: map[int][]int{}}
	e.from(0)
	for len(e.pending) > 0 {
		m.poll.Check()
		stmt := e.pending[0]
		e.pending = e.pending[1:]
		if _, done := e.blocks[m.edge(stmt)]; !done && e.write(stmt) {
			e.from(stmt + 1)
		}
	}
	for choice, edges := range e.choices {
		for _, s := range edges {
			e.out[choice].Targets = append(e.out[choice].Targets, e.blocks[m.edge(s)])
		}
	}
	return e.out
}

// emitter writes a body.
type emitter struct {
	*machine
	out     []esl.Stmt
	at      map[int]int    // by class: where its code is
	blocks  map[string]int // by edge: where its statement is
	choices map[int][]int  // by index of a choice: the statements that it chooses from
	pending []int          // statements that a choice needs
}

// from writes the code of the class of a point, and of those that follow, up to a
// choice, a return, or code that is there already.
func (e *emitter) from(point int) {
	for {
		class := e.class[point]
		if at, done := e.at[class]; done {
			e.out = append(e.out, esl.Stmt{Op: esl.Goto, Targets: []int{at}})
			return
		}
		e.at[class] = len(e.out)
		edges := e.edges(point)
		if len(edges) != 1 {
			e.choices[len(e.out)] = edges
			e.out = append(e.out, esl.Stmt{Op: esl.Choice})
			e.pending = append(e.pending, edges...)
			return
		}
		if !e.write(edges[0]) {
			return
		}
		point = edges[0] + 1
	}
}

// write writes one statement and tells whether control goes on behind it.
func (e *emitter) write(stmt int) bool {
	if _, done := e.blocks[e.edge(stmt)]; !done {
		e.blocks[e.edge(stmt)] = len(e.out)
	}
	if stmt == len(e.body) {
		e.out = append(e.out, esl.Stmt{Op: esl.Return})
		return false
	}
	e.out = append(e.out, e.body[stmt])
	return true
}

// edges returns one statement for each edge out of a point, in order.
func (e *emitter) edges(point int) []int {
	var all []int
	for _, s := range e.next[point] {
		if !slices.ContainsFunc(all, func(o int) bool { return e.edge(o) == e.edge(s) }) {
			all = append(all, s)
		}
	}
	return all
}
