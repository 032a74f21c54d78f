package notes

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

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
// O(statements x depth of calls) steps, in the functions that take or release it, or call
// one that does; through the others, it passes as it is.
type holding struct {
	*flow
	effect func(esl.Stmt) effect
	blocks bool          // who takes what he holds already never goes on
	at     [][][2]status // by function that may change it, statement (the end last) and whether it is held on entry
	after  [][2]status   // by function: when it returns
	entry  []status
}

// hold returns whether it is held before each statement.
func hold(w *flow, of func(esl.Stmt) effect) *holding { return holdingOf(w, nil, false, of) }

// holdingOf analyses a model where some processes begin with it held.
func holdingOf(w *flow, heirs map[int]bool, blocks bool, of func(esl.Stmt) effect) *holding {
	p := w.program
	h := &holding{flow: w, effect: of, blocks: blocks, at: make([][][2]status, len(p.Functions)),
		after: make([][2]status, len(p.Functions)), entry: make([]status, len(p.Functions))}
	var changing []int
	for f := range p.Functions {
		if slices.ContainsFunc(p.Functions[f].Body, func(s esl.Stmt) bool { return s.Op != esl.Call && of(s) != keeps }) {
			changing = append(changing, f)
		} else if w.returns[f] {
			h.after[f] = [2]status{isFree, isHeld}
		}
	}
	dirty := make([]bool, len(p.Functions))
	add := func(f int) {
		if h.at[f] == nil {
			h.at[f] = make([][2]status, len(p.Functions[f].Body)+1)
			h.at[f][0], h.after[f] = [2]status{isFree, isHeld}, [2]status{}
		}
		dirty[f] = true
	}
	for i := 0; i < len(changing); i++ {
		f := changing[i]
		add(f)
		for _, caller := range w.callers[f] {
			if h.at[caller] == nil {
				add(caller)
				changing = append(changing, caller)
			}
		}
	}
	slices.SortFunc(changing, func(f, g int) int { return g - f }) // callees have later numbers
	for again := true; again; {
		again = false
		for _, f := range changing {
			if !dirty[f] {
				continue
			}
			dirty[f] = false
			if h.pass(f) {
				again = true
				for _, caller := range w.callers[f] {
					dirty[caller] = true
				}
			}
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

// pass propagates through a function until nothing changes, and tells whether what follows of it
// did.
func (h *holding) pass(f int) (changed bool) {
	body, at := h.program.Functions[f].Body, h.at[f]
	for again := true; again; {
		again = false
		for i := range body {
			s := &body[i]
			if at[i] == [2]status{} {
				continue
			}
			switch s.Op {
			case esl.Goto, esl.Choice:
				for _, t := range s.Targets {
					again = merge(&at[t], at[i]) && t <= i || again
				}
			case esl.Return:
				changed = merge(&h.after[f], at[i]) || changed
			default:
				merge(&at[i+1], [2]status{h.step(s, at[i][0]), h.step(s, at[i][1])})
			}
		}
	}
	return merge(&h.after[f], at[len(body)]) || changed
}

// step returns the status after a statement.
func (h *holding) step(s *esl.Stmt, before status) (after status) {
	e := keeps
	if s.Op != esl.Call {
		e = h.effect(*s)
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
		for _, i := range h.calls[f] {
			add(h.program.Functions[f].Body[i].Arg, h.before(f, i))
		}
	}
}

// before returns the status before a statement.
func (h *holding) before(f, i int) status {
	switch {
	case h.at[f] != nil:
		return through(h.at[f][i], h.entry[f])
	case h.reached[f][i]:
		return h.entry[f]
	}
	return unreached
}

// must tells whether it is held before a statement on every path there.
func (h *holding) must(f, i int) bool { return h.before(f, i)&isFree == 0 }

// may tells whether it is held before a statement on some path there.
func (h *holding) may(f, i int) bool { return h.before(f, i)&isHeld != 0 }

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
