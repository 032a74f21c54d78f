package simplify

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// Sketch returns a program in which functions that only lead to others do so in any order, and as often as they like:
// a plain function, which has no step of its own but that it calls and starts what there may be several of, does what
// can be reached from it through plain functions alone. Most of a large model is that, the code of clients and what
// starts goroutines; what is left of it is the functions that access, lock or begin units, and a few loops.
//
// The program has, up to statements that only move control, all runs of p, and others: what is safe in it is safe in
// p. Functions that come to the start of a process that there is once, or are the entry of such a process, are as they
// are, for what is made before clients are started is made once, and before. p is not changed. Quadratic in the number
// of functions in the worst case.
func Sketch(p *esl.Program) *esl.Program {
	n := len(p.Functions)
	s := &sketch{p: p, isPlain: make([]bool, n), step: make([]int, n), low: make([]int, n), isOpen: make([]bool, n),
		items: make([][]item, n), first: map[string]int{}}
	s.findPlain()
	for f := range p.Functions {
		if s.isPlain[f] && s.step[f] == 0 {
			s.collect(f)
		}
	}
	q := p.Rewritten(func(at esl.Place, st esl.Stmt) esl.Stmt {
		if st.Op != esl.Call || !s.isPlain[st.Arg] {
			return st
		}
		if len(s.items[st.Arg]) == 0 {
			return esl.Stmt{Op: esl.Skip, Pos: st.Pos}
		}
		st.Arg = s.same(st.Arg)
		return st
	})
	for f := range q.Functions {
		if s.isPlain[f] {
			q.Functions[f].Body = anyOf(statements(s.items[f]))
		}
	}
	return q
}

// item is what a plain function leads to: a call of a function that is none, or a start.
type item struct {
	op  esl.Op
	arg int
}

// sketch is the search for what plain functions lead to: Tarjan's, in which functions that call each other share
// what they lead to.
type sketch struct {
	p         *esl.Program
	isPlain   []bool
	step, low []int // by function: when it was come to, from 1; 0: not yet
	steps     int
	open      []int // functions that may call each other with some that are being collected
	isOpen    []bool
	items     [][]item       // by function: sorted
	first     map[string]int // by items: the first function that leads to them
}

// findPlain finds the plain functions.
func (s *sketch) findPlain() {
	isOrdered := make([]bool, len(s.p.Functions)) // they come to the start of a process that there is once
	for f, fn := range s.p.Functions {
		s.isPlain[f] = true
		for _, st := range fn.Body {
			switch st.Op {
			case esl.Skip, esl.Goto, esl.Choice, esl.Return, esl.Call:
			case esl.Start:
				isOrdered[f] = isOrdered[f] || s.p.Processes[st.Arg].Copies <= 1
			default:
				s.isPlain[f] = false
			}
		}
	}
	for _, q := range s.p.Processes {
		if q.Copies <= 1 {
			s.isPlain[q.Entry] = false
		}
	}
	esl.AddCallers(s.p.Callers(), isOrdered)
	for f, is := range isOrdered {
		s.isPlain[f] = s.isPlain[f] && !is
	}
}

// collect finds what a plain function leads to, and those that it calls.
func (s *sketch) collect(f int) {
	s.steps++
	s.step[f], s.low[f] = s.steps, s.steps
	s.open, s.isOpen[f] = append(s.open, f), true
	all := map[item]bool{}
	for _, st := range s.p.Functions[f].Body {
		switch {
		case st.Op == esl.Start || st.Op == esl.Call && !s.isPlain[st.Arg]:
			all[item{st.Op, st.Arg}] = true
		case st.Op == esl.Call && s.step[st.Arg] == 0:
			s.collect(st.Arg)
			s.low[f] = min(s.low[f], s.low[st.Arg])
			fallthrough
		case st.Op == esl.Call:
			if s.isOpen[st.Arg] {
				s.low[f] = min(s.low[f], s.step[st.Arg])
			}
			for _, it := range s.items[st.Arg] {
				all[it] = true
			}
		}
	}
	s.items[f] = sortedItems(all)
	if s.low[f] < s.step[f] {
		return
	}
	i := slices.Index(s.open, f)
	knot := slices.Clone(s.open[i:])
	s.open = s.open[:i]
	for _, g := range knot {
		s.isOpen[g] = false
		for _, it := range s.items[g] {
			all[it] = true
		}
	}
	shared := sortedItems(all)
	for _, g := range knot {
		s.items[g] = shared
	}
}

// same returns the first function that leads to what a plain one leads to.
func (s *sketch) same(f int) int {
	var key []byte
	for _, it := range s.items[f] {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(it.op)), uint64(it.arg))
	}
	if _, known := s.first[string(key)]; !known {
		s.first[string(key)] = f
	}
	return s.first[string(key)]
}

func sortedItems(all map[item]bool) []item {
	return slices.SortedFunc(maps.Keys(all), func(a, b item) int {
		return cmp.Or(cmp.Compare(a.op, b.op), cmp.Compare(a.arg, b.arg))
	})
}

// statements returns the items as statements.
func statements(items []item) (all []esl.Stmt) {
	for _, it := range items {
		all = append(all, esl.Stmt{Op: it.op, Arg: it.arg})
	}
	return all
}
