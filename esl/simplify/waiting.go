package simplify

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/limit"
)

// Waiting returns a smaller program for questions about blocking: the same operations are waited for, or end the
// program, whoever has done what. Operations are the same if their positions are, too. p is not changed. If it has too
// many ways from one operation to the next, it is what is returned.
//
// Two points of a function are one if the same operations can come next, up to where these lead; two values of a
// variable are one if they are tested nowhere, or lead to what is the same: the coarsest such partition of both at once
// (bisimulation, by refinement). A run of one program is a run of the other then, step by step, in states that are the
// same but for that.
//
// An operation that is always enabled, and after which all is as if it had not been executed, is left out: a skip, an
// assignment of values that nobody tells apart, a branch on a variable that leads to the same point for each value.
// What others do before it they can do after it; nobody waits at it, nor for it. But one of each loop that has nothing
// else stays: it makes a difference whether a goroutine may go round for ever, and clients choose there what they do
// next.
func Waiting(poll *limit.Poll, p *esl.Program) *esl.Program {
	w := newWaiting(poll, p)
	for more := true; more; {
		if !w.close() {
			return p
		}
		w.refine()
		more = w.leaveOut()
	}
	return w.emit()
}

// waiting is a program as automata.
type waiting struct {
	poll    *limit.Poll
	program *esl.Program
	left    [][]bool  // by function and point: the operation is left out
	ways    [][]int   // by function: the points to which choices lead, if they are asked about; see Idle
	heads   [][]int   // by function: the points at which something is to come next, ascending
	next    [][][]int // by function and such a point: the operations that can
	class   [][]int   // points of one class do the same: that is the first of them
	values  [][]int   // by variable and value: the class of the value, the first of its values
	tests   [][]test  // by variable
	seen    []int     // by point of a function: the last search of isOnLoop that came to it
	round   int       // the number of the search
}

func newWaiting(poll *limit.Poll, p *esl.Program) *waiting {
	n := len(p.Functions)
	w := &waiting{poll: poll, program: p, class: make([][]int, n), left: make([][]bool, n), ways: make([][]int, n)}
	for f := range p.Functions {
		size := len(p.Functions[f].Body) + 1
		w.class[f], w.left[f] = make([]int, size), make([]bool, size)
	}
	return w
}

// test is an operation that depends on a variable, at a point.
type test struct{ function, point, index int }

// statement returns the statement at a point: behind the last one that is a return.
func (w *waiting) statement(function, at int) esl.Stmt {
	if body := w.program.Functions[function].Body; at < len(body) {
		return body[at]
	}
	return esl.Stmt{Op: esl.Return}
}

// silent returns where control goes from a point at which nothing is done; ok is false if something is.
func (w *waiting) silent(function, at int) (to []int, ok bool) {
	s := w.statement(function, at)
	switch {
	case s.Op == esl.Goto, s.Op == esl.Choice && len(s.Targets) > 0:
		return s.Targets, true
	case !w.left[function][at]:
		return nil, false
	case s.Op == esl.Select:
		return []int{s.Targets[0] + 1}, true
	}
	return []int{at + 1}, true
}

// close finds the operations that can come next at each point to which control comes, at the beginning or after an
// operation; it is false if that are too many.
func (w *waiting) close() bool {
	w.next = make([][][]int, len(w.class))
	w.heads = make([][]int, len(w.class))
	for f := range w.next {
		size := len(w.class[f])
		w.next[f] = make([][]int, size)
		seen, isHead := make([]int, size), make([]bool, size)
		heads := append([]int{0}, w.ways[f]...)
		for _, at := range heads {
			isHead[at] = true
		}
		steps := 0
		for ; len(heads) > 0; heads = heads[1:] {
			at := heads[0]
			w.heads[f] = append(w.heads[f], at)
			for work := []int{at}; len(work) > 0; {
				w.poll.Step(limit.Simplified)
				n := work[len(work)-1]
				work = work[:len(work)-1]
				if seen[n] == at+1 {
					continue
				}
				seen[n] = at + 1
				if steps++; steps > maxSilent*size {
					return false
				}
				if to, ok := w.silent(f, n); ok {
					work = append(work, to...)
					continue
				}
				w.next[f][at] = append(w.next[f][at], n)
				for _, after := range w.after(f, n) {
					if !isHead[after] {
						isHead[after] = true
						heads = append(heads, after)
					}
				}
			}
			slices.Sort(w.next[f][at])
		}
		slices.Sort(w.heads[f])
	}
	return true
}

