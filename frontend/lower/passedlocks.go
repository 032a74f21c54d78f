package lower

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// settlePassedLocks takes the locks out of the model that goroutines pass on to each
// other where the model has only some of those goroutines: one that it does not have
// could release what one that it has holds, and nobody else would. As long as every
// goroutine releases what it took itself, or what the one that started it held for it,
// the others need not be there.
func (l *lowerer) settlePassedLocks(p *esl.Program) {
	repeated := reachableFrom(p, func(q esl.Process) bool { return q.Copies > 1 })
	everywhere := reachableFrom(p, func(esl.Process) bool { return true })
	executes := map[int][]bool{}
	for lock := range p.Locks {
		where := repeated
		if l.weighted[lock] {
			where = everywhere // what was taken as a whole may be given back in parts
		}
		for _, shares := range []bool{false, true} {
			h := &holds{program: p, lock: lock, release: esl.Unlock, of: exclusively(lock), heirs: map[int]bool{}, executes: executes}
			if shares {
				h.release, h.of = esl.RUnlock, shared(lock)
			}
			if !h.isUsed(where) || !h.arePassedOn(where) {
				continue
			}
			h.findHeirs()
			if h.arePassedOn(where) {
				l.dropLock(p, lock)
				break
			}
			h.releaseForOthers()
		}
	}
}

// holds is the exclusive, or the shared, holds of a lock.
type holds struct {
	program *esl.Program
	lock    int
	release esl.Op
	of      func(esl.Stmt) effect
	heirs   map[int]bool // processes that begin with a hold of who starts them

	executes map[int][]bool // by process, as far as asked for: the functions that it may execute
}

// held tells before which statements there is a hold, on every path or on some. What is
// left to an heir is no longer one's own.
func (h *holds) held(must bool) [][]bool {
	return holdFrom(h.program, must, h.heirs, func(s esl.Stmt) effect {
		if s.Op == esl.Start && h.heirs[s.Arg] {
			return releases
		}
		return h.of(s)
	})
}

// isUsed tells whether one of the functions takes or releases the lock.
func (h *holds) isUsed(in []bool) bool {
	for f, chosen := range in {
		if chosen && slices.ContainsFunc(h.program.Functions[f].Body, func(st esl.Stmt) bool { return h.of(st) != keeps }) {
			return true
		}
	}
	return false
}

// arePassedOn tells whether a repeated process may release a hold that is not its own,
// or leave one when it ends to others, of which one may release it.
func (h *holds) arePassedOn(repeated []bool) bool {
	must, may := h.held(true), h.held(false)
	ofOthers := false // some release may be of another's hold
	for f, body := range h.program.Functions {
		for i, st := range body.Body {
			switch {
			case st.Op == esl.Start && h.heirs[st.Arg] && !must[f][i]:
				return true
			case h.of(st) == releases && !must[f][i]:
				if repeated[f] {
					return true
				}
				ofOthers = true
			}
		}
	}
	return ofOthers && slices.ContainsFunc(h.program.Processes, func(q esl.Process) bool {
		return q.Copies > 1 && leavesHeld(h.program.Functions[q.Entry].Body, may[q.Entry])
	})
}

// findHeirs finds the processes that are always started with the lock held, and release
// it first.
func (h *holds) findHeirs() {
	must := h.held(true)
	heirs := map[int]bool{}
	var releasing []int // the functions that release what they need not hold
	for f, body := range h.program.Functions {
		for i, st := range body.Body {
			if h.of(st) == releases && !must[f][i] {
				releasing = append(releasing, f)
				break
			}
		}
	}
	for q := range h.program.Processes {
		if slices.ContainsFunc(releasing, func(f int) bool { return h.functionsOf(q)[f] }) {
			heirs[q] = true
		}
	}
	for f, body := range h.program.Functions {
		for i, st := range body.Body {
			if st.Op == esl.Start && !must[f][i] {
				delete(heirs, st.Arg)
			}
		}
	}
	delete(heirs, 0)
	h.heirs = heirs
}

// functionsOf returns the functions that the process may execute.
func (h *holds) functionsOf(process int) []bool {
	if h.executes[process] == nil {
		name := h.program.Processes[process].Name
		h.executes[process] = reachableFrom(h.program, func(q esl.Process) bool { return q.Name == name })
	}
	return h.executes[process]
}

// releaseForOthers lets a statement that starts an heir release the lock instead: then
// the heir is one that the model does not have.
func (h *holds) releaseForOthers() {
	for f := range h.program.Functions {
		for i, st := range h.program.Functions[f].Body {
			if st.Op == esl.Start && h.heirs[st.Arg] && h.program.Processes[st.Arg].Copies > 1 {
				orElse(&h.program.Functions[f], i, esl.Stmt{Op: h.release, Arg: h.lock, Pos: st.Pos})
			}
		}
	}
}

// leavesHeld tells whether something may be held where the body returns.
func leavesHeld(body []esl.Stmt, held []bool) bool {
	for i, st := range body {
		if st.Op == esl.Return && held[i] {
			return true
		}
	}
	return held[len(body)]
}

// dropLock makes the operations on a lock have no effect.
func (l *lowerer) dropLock(p *esl.Program, lock int) {
	for f := range p.Functions {
		for i, st := range p.Functions[f].Body {
			switch st.Op {
			case esl.LockOp, esl.Unlock, esl.RLock, esl.RUnlock:
				if st.Arg != lock {
					continue
				}
				p.Functions[f].Body[i] = esl.Stmt{Op: esl.Skip, Pos: st.Pos}
				if st.Pos.InModule() {
					l.assumptions[Assumption{"lock", st.Pos, "the lock used here excludes nobody: goroutines of which only some are modelled pass it on to each other"}] = true
				}
			}
		}
	}
}

// reachableFrom tells which functions the chosen processes may execute.
func reachableFrom(p *esl.Program, chosen func(esl.Process) bool) []bool {
	reached := make([]bool, len(p.Functions))
	var work []int
	add := func(f int) {
		if !reached[f] {
			reached[f] = true
			work = append(work, f)
		}
	}
	for _, q := range p.Processes {
		if chosen(q) {
			add(q.Entry)
		}
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for _, st := range p.Functions[f].Body {
			if st.Op == esl.Call {
				add(st.Arg)
			}
		}
	}
	return reached
}
