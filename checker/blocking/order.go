package blocking

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// Order violations (definition 3) that are no operations on synchronisation by mistake: what should come first is
// something that another instance does.

// addUses adds the uses of what another instance has yet to set, or has taken away: see Options.IsUse.
func (s *search) addUses(r *Result, n int32) {
	for i := range s.instance {
		stmt, _ := s.controls.at(control(s.nodes[n].state[i]))
		if at := s.placeOf(n, i); stmt.Op == esl.Exit && s.options.isUse(stmt.Pos) && !r.uses[at] && s.isOthers(n, i) {
			r.uses[at] = true
			r.Findings = append(r.Findings, Finding{Class: OrderViolation, Steps: s.run(n),
				Waits: []Wait{s.at(n, i, stmt)}})
		}
	}
}

// isOthers tells whether the last variable that an instance has looked at in a run is one that others assign to, or the
// last channel that it has found closed one that others close, where that is what it uses: see Options.IsClosedUse. A
// client of a library must have seen something else there since it chose what to do: in which order clients call what
// there is, one after the other, is their business.
func (s *search) isOthers(n int32, i int) bool {
	own, isClient := s.instance[i], s.isClient(i)
	at, _ := s.controls.at(control(s.nodes[n].state[i]))
	var seen []esl.Stmt // the looks of the instance, since it chose
	for _, step := range s.run(n) {
		stmt := s.controls.statement(step.Function, step.Index)
		switch {
		case step.Instance != own:
		case stmt.Op == esl.Test, stmt.Op == esl.ReceiveClosed && s.options.isClosedUse(at.Pos):
			seen = append(seen, stmt)
		case isClient && chooses(stmt):
			seen = nil
		}
	}
	if len(seen) == 0 {
		return false
	}
	last := seen[len(seen)-1]
	if last.Op == esl.ReceiveClosed {
		return !isClient && s.othersDo(own, use{op: esl.CloseChannel, arg: last.Arg})
	}
	if isClient {
		return slices.ContainsFunc(seen, func(l esl.Stmt) bool {
			return l.Op == last.Op && l.Arg == last.Arg && l.Count != last.Count
		})
	}
	return s.othersDo(own, use{op: esl.Assign, arg: last.Arg}) || s.othersDo(own, use{op: esl.Swap, arg: last.Arg})
}

// othersDo tells whether another instance may do something.
func (s *search) othersDo(own esl.Instance, u use) bool {
	number, known := s.controls.uses[u]
	return known && slices.ContainsFunc(s.instance, func(other esl.Instance) bool {
		return other != own && s.controls.future(s.controls.begin(other.Process)).has(number)
	})
}

// addFirstCounts adds the states in which an instance waits for a group that counts nothing, and another one is about
// to count it up: whether it is waited for is a matter of who comes first. What clients of a library call at the same
// time is their business.
func (s *search) addFirstCounts(r *Result, n int32) {
	at := s.nodes[n].state
	for i := range s.instance {
		waits, _ := s.controls.at(control(at[i]))
		if waits.Op != esl.WaitZero || at[s.counters+waits.Arg] != 0 || s.isClient(i) {
			continue
		}
		for j := range s.instance {
			adds, _ := s.controls.at(control(at[j]))
			where := s.placeOf(n, j)
			if adds.Op != esl.Add || adds.Arg != waits.Arg || adds.Count <= 0 || s.isClient(j) || r.uses[where] {
				continue
			}
			r.uses[where] = true
			r.Findings = append(r.Findings, Finding{Class: OrderViolation, Steps: s.run(n),
				Waits: []Wait{s.at(n, j, adds), s.at(n, i, waits)}})
		}
	}
}

func (s *search) isClient(i int) bool {
	return slices.Contains(s.options.Clients, s.instance[i].Process)
}

// at says that an instance is at a statement.
func (s *search) at(n int32, i int, stmt esl.Stmt) Wait {
	at := s.placeOf(n, i)
	return Wait{Instance: s.instance[i], Function: at.function, Index: at.index, At: []esl.Stmt{stmt}}
}
