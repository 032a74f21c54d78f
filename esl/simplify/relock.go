package simplify

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/limit"
)

// withoutRelocks cuts off what comes after a process takes a lock again that it holds: it waits for ever. So a function
// of the client that is called with the lock held, and calls the library again, is mostly no recursion: what is left
// often has none. Functions that are called with the lock held, as without it, get a clone for that.
//
// That is so where nobody but its holder ever releases the lock. base is extended by the functions of p that
// the clones stand for. Linear in the program, for each lock that is released by its holders only.
func withoutRelocks(poll *limit.Poll, p *esl.Program, base []int) []int {
	if p.HasBlocking() {
		return base
	}
	most := maxClones * len(p.Functions)
	for lock := range p.Locks {
		if len(p.Functions) > most {
			break
		}
		r := newRelocks(poll, p, lock)
		if r.solve(); !r.hasStranger {
			base = r.cut(base)
		}
	}
	return base
}

// maxClones bounds the functions, as times as many as there were.
const maxClones = 4

// grip is how a process certainly holds a lock.
type grip uint8

const (
	unreached grip = iota
	loose          // it may hold it or not
	exclusive
	shared // at least once
)

// meet returns what is certain where control comes from two places.
func (g grip) meet(h grip) grip {
	switch {
	case g == unreached || g == h:
		return h
	case h == unreached:
		return g
	}
	return loose
}

// visit is a function that is entered with a grip: a number.
type visit int

const grips = 3 // without unreached

func visitOf(function int, entry grip) visit { return visit(grips*function + int(entry-loose)) }

func (v visit) function() int { return int(v) / grips }
func (v visit) entry() grip   { return grip(int(v)%grips) + loose }

// relocks is what is known about one lock.
type relocks struct {
	poll        *limit.Poll
	p           *esl.Program
	lock        int
	order       []visit  // all that can happen
	exits       []grip   // by visit
	flows       [][]grip // how the lock is held before each statement, by visit; nil: that does not happen
	callers     [][]visit
	work        []int // of flow
	hasStranger bool  // it may be released by who does not hold it
}

func newRelocks(poll *limit.Poll, p *esl.Program, lock int) *relocks {
	n := grips * len(p.Functions)
	return &relocks{poll: poll, p: p, lock: lock, exits: make([]grip, n), flows: make([][]grip, n),
		callers: make([][]visit, n)}
}

// solve finds out how the lock is held where functions are entered and left: the greatest solution, as what is certain
// of a way through is taken to be so until another way shows that it is not.
func (r *relocks) solve() {
	var queue []visit
	isQueued := make([]bool, len(r.exits))
	add := func(v visit) {
		if !isQueued[v] {
			isQueued[v] = true
			queue = append(queue, v)
		}
	}
	enter := func(v visit) {
		if r.flows[v] == nil {
			r.flows[v] = make([]grip, len(r.p.Functions[v.function()].Body)+1)
			r.order = append(r.order, v)
			add(v)
		}
	}
	for _, q := range r.p.Processes {
		enter(visitOf(q.Entry, loose))
	}
	for len(queue) > 0 {
		v := queue[0]
		queue, isQueued[v] = queue[1:], false
		before, exit := r.flow(v)
		for i, s := range r.p.Functions[v.function()].Body {
			if s.Op != esl.Call || before[i] == unreached {
				continue
			}
			callee := visitOf(s.Arg, before[i])
			enter(callee)
			if !slices.Contains(r.callers[callee], v) {
				r.callers[callee] = append(r.callers[callee], v)
			}
		}
		if exit != r.exits[v] {
			r.exits[v] = exit
			for _, c := range r.callers[v] {
				add(c)
			}
		}
	}
	for _, v := range r.order {
		before := r.flows[v]
		for i, s := range r.p.Functions[v.function()].Body {
			if s.Arg == r.lock && (s.Op == esl.Unlock && before[i] != exclusive || s.Op == esl.RUnlock && before[i] != shared) {
				r.hasStranger = r.hasStranger || before[i] != unreached
			}
		}
	}
}

// flow finds out how the lock is held before each statement of a function, and at its end.
func (r *relocks) flow(v visit) (before []grip, exit grip) {
	f := &r.p.Functions[v.function()]
	before = r.flows[v]
	clear(before)
	before[0] = v.entry()
	work := append(r.work[:0], 0)
	to := func(t int, after grip) {
		if g := before[t].meet(after); g != before[t] {
			before[t] = g
			work = append(work, t)
		}
	}
	for len(work) > 0 {
		r.poll.Step(limit.Gripped)
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if i == len(f.Body) || f.Body[i].Op == esl.Return {
			exit = exit.meet(before[i])
			continue
		}
		after := r.after(&f.Body[i], before[i])
		if after == unreached {
			continue
		}
		for _, t := range f.Successors(i) {
			to(t, after)
		}
	}
	r.work = work
	return before, exit
}

