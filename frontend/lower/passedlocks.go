package lower

import (
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/notes"
)

// settlePassedLocks takes the locks out of the model that goroutines pass on to each
// other where the model has only some of those goroutines: one that it does not have
// could release what one that it has holds, and nobody else would. As long as every
// goroutine releases what it took itself, or what the one that started it held for it,
// the others need not be there.
func (l *lowerer) settlePassedLocks(p *esl.Program) {
	repeated := notes.ReachableFrom(p, func(q esl.Process) bool { return q.Copies > 1 })
	everywhere := notes.ReachableFrom(p, func(esl.Process) bool { return true })
	executes := map[int][]bool{}
	for lock := range p.Locks {
		where := repeated
		if l.weighted[lock] {
			where = everywhere // what was taken as a whole may be given back in parts
		}
		for _, shares := range []bool{false, true} {
			h := &notes.Holds{Program: p, Lock: lock, Release: esl.Unlock, Of: notes.Exclusively(lock), Exclusive: true,
				Heirs: map[int]bool{}, Executes: executes}
			if shares {
				h.Release, h.Of, h.Exclusive = esl.RUnlock, notes.Shared(lock), false
			}
			if !h.IsUsed(where) || !h.ArePassedOn(where) {
				continue
			}
			h.FindHeirs()
			if h.ArePassedOn(where) {
				l.dropLock(p, lock)
				break
			}
			h.ReleaseForOthers()
		}
	}
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
					l.assumptions[Assumption{"lock", st.Pos, "the lock used here excludes nobody: goroutines of which only some " +
						"are modelled pass it on to each other"}] = true
				}
			}
		}
	}
}
