package simplify

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/limit"
)

// minimise returns the smallest body that does the same as body: the body as an
// automaton over its statements, without those that only move control, divided by
// bisimilarity. A body in which nearly every statement can come next nearly everywhere, as where one
// optional access follows another for thousands of lines, is left as it is.
func minimise(poll *limit.Poll, body []esl.Stmt) []esl.Stmt {
	m := newMachine(poll, body)
	if m == nil {
		return body
	}
	m.refine()
	return m.emit()
}

// machine is a body as an automaton. Its points are the indices of statements, and
// the end. What can happen next at a point is the edges of the statements that
// control reaches from it silently.
type machine struct {
	poll  *limit.Poll
	body  []esl.Stmt
	label []int   // by point: numbers the statements that are equal but for where they stand
	open  []int   // by point: numbers what is open there, see openUnits
	same  []int   // by point: the one that control comes to next, where it is silent and has no choice
	next  [][]int // by point: the statements that can be executed next, ascending; len(body) stands for a return
	class []int   // by point: points of one class do the same

	silent int   // the steps that closure has made
	seen   []int // by point: the last one, plus one, from which closure has come there
	work   []int // of closure
}

// maxSilent bounds the silent steps that are followed from each statement, on average.
const maxSilent = 1000

// newMachine returns nil if there are too many silent steps.
func newMachine(poll *limit.Poll, body []esl.Stmt) *machine {
	size := len(body) + 1
	m := &machine{poll: poll, body: body, label: make([]int, size), same: make([]int, size), next: make([][]int, size),
		class: make([]int, size), seen: make([]int, size)}
	numbers := map[string]int{}
	var id []byte
	for i, s := range body {
		id = s.AppendIdentity(id[:0])
		number, known := numbers[string(id)]
		if !known {
			number = len(numbers)
			numbers[string(id)] = number
		}
		m.label[i] = number
	}
	m.open = m.openUnits()
	for i := range m.same {
		m.same[i] = m.goesTo(i)
	}
	for i, to := range m.same {
		poll.Step(limit.Simplified)
		if to == i {
			m.next[i] = m.closure(i)
		}
		if m.silent > maxSilent*size {
			return nil
		}
	}
	for i, to := range m.same {
		m.next[i] = m.next[to]
	}
	return m
}

// goesTo returns the point that control comes to from a point, through statements that only move it
// and leave no choice, as far as the same units are open there; the point itself if that never ends.
func (m *machine) goesTo(point int) int {
	at := point
	for range m.body {
		if at == len(m.body) || m.body[at].Op != esl.Goto && m.body[at].Op != esl.Skip {
			return at
		}
		next := at + 1
		if m.body[at].Op == esl.Goto {
			next = m.body[at].Targets[0]
		}
		if m.open[next] != m.open[at] { // it is not reached
			return at
		}
		at = next
	}
	return point
}

// identity is equal for statements that are equal but for where they stand.
func identity(s esl.Stmt) string { return string(s.AppendIdentity(nil)) }

// isSilent tells whether the statement only moves control within the function.
func isSilent(op esl.Op) bool { return op == esl.Skip || op == esl.Goto || op == esl.Choice }

