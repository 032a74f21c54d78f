package simplify

import (
	"encoding/binary"
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/limit"
)

// classes are things that look the same: a class is the first of them.
type classes[K comparable] map[K]int

// of returns the class of i, which looks like this.
func (c classes[K]) of(looks K, i int) int {
	first, ok := c[looks]
	if !ok {
		first = i
		c[looks] = i
	}
	return first
}

// mergeFunctions makes calls of functions that do the same calls of the first of
// them: the coarsest partition in which functions of one class have equal bodies up
// to the classes of what they call and of the goroutines that they start.
//
// It tells which functions call others than before.
func mergeFunctions(poll *limit.Poll, p *esl.Program, kind func(f int) string) (changed []bool) {
	class, first := make([]int, len(p.Functions)), classes[string]{}
	for i := range class {
		poll.Step(limit.Simplified)
		class[i] = first.of(kind(i), i)
	}
	bodies := make([]string, len(class)) // up to the classes of the last round
	moved := make([]bool, len(class))    // into another class, in the last round
	for before := 0; ; {
		type looks struct {
			class int
			body  string
		}
		first := classes[looks]{}
		fresh := make([]int, len(class))
		for i, f := range p.Functions {
			poll.Step(limit.Simplified)
			if before == 0 || callsAny(f.Body, moved) {
				bodies[i] = string(appendBody(nil, f.Body, class))
			}
			fresh[i] = first.of(looks{class[i], bodies[i]}, i)
		}
		for i := range class {
			moved[i] = class[i] != fresh[i]
		}
		class = fresh
		if len(first) == before {
			break
		}
		before = len(first)
	}
	changed = make([]bool, len(class))
	for i, f := range p.Functions {
		p.Functions[i].Body = slices.Clone(f.Body)
		for j, s := range f.Body {
			if s.Op == esl.Call && class[s.Arg] != s.Arg {
				p.Functions[i].Body[j].Arg = class[s.Arg]
				changed[i] = true
			}
		}
	}
	for i := range p.Processes {
		p.Processes[i].Entry = class[p.Processes[i].Entry]
	}
	return changed
}

// callsAny tells whether a body calls one of some functions.
func callsAny(body []esl.Stmt, some []bool) bool {
	return slices.ContainsFunc(body, func(s esl.Stmt) bool { return s.Op == esl.Call && some[s.Arg] })
}

// appendBody appends what identifies a body up to the classes of functions.
func appendBody(key []byte, body []esl.Stmt, class []int) []byte {
	for _, s := range body {
		if s.Op == esl.Call {
			s.Arg = class[s.Arg]
		}
		key = binary.AppendUvarint(s.AppendIdentity(key), uint64(len(s.Targets)))
		for _, t := range s.Targets {
			key = binary.AppendUvarint(key, uint64(t))
		}
	}
	return key
}

// mergeProcesses makes one of the goroutines that run the same function, can be
// started repeatedly, and only access and lock: any two instances of them are like
// two instances of one. What others wait for, what starts others, and what sets or
// awaits something is left alone: there it can matter that there are more than two.
func mergeProcesses(p *esl.Program) {
	joined := map[int]bool{}
	for _, f := range p.Functions {
		for _, s := range f.Body {
			if s.Op == esl.Join {
				joined[s.Arg] = true
			}
		}
	}
	simple := onlyLocksAndAccesses(p)
	first := make([]int, len(p.Processes))
	for i, q := range p.Processes {
		first[i] = i
		if q.Copies < 2 || joined[i] || !simple[q.Entry] {
			continue
		}
		for j, r := range p.Processes[:i] {
			if r.Entry == q.Entry && r.Copies == q.Copies && len(r.Disjoint)+len(q.Disjoint) == 0 && !joined[j] &&
				first[j] == j {
				first[i] = j
				break
			}
		}
	}
	for i := range p.Functions {
		for j, s := range p.Functions[i].Body {
			if s.Op == esl.Start {
				p.Functions[i].Body[j].Arg = first[s.Arg]
			}
		}
	}
}

// onlyLocksAndAccesses tells of each function whether that is all that it does,
// with what it calls.
func onlyLocksAndAccesses(p *esl.Program) []bool {
	simple := make([]bool, len(p.Functions))
	for i := range simple {
		simple[i] = true
	}
	for changed := true; changed; {
		changed = false
		for i, f := range p.Functions {
			if simple[i] && !slices.ContainsFunc(f.Body, func(s esl.Stmt) bool { return !isSimple(s, simple) }) {
				continue
			}
			changed = changed || simple[i]
			simple[i] = false
		}
	}
	return simple
}

func isSimple(s esl.Stmt, simple []bool) bool {
	switch s.Op {
	case esl.Call:
		return simple[s.Arg]
	case esl.Skip, esl.Goto, esl.Choice, esl.Return, esl.Access, esl.LockOp, esl.Unlock, esl.RLock, esl.RUnlock,
		esl.UnitBegin, esl.UnitEnd, esl.Forget, esl.Done:
		return true
	}
	return false
}

// dropUnused removes the processes that nothing starts and the functions that
// nothing runs, and returns the old number of each function.
func dropUnused(p *esl.Program) (origin []int) {
	process, function := make([]int, len(p.Processes)), make([]int, len(p.Functions))
	for i := range process {
		process[i] = -1
	}
	for i := range function {
		function[i] = -1
	}
	var work []int
	reach := func(f int) {
		if function[f] < 0 {
			function[f] = 0
			work = append(work, f)
		}
	}
	for i, q := range p.Processes {
		if q.Initial {
			process[i] = 0
			reach(q.Entry)
		}
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range p.Functions[f].Body {
			switch s.Op {
			case esl.Call:
				reach(s.Arg)
			case esl.Start, esl.Join:
				process[s.Arg] = 0
				reach(p.Processes[s.Arg].Entry)
			}
		}
	}
	p.Functions, origin = keep(p.Functions, function)
	p.Processes, _ = keep(p.Processes, process)
	for i := range p.Processes {
		p.Processes[i].Entry = function[p.Processes[i].Entry]
	}
	for i := range p.Functions {
		for j := range p.Functions[i].Body {
			switch s := &p.Functions[i].Body[j]; s.Op {
			case esl.Call:
				s.Arg = function[s.Arg]
			case esl.Start, esl.Join:
				s.Arg = process[s.Arg]
			}
		}
	}
	return origin
}

// keep returns the elements whose number is not negative, and their old indices. It
// writes their new ones into number.
func keep[T any](all []T, number []int) (kept []T, origin []int) {
	for i := range all {
		if number[i] >= 0 {
			number[i] = len(kept)
			kept = append(kept, all[i])
			origin = append(origin, i)
		}
	}
	return kept, origin
}