// after returns where control is after an operation: after each of the targets of a select.
func (w *waiting) after(function, at int) (all []int) {
	s := w.statement(function, at)
	if s.Op == esl.Select || s.Op == esl.SelectDefault {
		for _, t := range s.Targets {
			all = append(all, w.after(function, t)...)
		}
		return all
	}
	if ends(s.Op) {
		return nil
	}
	return []int{at + 1}
}

// isAtOnce tells whether control is at a next operation as soon as one is executed, where it may matter to a select
// that does not wait whether another goroutine has come there.
func (w *waiting) isAtOnce(function, at int) bool {
	switch w.statement(function, at).Op {
	case esl.Send, esl.Receive, esl.Select, esl.SelectDefault:
		return !w.left[function][at]
	}
	return false
}

// ends tells whether nothing comes after an operation.
func ends(op esl.Op) bool { return op == esl.Return || op == esl.Exit || op == esl.Choice }

// asIs is an operation with values for their classes, but without what is tested if untold.
func (w *waiting) asIs(s esl.Stmt, untold bool) esl.Stmt {
	s.Targets = nil
	switch s.Op {
	case esl.Assign, esl.Swap:
		s.Value = w.values[s.Arg][s.Value]
	}
	switch s.Op {
	case esl.Test, esl.Swap:
		if s.Count = w.values[s.Arg][s.Count]; untold {
			s.Count = 0
		}
	case esl.Select, esl.SelectDefault:
		s.Pos = esl.Pos{} // its targets have their own
	}
	return s
}

// item appends what is the same for operations that are the same up to what comes next.
func (w *waiting) item(key []byte, function, at int, untold bool) []byte {
	s := w.statement(function, at)
	key = w.asIs(s, untold).AppendIdentity(key)
	switch {
	case s.Op == esl.Select || s.Op == esl.SelectDefault:
		var arms []string
		for _, t := range s.Targets {
			arms = append(arms, string(w.item(nil, function, t, false)))
		}
		last := ""
		if s.Op == esl.SelectDefault {
			last, arms = arms[len(arms)-1], arms[:len(arms)-1]
		}
		slices.Sort(arms)
		return appendAll(key, append(slices.Compact(arms), last))
	case ends(s.Op):
		return key
	case w.isAtOnce(function, at+1):
		return append(w.item(append(key, 1), function, at+1, false), 2)
	}
	return binary.AppendUvarint(append(key, 0), uint64(w.class[function][at+1]))
}

func appendAll(key []byte, all []string) []byte {
	key = binary.AppendUvarint(key, uint64(len(all)))
	for _, text := range all {
		key = append(binary.AppendUvarint(key, uint64(len(text))), text...)
	}
	return key
}

// refine finds the classes: first all is one, then what differs is told apart until nothing does.
func (w *waiting) refine() {
	w.begin()
	moved := slices.Repeat([]bool{true}, len(w.class))
	for again := true; again; {
		again = false
		for f := range w.class {
			if moved[f] {
				moved[f] = w.split(f)
				again = again || moved[f]
			}
		}
		for v := range w.values {
			if !w.tell(v) {
				continue
			}
			again = true
			for f := range moved {
				moved[f] = true
			}
		}
	}
}

// begin makes one class of all points of a function, and of all values of a variable, and finds the tests.
func (w *waiting) begin() {
	w.values, w.tests = nil, make([][]test, len(w.program.Variables))
	for _, v := range w.program.Variables {
		w.values = append(w.values, make([]int, v.Values))
	}
	for f := range w.class {
		operations := map[int]bool{}
		for _, at := range w.heads[f] {
			w.class[f][at] = w.heads[f][0]
			for _, o := range w.next[f][at] {
				operations[o] = true
			}
		}
		for _, o := range slices.Sorted(maps.Keys(operations)) {
			s := w.statement(f, o)
			arms := []int{o}
			if s.Op == esl.Select || s.Op == esl.SelectDefault {
				arms = s.Targets
			}
			for _, i := range arms {
				if a := w.statement(f, i); a.Op == esl.Test || a.Op == esl.Swap {
					w.tests[a.Arg] = append(w.tests[a.Arg], test{f, o, i})
				}
			}
		}
	}
}

