package simplify

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// emit makes the program.
func (w *waiting) emit() *esl.Program {
	q := *w.program
	q.Variables = slices.Clone(q.Variables)
	for v, classes := range w.values {
		number := map[int]int{}
		for value, class := range classes {
			if class == value {
				number[value] = len(number)
			}
		}
		for value, class := range classes {
			w.values[v][value] = number[class]
		}
		q.Variables[v].Values = max(1, len(number))
	}
	q.Functions = slices.Clone(q.Functions)
	for f := range q.Functions {
		e := &waitingEmitter{waiting: w, function: f, classes: map[int]int{}, operations: map[string]int{}}
		q.Functions[f].Body = e.emit()
	}
	return &q
}

// waitingEmitter writes the body of a function.
type waitingEmitter struct {
	*waiting
	function   int
	body       []esl.Stmt
	classes    map[int]int // where points of a class begin
	operations map[string]int
	jumps      []jump
	work       []int
}

// jump is a target that is not known yet: of a class.
type jump struct{ at, class int }

func (e *waitingEmitter) emit() []esl.Stmt {
	if _, ok := e.silent(e.function, 0); ok {
		e.jump(e.class[e.function][0])
	} else {
		e.operation(0)
	}
	for ; len(e.work) > 0; e.work = e.work[1:] {
		if class := e.work[0]; !e.isEmitted(class) {
			e.point(class)
		}
	}
	for _, j := range e.jumps {
		e.body[j.at].Targets = []int{e.classes[j.class]}
	}
	return e.body
}

func (e *waitingEmitter) isEmitted(class int) bool {
	_, ok := e.classes[class]
	return ok
}

func (e *waitingEmitter) jump(class int) {
	e.jumps = append(e.jumps, jump{len(e.body), class})
	e.body = append(e.body, esl.Stmt{Op: esl.Goto})
	e.work = append(e.work, class)
}

// point writes what can come next at a point.
func (e *waitingEmitter) point(class int) {
	all := map[string]int{}
	var keys []string
	for _, o := range e.next[e.function][class] {
		key := string(e.item(nil, e.function, o, false))
		if _, ok := all[key]; !ok {
			all[key] = o
			keys = append(keys, key)
		}
	}
	e.classes[class] = len(e.body)
	switch len(keys) {
	case 0: // it goes round for ever
		e.jump(class)
		return
	case 1:
		if at, ok := e.operations[keys[0]]; ok {
			e.classes[class] = at
			return
		}
		e.operations[keys[0]] = len(e.body)
		e.operation(all[keys[0]])
		return
	}
	choice := len(e.body)
	e.body = append(e.body, esl.Stmt{Op: esl.Choice, Pos: e.choiceAt(class)})
	var targets []int
	for _, key := range keys {
		at, ok := e.operations[key]
		if !ok {
			at = len(e.body)
			e.operations[key] = at
			e.operation(all[key])
		}
		targets = append(targets, at)
	}
	e.body[choice].Targets = targets
}

// choiceAt returns where a choice is that is made silently at a point: the nearest one that is in the source. Whoever
// reads a run wants to know that something was guessed there.
func (e *waitingEmitter) choiceAt(point int) esl.Pos {
	seen := map[int]bool{}
	for work := []int{point}; len(work) > 0; work = work[1:] {
		at := work[0]
		if seen[at] {
			continue
		}
		seen[at] = true
		if s := e.statement(e.function, at); s.Op == esl.Choice && s.Pos != (esl.Pos{}) {
			return s.Pos
		}
		if to, ok := e.silent(e.function, at); ok {
			work = append(work, to...)
		}
	}
	return esl.Pos{}
}

// operation writes an operation, and the way on.
func (e *waitingEmitter) operation(at int) {
	s := e.statement(e.function, at)
	now := len(e.body)
	own := e.asIs(s, false)
	own.Pos = s.Pos
	e.body = append(e.body, own)
	switch {
	case s.Op == esl.Select || s.Op == esl.SelectDefault:
		var targets []int
		seen := map[string]bool{}
		for i, t := range s.Targets {
			isDefault := s.Op == esl.SelectDefault && i == len(s.Targets)-1
			key := string(e.item(nil, e.function, t, false))
			if seen[key] && !isDefault {
				continue
			}
			seen[key] = true
			targets = append(targets, len(e.body))
			e.operation(t)
		}
		e.body[now].Targets = targets
	case ends(s.Op):
	case e.isAtOnce(e.function, at+1):
		e.operation(at + 1)
	default:
		e.goOn(e.class[e.function][at+1])
	}
}

// goOn lets the points of a class come next: at this place if they have none. That control gets to an operation where
// others may notice it remains a step.
func (e *waitingEmitter) goOn(class int) {
	here := len(e.body)
	next := e.next[e.function][class]
	if !e.isEmitted(class) && (len(next) > 1 || len(next) == 1 && !e.isAtOnce(e.function, next[0])) {
		e.point(class)
	}
	if len(e.body) == here {
		e.jump(class)
	}
}