// closure returns the statements that can be executed next at a point.
func (m *machine) closure(point int) []int {
	var found []int
	work := append(m.work[:0], point)
	for len(work) > 0 {
		m.poll.Step(limit.Simplified)
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if m.seen[i] == point+1 {
			continue
		}
		m.seen[i] = point + 1
		m.silent++
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
	m.work = work
	slices.Sort(found)
	return slices.Compact(found)
}

// refine computes the classes: first by what is open, then by what can happen next and what class
// comes after it, until nothing is split. Looked at again are only points of which what comes after
// has got a new class; of the parts of a class the largest keeps the number, so that each point gets
// a new one O(log n) times.
func (m *machine) refine() {
	copy(m.class, m.open)
	before := make([][]int, len(m.next)) // by point: the points from which a statement leads to it
	members := map[int][]int{}
	var changed []int
	for i, next := range m.next {
		if m.same[i] != i {
			continue
		}
		for _, s := range next {
			if s < len(m.body) {
				before[m.same[s+1]] = append(before[m.same[s+1]], i)
			}
		}
		members[m.class[i]] = append(members[m.class[i]], i)
		changed = append(changed, i)
	}
	fresh := slices.Max(m.class) + 1
	signatures := make([]string, len(m.next))
	for len(changed) > 0 {
		var split []int // the classes to look at, each once
		seen := map[int]bool{}
		for _, i := range changed {
			m.poll.Step(limit.Simplified)
			signatures[i] = m.signature(i)
			if !seen[m.class[i]] {
				seen[m.class[i]] = true
				split = append(split, m.class[i])
			}
		}
		changed = changed[:0]
		again := map[int]bool{}
		for _, class := range split {
			for _, part := range m.parts(members[class], signatures) {
				members[fresh] = part
				for _, i := range part {
					m.class[i] = fresh
					for _, p := range before[i] {
						if !again[p] {
							again[p] = true
							changed = append(changed, p)
						}
					}
				}
				fresh++
			}
			members[class] = slices.DeleteFunc(members[class], func(i int) bool { return m.class[i] != class })
		}
	}
	for i, to := range m.same {
		m.class[i] = m.class[to]
	}
}

// parts returns the parts of a class whose points have one signature each, but for the largest.
func (m *machine) parts(points []int, signatures []string) [][]int {
	var parts [][]int
	index := map[string]int{}
	largest := 0
	for _, i := range points {
		at, known := index[signatures[i]]
		if !known {
			at = len(parts)
			index[signatures[i]] = at
			parts = append(parts, nil)
		}
		parts[at] = append(parts[at], i)
	}
	for at, part := range parts {
		if len(part) > len(parts[largest]) {
			largest = at
		}
	}
	return slices.Delete(parts, largest, largest+1)
}

// signature is what distinguishes a point of its class, as far as the classes so far tell.
func (m *machine) signature(point int) string {
	edges := make([]edge, 0, len(m.next[point]))
	for _, s := range m.next[point] {
		edges = append(edges, m.edge(s))
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(a.label-b.label, a.class-b.class) })
	key := make([]byte, 0, 4*len(edges))
	for _, e := range slices.Compact(edges) {
		key = binary.AppendVarint(binary.AppendVarint(key, int64(e.label)), int64(e.class))
	}
	return string(key)
}

// edge is a statement and the class that comes after it; of a return, none.
type edge struct{ label, class int }

func (m *machine) edge(stmt int) edge {
	if stmt == len(m.body) {
		return edge{-1, -1}
	}
	return edge{m.label[stmt], m.class[m.same[stmt+1]]}
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
		m.poll.Step(limit.Simplified)
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[v.point] {
			continue
		}
		seen[v.point] = true
		open[v.point] = v.units.number(numbers)
		if v.point == len(m.body) {
			continue
		}
		units, targets := v.units, []int{v.point + 1}
		switch s := m.body[v.point]; s.Op {
		case esl.UnitBegin:
			units = units.with(s.Arg, identity(s))
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

// number numbers what is open.
func (units openUnits) number(numbers map[string]int) int {
	key := []byte("open ")
	for _, u := range units {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(u.object)), uint64(len(u.begin)))
		key = append(key, u.begin...)
	}
	n, known := numbers[string(key)]
	if !known {
		n = len(numbers)
		numbers[string(key)] = n
	}
	return n
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
	e := &emitter{machine: m, at: map[int]int{}, blocks: map[edge]int{}, choices: map[int][]int{}}
	e.from(0)
	for len(e.pending) > 0 {
		m.poll.Step(limit.Simplified)
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
	at      map[int]int   // by class: where its code is
	blocks  map[edge]int  // by edge: where its statement is
	choices map[int][]int // by index of a choice: the statements that it chooses from
	pending []int         // statements that a choice needs
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
