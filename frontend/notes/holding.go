package notes

import "github.com/empire-go/empire-go/esl"

// effect says what a statement does to something that is held or not.
type effect uint8

const (
	keeps effect = iota
	takes
	releases
)

// status is whether something is held: a set of what may be so.
type status uint8

const (
	isFree status = 1 << iota
	isHeld
	unreached status = 0 // no path leads there
)

// holding is a data-flow analysis of a whole model: is something held before each
// statement? It is context-insensitive in what calls a function, and exact in what a
// function does to what it holds (functional approach: Sharir and Pnueli 1981). It takes
// O(statements x depth of calls) steps.
type holding struct {
	program *esl.Program
	effect  func(esl.Stmt) effect
	blocks  bool          // who takes what he holds already never goes on
	at      [][][2]status // by function, statement (the end last) and whether it is held on entry
	after   [][2]status   // by function: when it returns
	entry   []status
}

// hold returns whether it is held before each statement: on every path, or on some path.
func hold(p *esl.Program, must bool, of func(esl.Stmt) effect) [][]bool {
	return holdingOf(p, nil, false, of).held(must)
}

// holdingOf analyses a model where some processes begin with it held.
func holdingOf(p *esl.Program, heirs map[int]bool, blocks bool, of func(esl.Stmt) effect) *holding {
	h := &holding{program: p, effect: of, blocks: blocks, after: make([][2]status, len(p.Functions)),
		entry: make([]status, len(p.Functions))}
	for _, f := range p.Functions {
		states := make([][2]status, len(f.Body)+1)
		states[0] = [2]status{isFree, isHeld}
		h.at = append(h.at, states)
	}
	for changed := true; changed; {
		changed = false
		for f := len(p.Functions) - 1; f >= 0; f-- {
			changed = h.pass(f) || changed
		}
	}
	h.enter(heirs)
	return h
}

// merge adds a path's states to those at a place and tells whether they change.
func merge(into *[2]status, from [2]status) bool {
	merged := [2]status{into[0] | from[0], into[1] | from[1]}
	changed := merged != *into
	*into = merged
	return changed
}

// pass propagates through a function until nothing changes, and tells whether
// anything did.
func (h *holding) pass(f int) (changed bool) {
	body, at := h.program.Functions[f].Body, h.at[f]
	for again := true; again; {
		again = false
		for i, s := range body {
			switch s.Op {
			case esl.Goto, esl.Choice:
				for _, t := range s.Targets {
					again = merge(&at[t], at[i]) || again
				}
			case esl.Return:
				changed = merge(&h.after[f], at[i]) || changed
			default:
				again = merge(&at[i+1], [2]status{h.step(s, at[i][0]), h.step(s, at[i][1])}) || again
			}
		}
		changed = changed || again
	}
	return merge(&h.after[f], at[len(body)]) || changed
}

// step returns the status after a statement.
func (h *holding) step(s esl.Stmt, before status) (after status) {
	e := keeps
	if s.Op != esl.Call {
		e = h.effect(s)
	}
	switch {
	case s.Op == esl.Call:
		return through(h.after[s.Arg], before)
	case e == keeps:
		return before
	case before == unreached, e == takes && before == isHeld && h.blocks:
		return unreached
	case e == takes:
		return isHeld
	}
	return isFree
}

// through returns what follows of a status, given what follows where it is free, and where it
// is held.
func through(of [2]status, before status) (after status) {
	if before&isFree != 0 {
		after |= of[0]
	}
	if before&isHeld != 0 {
		after |= of[1]
	}
	return after
}

// enter follows the calls from the processes' entries, where nothing is held but by
// heirs.
func (h *holding) enter(heirs map[int]bool) {
	var work []int
	add := func(f int, s status) {
		if h.entry[f]|s != h.entry[f] {
			h.entry[f] |= s
			work = append(work, f)
		}
	}
	for i, p := range h.program.Processes {
		s := isFree
		if heirs[i] {
			s = isHeld
		}
		add(p.Entry, s)
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for i, s := range h.program.Functions[f].Body {
			if s.Op == esl.Call {
				add(s.Arg, through(h.at[f][i], h.entry[f]))
			}
		}
	}
}

// held tells before which statements it is held: on every path there, or on some path.
func (h *holding) held(must bool) [][]bool {
	all := make([][]bool, len(h.at))
	for f := range h.at {
		all[f] = make([]bool, len(h.at[f]))
		for i, at := range h.at[f] {
			s := through(at, h.entry[f])
			all[f][i] = must && s&isFree == 0 || !must && s&isHeld != 0
		}
	}
	return all
}

// Exclusively is the effect of statements on an exclusive hold of a lock.
func Exclusively(lock int) func(esl.Stmt) effect {
	return func(s esl.Stmt) effect {
		switch {
		case s.Op == esl.LockOp && s.Arg == lock:
			return takes
		case s.Op == esl.Unlock && s.Arg == lock:
			return releases
		}
		return keeps
	}
}

// Shared is the effect of statements on a Shared hold of a lock.
func Shared(lock int) func(esl.Stmt) effect {
	return func(s esl.Stmt) effect {
		switch {
		case s.Op == esl.RLock && s.Arg == lock:
			return takes
		case s.Op == esl.RUnlock && s.Arg == lock:
			return releases
		}
		return keeps
	}
}

// MayHold tells before which statements some lock may be held.
func MayHold(p *esl.Program) [][]bool {
	all := make([][]bool, len(p.Functions))
	for f := range p.Functions {
		all[f] = make([]bool, len(p.Functions[f].Body)+1)
	}
	for lock := range p.Locks {
		for _, of := range []func(esl.Stmt) effect{Exclusively(lock), Shared(lock)} {
			for f, held := range hold(p, false, of) {
				for i, h := range held {
					all[f][i] = all[f][i] || h
				}
			}
		}
	}
	return all
}
