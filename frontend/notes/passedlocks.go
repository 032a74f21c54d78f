package notes

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// SettlePassedLocks takes the locks out of the model that goroutines pass on to each
// other where the model has only some of those goroutines: one that it does not have
// could release what one that it has holds, and nobody else would. As long as every
// goroutine releases what it took itself, or what the one that started it held for it,
// the others need not be there. Weighted are the locks that stand for semaphores. It returns
// where the locks are used that exclude nobody now.
func SettlePassedLocks(p *esl.Program, weighted map[int]bool) (dropped []esl.Pos) {
	repeated := p.Executed(func(q esl.Process) bool { return q.Copies > 1 })
	everywhere := p.Executed(func(esl.Process) bool { return true })
	executes := map[int][]bool{}
	var known *flow // until the model changes
	for lock := range p.Locks {
		where := repeated
		if weighted[lock] {
			where = everywhere // what was taken as a whole may be given back in parts
		}
		for _, shares := range []bool{false, true} {
			h := &Holds{Program: p, Lock: lock, Release: esl.Unlock, Of: Exclusively(lock), Exclusive: true,
				Heirs: map[int]bool{}, Executes: executes, known: known}
			if shares {
				h.Release, h.Of, h.Exclusive = esl.RUnlock, Shared(lock), false
			}
			if !h.IsUsed(where) {
				continue
			}
			passedOn := h.ArePassedOn(where)
			known = h.known
			if !passedOn {
				continue
			}
			h.FindHeirs()
			if h.ArePassedOn(where) {
				dropped = append(dropped, dropLock(p, lock)...)
				break
			}
			if h.ReleaseForOthers() {
				known = nil
			}
		}
	}
	return dropped
}

// dropLock makes the operations on a lock have no effect, and returns where they are.
func dropLock(p *esl.Program, lock int) (dropped []esl.Pos) {
	for f := range p.Functions {
		for i, st := range p.Functions[f].Body {
			switch st.Op {
			case esl.LockOp, esl.Unlock, esl.RLock, esl.RUnlock:
				if st.Arg == lock {
					p.Functions[f].Body[i] = esl.Stmt{Op: esl.Skip, Pos: st.Pos}
					dropped = append(dropped, st.Pos)
				}
			}
		}
	}
	return dropped
}

// Holds is the exclusive, or the shared, holds of a lock.
type Holds struct {
	Program *esl.Program
	Lock    int
	Release esl.Op
	Of      func(esl.Stmt) effect
	Heirs   map[int]bool // processes that begin with a hold of who starts them

	Exclusive bool // one process has it at a time

	Executes map[int][]bool // by process, as far as asked for: the functions that it may execute

	known *flow // of the program; nil until it is asked for
}

// flow returns where control can come in the program.
func (h *Holds) flow() *flow {
	if h.known == nil {
		h.known = newFlow(h.Program)
	}
	return h.known
}

// held tells before which statements there is a hold. What is left to an heir is no longer one's own.
func (h *Holds) held() *holding {
	return holdingOf(h.flow(), h.Heirs, false, func(s esl.Stmt) effect {
		if s.Op == esl.Start && h.Heirs[s.Arg] {
			return releases
		}
		return h.Of(s)
	})
}

// areOwn tells whether every release is of a hold of the process itself. If all releases up to
// some moment are, nobody has released what a process holds but itself; so one that takes what
// it holds already waits for ever, and what follows is not executed. That is what the next
// release relies on.
func (h *Holds) areOwn() bool {
	if !h.Exclusive {
		return false
	}
	held := holdingOf(h.flow(), nil, true, h.Of)
	for f, body := range h.Program.Functions {
		for i, st := range body.Body {
			if h.Of(st) == releases && !held.must(f, i) {
				return false
			}
		}
	}
	return true
}

// IsUsed tells whether one of the functions takes or releases the lock.
func (h *Holds) IsUsed(in []bool) bool {
	for f, chosen := range in {
		if chosen && slices.ContainsFunc(h.Program.Functions[f].Body, func(st esl.Stmt) bool { return h.Of(st) != keeps }) {
			return true
		}
	}
	return false
}

// ArePassedOn tells whether a repeated process may release a hold that is not its own,
// or leave one when it ends to others, of which one may release it.
func (h *Holds) ArePassedOn(repeated []bool) bool {
	if len(h.Heirs) == 0 && h.areOwn() {
		return false
	}
	held := h.held()
	ofOthers := false // some release may be of another's hold
	for f, body := range h.Program.Functions {
		for i, st := range body.Body {
			switch {
			case st.Op == esl.Start && h.Heirs[st.Arg] && !held.must(f, i):
				return true
			case h.Of(st) == releases && !held.must(f, i):
				if repeated[f] {
					return true
				}
				ofOthers = true
			}
		}
	}
	return ofOthers && slices.ContainsFunc(h.Program.Processes, func(q esl.Process) bool {
		return q.Copies > 1 && leavesHeld(held, q.Entry)
	})
}

// FindHeirs finds the processes that are always started with the lock held, and release
// it first.
func (h *Holds) FindHeirs() {
	held := h.held()
	heirs := map[int]bool{}
	var releasing []int // the functions that release what they need not hold
	for f, body := range h.Program.Functions {
		for i, st := range body.Body {
			if h.Of(st) == releases && !held.must(f, i) {
				releasing = append(releasing, f)
				break
			}
		}
	}
	for q := range h.Program.Processes {
		if slices.ContainsFunc(releasing, func(f int) bool { return h.functionsOf(q)[f] }) {
			heirs[q] = true
		}
	}
	for f, body := range h.Program.Functions {
		for i, st := range body.Body {
			if st.Op == esl.Start && !held.must(f, i) {
				delete(heirs, st.Arg)
			}
		}
	}
	delete(heirs, 0)
	h.Heirs = heirs
}

// functionsOf returns the functions that the process may execute.
func (h *Holds) functionsOf(process int) []bool {
	if h.Executes[process] == nil {
		h.Executes[process] = h.Program.ExecutedFrom(h.Program.Processes[process].Entry)
	}
	return h.Executes[process]
}

// ReleaseForOthers lets a statement that starts an heir release the lock instead: then
// the heir is one that the model does not have. It tells whether there is one.
func (h *Holds) ReleaseForOthers() (changed bool) {
	for f := range h.Program.Functions {
		for i, st := range h.Program.Functions[f].Body {
			if st.Op == esl.Start && h.Heirs[st.Arg] && h.Program.Processes[st.Arg].Copies > 1 {
				OrElse(&h.Program.Functions[f], i, esl.Stmt{Op: h.Release, Arg: h.Lock, Pos: st.Pos})
				changed = true
			}
		}
	}
	return changed
}

// leavesHeld tells whether something may be held where the function returns.
func leavesHeld(held *holding, f int) bool {
	body := held.program.Functions[f].Body
	for i := range body {
		if body[i].Op == esl.Return && held.may(f, i) {
			return true
		}
	}
	return held.may(f, len(body))
}