// after returns how the lock is held after a statement, unreached if control does not come to that.
func (r *relocks) after(s *esl.Stmt, before grip) grip {
	switch {
	case s.Op == esl.Call:
		return r.exits[visitOf(s.Arg, before)]
	case s.Arg != r.lock:
		return before
	case r.isStuck(s, before):
		return unreached
	case s.Op == esl.LockOp:
		return exclusive
	case s.Op == esl.RLock:
		return shared
	case s.Op == esl.Unlock || s.Op == esl.RUnlock:
		return loose
	}
	return before
}

// isStuck tells whether a process waits for itself.
func (r *relocks) isStuck(s *esl.Stmt, before grip) bool {
	return s.Arg == r.lock && (s.Op == esl.LockOp && before > loose || s.Op == esl.RLock && before == exclusive)
}

// cut makes the clones, and cuts off what does not come to anything.
func (r *relocks) cut(base []int) []int {
	changed := map[visit]bool{}
	var work []visit
	for _, v := range r.order {
		body, before := r.p.Functions[v.function()].Body, r.flows[v]
		for i := range body {
			if before[i] != unreached && r.isStuck(&body[i], before[i]) && !changed[v] {
				changed[v] = true
				work = append(work, v)
			}
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range r.callers[v] {
			if !changed[c] {
				changed[c] = true
				work = append(work, c)
			}
		}
	}
	if len(changed) == 0 {
		return base
	}
	ways := r.living()
	number := map[visit]int{} // of the function that stands for it
	for _, v := range r.order {
		switch {
		case changed[v] && v.entry() != loose:
			number[v] = len(r.p.Functions)
			f := r.p.Functions[v.function()]
			f.Name += " [with " + r.p.Locks[r.lock].Name + map[grip]string{exclusive: " held]", shared: " read-held]"}[v.entry()]
			r.p.Functions, base = append(r.p.Functions, f), append(base, base[v.function()])
		default:
			number[v] = v.function()
		}
	}
	for _, v := range r.order {
		if changed[v] {
			f := &r.p.Functions[number[v]]
			f.Body = r.body(f.Body, r.flows[v], ways[v], number)
		}
	}
	return base
}

// body returns the body of a function without what does not live.
func (r *relocks) body(body []esl.Stmt, before []grip, lives []bool, number map[visit]int) []esl.Stmt {
	body = slices.Clone(body)
	for i, s := range body {
		switch {
		case before[i] == unreached:
		case !lives[i]:
			body[i] = esl.Stmt{Op: esl.Choice, Pos: s.Pos}
		case s.Op == esl.Call:
			body[i].Arg = number[visitOf(s.Arg, before[i])]
		case s.Op == esl.Choice:
			body[i].Targets = slices.DeleteFunc(slices.Clone(s.Targets), func(t int) bool { return !lives[t] })
		}
	}
	return body
}

// living tells of each statement whether control can come from it to one that others see, or to the end of the
// function. What only takes locks, waits or opens units and then stands still might as well not have gone on.
func (r *relocks) living() map[visit][]bool {
	ways := map[visit][]bool{}
	for _, v := range r.order {
		ways[v] = make([]bool, len(r.flows[v]))
	}
	for changed := true; changed; {
		changed = false
		for _, v := range r.order {
			f, before, lives := &r.p.Functions[v.function()], r.flows[v], ways[v]
			for i := len(f.Body); i >= 0; i-- {
				r.poll.Step(limit.Simplified)
				if before[i] == unreached || lives[i] || !r.isAlive(f, i, before[i], lives, ways) {
					continue
				}
				lives[i], changed = true, true
			}
		}
	}
	return ways
}

func (r *relocks) isAlive(f *esl.Function, i int, before grip, lives []bool, ways map[visit][]bool) bool {
	if i == len(f.Body) || f.Body[i].Op == esl.Return {
		return true
	}
	s := &f.Body[i]
	switch {
	case r.isStuck(s, before):
		return false
	case s.Op == esl.Call:
		return ways[visitOf(s.Arg, before)][0]
	case !isUnseen(s.Op):
		return true
	}
	return slices.ContainsFunc(f.Successors(i), func(t int) bool { return lives[t] })
}

// isUnseen tells whether an operation lets nobody else go on, and is no access.
func isUnseen(op esl.Op) bool {
	switch op {
	case esl.Skip, esl.Goto, esl.Choice, esl.UnitBegin, esl.UnitEnd, esl.Forget, esl.LockOp, esl.RLock, esl.Join,
		esl.Await, esl.AwaitUnset, esl.ReceiveClosed:
		return true
	}
	return false
}