// split tells points of a function apart after which something else can come, and whether there are more classes now.
func (w *waiting) split(function int) (more bool) {
	first := classes[string]{}
	items := make([]string, len(w.class[function]))
	fresh := make([]int, len(w.class[function]))
	var before int
	for _, at := range w.heads[function] {
		w.poll.Step(limit.Simplified)
		if w.class[function][at] == at {
			before++
		}
		var all []string
		for _, o := range w.next[function][at] {
			if items[o] == "" {
				items[o] = string(w.item(nil, function, o, false))
			}
			all = append(all, items[o])
		}
		slices.Sort(all)
		fresh[at] = first.of(string(appendAll(nil, slices.Compact(all))), at)
	}
	w.class[function] = fresh
	return len(first) > before
}

// tell tells values of a variable apart that lead elsewhere, and whether there are more classes now.
func (w *waiting) tell(variable int) (more bool) {
	keys := make([][]string, len(w.values[variable]))
	for _, t := range w.tests[variable] {
		w.poll.Step(limit.Simplified)
		at := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(t.function)), uint64(t.point))
		value := w.statement(t.function, t.index).Count
		keys[value] = append(keys[value], string(w.item(at, t.function, t.index, true)))
	}
	first := classes[string]{}
	fresh := make([]int, len(keys))
	var before int
	for value, class := range w.values[variable] {
		if class == value {
			before++
		}
		slices.Sort(keys[value])
		fresh[value] = first.of(string(appendAll(nil, slices.Compact(keys[value]))), value)
	}
	w.values[variable] = fresh
	return len(first) > before
}

// leaveOut leaves operations out that do nothing, and tells whether there were some.
func (w *waiting) leaveOut() (some bool) {
	for f := range w.class {
		isNothing := make([]bool, len(w.class[f]))
		for _, at := range w.heads[f] {
			for _, o := range w.next[f][at] {
				isNothing[o] = isNothing[o] || w.isNothing(f, o)
			}
		}
		// Of each loop the first one stays, and the first at which a client chooses; the others go, if another one stays.
		var all, stay []int
		for at, is := range isNothing {
			if is {
				all = append(all, at)
			}
		}
		slices.SortStableFunc(all, func(a, b int) int { return w.rank(f, a) - w.rank(f, b) })
		for i, at := range all {
			if i == 0 && w.rank(f, at) == 0 || w.isOnLoop(f, at, isNothing) {
				isNothing[at] = false
				stay = append(stay, at)
			} else {
				w.left[f][at], some = true, true
			}
		}
		for _, at := range slices.Backward(stay) {
			if w.rank(f, at) > 0 && !w.isOnLoop(f, at, isNothing) {
				w.left[f][at], some = true, true
			}
		}
	}
	return some
}

// rank puts a skip without a position, at which a client chooses, before the others.
func (w *waiting) rank(function, at int) int {
	if s := w.statement(function, at); s.Op == esl.Skip && s.Pos == (esl.Pos{}) {
		return 0
	}
	return 1
}

// isNothing tells whether an operation does nothing.
func (w *waiting) isNothing(function, at int) bool {
	s := w.statement(function, at)
	switch s.Op {
	case esl.Skip:
		return true
	case esl.Assign, esl.Test, esl.Swap:
		return !slices.ContainsFunc(w.values[s.Arg], func(class int) bool { return class != 0 })
	case esl.Select:
		tested := map[int]bool{}
		for _, t := range s.Targets {
			a, first := w.statement(function, t), w.statement(function, s.Targets[0])
			if a.Op != esl.Test || a.Arg != first.Arg || w.isAtOnce(function, t+1) ||
				w.class[function][t+1] != w.class[function][s.Targets[0]+1] {
				return false
			}
			tested[a.Count] = true
		}
		return len(s.Targets) > 0 && len(tested) == w.program.Variables[w.statement(function, s.Targets[0]).Arg].Values
	}
	return false
}

// isOnLoop tells whether control can come from an operation to itself again if some others are left out, and itself.
func (w *waiting) isOnLoop(function, at int, isNothing []bool) bool {
	if w.round++; len(w.seen) < len(isNothing) {
		w.seen = append(w.seen, make([]int, len(isNothing)-len(w.seen))...)
	}
	for work := w.after(function, at)[:1]; len(work) > 0; {
		w.poll.Step(limit.Simplified)
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if n == at {
			return true
		}
		if w.seen[n] == w.round {
			continue
		}
		w.seen[n] = w.round
		if to, ok := w.silent(function, n); ok {
			work = append(work, to...)
		} else if isNothing[n] {
			work = append(work, w.after(function, n)[0])
		}
	}
	return false
}
