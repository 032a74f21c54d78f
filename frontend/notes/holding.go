package notes

import (
	"github.com/empire-go/empire-go/esl"
)

// effect says what a statement does to something that is held or not.
type effect uint8

const (
	keeps effect = iota
	takes
	releases
)

// holding is a data-flow analysis of a whole model: is something held before each
// statement, on some path (may) or on every path (must)? It is context-insensitive
// in what calls a function, and exact in what a function does to what it holds
// (functional approach: Sharir and Pnueli 1981). It takes O(statements x depth of
// calls) steps.
type holding struct {
	program *esl.Program
	effect  func(esl.Stmt) effect
	must    bool
	at      [][][2]bool // by function, statement (the end last) and whether it is held on entry
	after   [][2]bool   // by function: when it returns
	entry   []bool
}

// hold returns whether it is held before each statement.
func hold(p *esl.Program, must bool, of func(esl.Stmt) effect) [][]bool {
	return holdFrom(p, must, nil, of)
}

// holdFrom is hold where some processes begin with it held.
func holdFrom(p *esl.Program, must bool, heirs map[int]bool, of func(esl.Stmt) effect) [][]bool {
	h := &holding{program: p, effect: of, must: must}
	none := [2]bool{must, must} // of what no path leads to
	for _, f := range p.Functions {
		states := make([][2]bool, len(f.Body)+1)
		for i := range states {
			states[i] = none
		}
		states[0] = [2]bool{false, true}
		h.at = append(h.at, states)
		h.after = append(h.after, none)
		h.entry = append(h.entry, must)
	}
	for changed := true; changed; {
		changed = false
		for f := len(p.Functions) - 1; f >= 0; f-- {
			changed = h.pass(f) || changed
		}
	}
	return h.resolve(heirs)
}

// join combines what two paths say.
func (h *holding) join(a, b bool) bool {
	if h.must {
		return a && b
	}
	return a || b
}

// merge adds a path's states to those at a place and tells whether they change.
func (h *holding) merge(into *[2]bool, from [2]bool) bool {
	merged := [2]bool{h.join(into[0], from[0]), h.join(into[1], from[1])}
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
					again = h.merge(&at[t], at[i]) || again
				}
			case esl.Return:
				changed = h.merge(&h.after[f], at[i]) || changed
			default:
				again = h.merge(&at[i+1], h.step(s, at[i])) || again
			}
		}
		changed = changed || again
	}
	return h.merge(&h.after[f], at[len(body)]) || changed
}

// step returns the states after a statement.
func (h *holding) step(s esl.Stmt, before [2]bool) (after [2]bool) {
	for k, b := range before {
		switch {
		case s.Op == esl.Call:
			index := 0
			if b {
				index = 1
			}
			after[k] = h.after[s.Arg][index]
		case h.effect(s) == keeps:
			after[k] = b
		default:
			after[k] = h.effect(s) == takes
		}
	}
	return after
}

// resolve follows the calls from the processes' entries, where nothing is held but by
// heirs.
func (h *holding) resolve(heirs map[int]bool) [][]bool {
	reached := make([]bool, len(h.entry))
	var work []int
	enter := func(f int, held bool) {
		before := h.entry[f]
		h.entry[f] = h.join(before, held)
		if !reached[f] || h.entry[f] != before {
			reached[f] = true
			work = append(work, f)
		}
	}
	for i, p := range h.program.Processes {
		enter(p.Entry, heirs[i])
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for i, s := range h.program.Functions[f].Body {
			if s.Op == esl.Call {
				enter(s.Arg, h.held(f, i))
			}
		}
	}
	all := make([][]bool, len(h.at))
	for f := range h.at {
		all[f] = make([]bool, len(h.at[f]))
		for i := range all[f] {
			all[f][i] = h.held(f, i)
		}
	}
	return all
}

// held tells whether it is held before a statement for what is held on entry.
func (h *holding) held(f, i int) bool {
	if h.entry[f] {
		return h.at[f][i][1]
	}
	return h.at[f][i][0]
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

// Shared is the effect of statements on a shared hold of a lock.
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
