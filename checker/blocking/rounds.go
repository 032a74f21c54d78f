package blocking

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// Loops that look again and again for what one operation cannot wait for: at several things one after the other, or
// under a lock. Options.Loop tells where they are. An instance makes no progress from a state on if it is in one loop
// there, and in whatever state can be reached: it only looks, and takes and releases locks. That is decided as it is
// decided who is blocked for ever, where a step within the loop that only looks is none. The reduction leaves it as it
// is: what can be executed at all from a state can be in the reduced graph.

// loopOf returns the loop in which an instance is, by number; 0: it is in none.
func (s *search) loopOf(process int, at control) int {
	stmt, ok := s.controls.at(at)
	if s.options.Loop == nil || !ok {
		return 0
	}
	if stmt.Op == esl.Select || stmt.Op == esl.SelectDefault {
		if len(stmt.Targets) == 0 {
			return 0
		}
		stmt = s.controls.statement(int(s.controls.frames[at].function), stmt.Targets[0])
	}
	return s.options.Loop(process, stmt.Pos)
}

// onlyLooks tells whether an instance stays in its loop with a step, and does nothing there that others could wait for
// but release a lock.
func (s *search) onlyLooks(from state, t transition) bool {
	if s.options.Loop == nil || t.second >= 0 {
		return false
	}
	process := s.instance[t.mover].Process
	loop := s.loopOf(process, control(from[t.mover]))
	if loop == 0 || s.loopOf(process, control(t.to[t.mover])) != loop || len(t.steps) == 0 {
		return false
	}
	return isLook(s.controls.statement(t.steps[0].Function, t.steps[0].Index))
}

// isLook tells whether an operation only looks at something, or has to do with a lock.
func isLook(stmt esl.Stmt) bool {
	switch stmt.Op {
	case esl.Test, esl.Skip, esl.ReceiveClosed, esl.Await, esl.AwaitUnset, esl.LockOp, esl.Unlock, esl.RLock, esl.RUnlock,
		esl.Intend, esl.Goto, esl.Choice, esl.Call, esl.Return:
		return true
	case esl.Swap:
		return stmt.Count == stmt.Value
	}
	return false
}

// decideRounds finds out, for each state, who goes round for ever.
func (s *search) decideRounds() {
	s.rounds = make([]uint64, len(s.nodes))
	if !slices.ContainsFunc(s.nodes, func(at node) bool {
		return slices.ContainsFunc(at.edges, func(e edge) bool { return e.looks })
	}) {
		return // nobody is in such a loop
	}
	isBlocked := func(n int32) uint64 { return s.forever[n] } // is told as that
	isStep := func(e edge) bool { return !e.looks }
	free := s.free(isBlocked, isStep, func(free []uint64, n int32, _ edge) uint64 { return free[n] })
	for n := range s.nodes {
		at := &s.nodes[n]
		for i, in := range s.instance {
			isFree := (free[n]|at.blocked)>>i&1 == 1
			if !isFree && s.loopOf(in.Process, control(at.state[i])) != 0 {
				s.rounds[n] |= 1 << i
			}
		}
	}
}

// addRound adds the finding that an instance goes round for ever.
func (s *search) addRound(r *Result, n int32, i int) {
	end, rest := s.standstill(n)
	w := s.lookedAt(end, i, r)
	f := Finding{Class: NoProgress, Steps: append(s.run(n), rest...), Waits: []Wait{w}}
	holders := holdersAfter(s.program, f.Steps)
	for j := range s.instance {
		if s.forever[end]>>j&1 == 1 && !s.isMeant(end, j) {
			f.Also = append(f.Also, s.wait(end, j, holders))
		}
	}
	r.Findings = append(r.Findings, f)
}

// lookedAt says where an instance goes round, and what it looks at there that is never as it would have to be. It notes
// all the places that it comes to.
func (s *search) lookedAt(from int32, i int, r *Result) Wait {
	at := s.placeOf(from, i)
	w := Wait{Instance: s.instance[i], Function: at.function, Index: at.index, Round: true}
	isThere := map[string]bool{} // the operations that can be executed at some time
	var all []esl.Stmt
	seen := map[int32]bool{from: true}
	for queue := []int32{from}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		r.rounds[s.placeOf(n, i)] = true
		state := s.nodes[n].state
		isTried := s.controls.passes(control(state[i])) // a lock is waited for otherwise
		s.controls.offers(control(state[i]), func(_ int, stmt esl.Stmt) {
			isLock := stmt.Op == esl.LockOp || stmt.Op == esl.RLock || stmt.Op == esl.Intend
			switch key := string(stmt.AppendIdentity(nil)); {
			case s.status(state, i, stmt) == can:
				isThere[key] = true
			case !isLock || isTried:
				all = append(all, stmt)
			}
		})
		for _, e := range s.nodes[n].edges {
			if !seen[e.to] {
				seen[e.to] = true
				queue = append(queue, e.to)
			}
		}
	}
	for _, stmt := range all {
		if key := string(stmt.AppendIdentity(nil)); !isThere[key] {
			isThere[key] = true
			w.At = append(w.At, stmt)
			s.addEnablers(&w, s.nodes[from].state, i, stmt)
		}
	}
	slices.SortStableFunc(w.At, func(a, b esl.Stmt) int { return a.Pos.Line - b.Pos.Line })
	return w
}
