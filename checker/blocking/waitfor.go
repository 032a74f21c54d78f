package blocking

import (
	"cmp"
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// report makes findings of what was decided: one for each place at which an instance can be blocked for ever, or
// end the program; but those that are blocked together are one.
func (s *search) report(r *Result) {
	for n := range s.nodes {
		if s.nodes[n].state[s.exited] == 0 {
			s.addUses(r, int32(n))
			s.addFirstCounts(r, int32(n))
		}
		if !s.hasFreeClient(int32(n)) {
			s.forever[n], s.possible[n], s.rounds[n] = 0, 0, 0
		}
		for i := range s.instance {
			if s.forever[n]>>i&1 == 1 && !s.isMeant(int32(n), i) {
				at := s.placeOf(int32(n), i)
				if !r.blocked[at] {
					r.blocked[at] = true
					s.addBlocked(r, int32(n), i)
				}
			}
			if s.rounds[n]>>i&1 == 1 && !r.rounds[s.placeOf(int32(n), i)] {
				s.addRound(r, int32(n), i)
			}
			if s.possible[n]>>i&1 == 1 && !s.isMeant(int32(n), i) {
				r.possible[s.placeOf(int32(n), i)] = true
				r.Open = true
			}
			if s.nodes[n].crash>>i&1 == 1 {
				at := s.placeOf(int32(n), i)
				if !r.crashes[at] {
					r.crashes[at] = true
					r.Findings = append(r.Findings, s.crash(int32(n), i))
				}
			}
		}
	}
	s.addLivelocks(r)
	r.Findings = distinct(r.Findings)
}

// hasFreeClient tells whether a client is about to choose what to do, if there are any. One that is not in this part
// of the program may be.
func (s *search) hasFreeClient(n int32) bool {
	for _, c := range s.options.Clients {
		if s.program.Processes[c].Copies == 0 {
			return true
		}
	}
	for i, in := range s.instance {
		stmt, ok := s.controls.at(control(s.nodes[n].state[i]))
		if ok && chooses(stmt) && slices.Contains(s.options.Clients, in.Process) {
			return true
		}
	}
	return len(s.options.Clients) == 0
}

// isMeant tells whether an instance is where it is to wait for ever, as by an empty select.
func (s *search) isMeant(n int32, i int) bool {
	stmt, _ := s.controls.at(control(s.nodes[n].state[i]))
	return stmt.Op == esl.Select && len(stmt.Targets) == 0
}

// crash is the finding that an instance can end the program.
func (s *search) crash(n int32, i int) Finding {
	w := s.wait(n, i, nil)
	w.At = slices.DeleteFunc(w.At, func(stmt esl.Stmt) bool { return s.status(s.nodes[n].state, i, stmt) != crashes })
	return Finding{Class: OrderViolation, Steps: s.run(n), Waits: []Wait{w}}
}

// addBlocked adds the finding that an instance is blocked for ever. It is shown where nothing moves any more.
func (s *search) addBlocked(r *Result, n int32, i int) {
	end, rest := s.standstill(n)
	if s.forever[end]>>i&1 == 0 {
		end, rest = n, nil
	}
	steps := append(s.run(n), rest...)
	holders := holdersAfter(s.program, steps)
	var stuck []int
	waits := map[int]Wait{}
	for j := range s.instance {
		if s.forever[end]>>j&1 == 1 && !s.isMeant(end, j) {
			stuck = append(stuck, j)
			waits[j] = s.wait(end, j, holders)
		}
	}
	core := s.core(i, waits)
	f := Finding{Steps: steps}
	for _, j := range stuck {
		if slices.Contains(core, j) {
			f.Waits = append(f.Waits, waits[j])
		} else {
			f.Also = append(f.Also, waits[j])
		}
	}
	f.Class = s.classOf(f, steps)
	r.Findings = append(r.Findings, f)
}

// core returns the instances that wait for each other, for which i waits at last: a cycle that nothing leads out of,
// or one instance.
func (s *search) core(i int, waits map[int]Wait) []int {
	reach := func(from int) (all []int) {
		queue := []int{from}
		for ; len(queue) > 0; queue = queue[1:] {
			for _, e := range waits[queue[0]].For {
				j := slices.Index(s.instance, e.Instance)
				if _, ok := waits[j]; ok && !e.Ended && !slices.Contains(all, j) {
					all = append(all, j)
					queue = append(queue, j)
				}
			}
		}
		slices.Sort(all)
		return all
	}
	last, after := i, reach(i)
	for _, j := range after {
		if all := reach(j); len(all) < len(after) {
			last, after = j, all
		}
	}
	if len(after) == 0 {
		return []int{last}
	}
	return after
}

// wait says where an instance is, and whom it waits for.
func (s *search) wait(n int32, i int, holders map[hold][]esl.Instance) Wait {
	at := s.placeOf(n, i)
	w := Wait{Instance: s.instance[i], Function: at.function, Index: at.index}
	state := s.nodes[n].state
	s.controls.offers(control(state[i]), func(_ int, stmt esl.Stmt) {
		w.At = append(w.At, stmt)
		if in := s.inTheWay(state, stmt, holders); len(in) > 0 {
			for _, h := range in {
				h.Ended = control(state[slices.Index(s.instance, h.Instance)]) == ended
				w.addEdge(h)
			}
			return
		}
		s.addEnablers(&w, state, i, stmt)
	})
	return w
}

// addEnablers adds those that could still do what lets an operation of instance i be executed.
func (s *search) addEnablers(w *Wait, at state, i int, stmt esl.Stmt) {
	for j := range s.instance {
		for _, u := range s.enablers(stmt) {
			number, known := s.controls.uses[u]
			if j != i && known && s.controls.future(control(at[j])).has(number) {
				w.addEdge(Edge{Instance: s.instance[j], Op: u.op, Arg: u.arg})
			}
		}
	}
}

func (w *Wait) addEdge(e Edge) {
	if !slices.Contains(w.For, e) {
		w.For = append(w.For, e)
	}
}

// inTheWay returns those because of whom an operation on a lock waits: who holds it, or has announced that it will.
func (s *search) inTheWay(at state, stmt esl.Stmt, holders map[hold][]esl.Instance) (all []Edge) {
	add := func(kind esl.Op, done esl.Op) {
		for _, h := range holders[hold{stmt.Arg, kind}] {
			all = append(all, Edge{Instance: h, Op: done, Arg: stmt.Arg, Holds: kind != esl.Intend})
		}
	}
	switch stmt.Op {
	case esl.LockOp:
		add(esl.LockOp, esl.Unlock)
		add(esl.RLock, esl.RUnlock)
	case esl.RLock, esl.Intend:
		if at[s.lock(stmt.Arg)+held] != 0 {
			add(esl.LockOp, esl.Unlock)
		} else {
			add(esl.Intend, esl.LockOp)
		}
	}
	return all
}

// enablers returns what others can do for an operation that waits.
func (s *search) enablers(stmt esl.Stmt) (all []use) {
	for _, op := range map[esl.Op][]esl.Op{
		esl.LockOp: {esl.Unlock, esl.RUnlock}, esl.RLock: {esl.Unlock, esl.LockOp}, esl.Intend: {esl.Unlock, esl.LockOp},
		esl.Join: {esl.Done}, esl.Await: {esl.Set}, esl.Send: {esl.Receive}, esl.Receive: {esl.Send},
		esl.ReceiveClosed: {esl.CloseChannel}, esl.Awake: {esl.Signal, esl.Broadcast}, esl.WaitZero: {esl.Add},
		esl.Test: {esl.Assign, esl.Swap}, esl.Swap: {esl.Assign, esl.Swap},
	}[stmt.Op] {
		arg := stmt.Arg
		if op == esl.Done {
			arg = 0 // of all processes: see esl.Done
		}
		all = append(all, use{op: op, arg: arg})
	}
	return all
}

// hold is a way to hold a lock: as the operation that takes it so, or announces that.
type hold struct {
	lock int
	kind esl.Op
}

// holdersAfter returns who holds the locks after some steps.
func holdersAfter(p *esl.Program, steps []esl.Step) map[hold][]esl.Instance {
	holders := map[hold][]esl.Instance{}
	release := func(h hold, by esl.Instance) {
		all := holders[h]
		if len(all) > 0 {
			k := max(0, slices.Index(all, by))
			holders[h] = slices.Delete(slices.Clone(all), k, k+1)
		}
	}
	for _, step := range steps {
		body := p.Functions[step.Function].Body
		if step.Index == len(body) {
			continue
		}
		switch stmt := body[step.Index]; stmt.Op {
		case esl.LockOp, esl.RLock, esl.Intend:
			release(hold{stmt.Arg, esl.Intend}, step.Instance) // no longer announced
			if stmt.Op == esl.RLock {
				holders[hold{stmt.Arg, stmt.Op}] = append(holders[hold{stmt.Arg, stmt.Op}], step.Instance)
			} else {
				holders[hold{stmt.Arg, stmt.Op}] = []esl.Instance{step.Instance}
			}
		case esl.Unlock:
			release(hold{stmt.Arg, esl.LockOp}, step.Instance)
		case esl.RUnlock:
			release(hold{stmt.Arg, esl.RLock}, step.Instance)
		}
	}
	return holders
}

// classOf says what it is called that some instances are blocked.
func (s *search) classOf(f Finding, steps []esl.Step) Class {
	if len(f.Waits) > 1 || len(f.Waits[0].For) > 0 && f.Waits[0].For[0].Instance == f.Waits[0].Instance {
		return Deadlock
	}
	for _, stmt := range f.Waits[0].At {
		if stmt.Op == esl.Awake || stmt.Op == esl.Receive && s.wasPassed(steps, stmt.Arg) {
			return MissedSignal
		}
	}
	if slices.ContainsFunc(f.Waits[0].At, func(stmt esl.Stmt) bool { return s.options.looks(stmt.Pos) }) {
		return NoProgress
	}
	return Blocked
}

// wasPassed tells whether a send that does not wait has been left out in a run.
func (s *search) wasPassed(steps []esl.Step, channel int) bool {
	for k, step := range steps {
		at := s.selectOf(steps[:k], step)
		if at.Op != esl.SelectDefault || at.Targets[len(at.Targets)-1] != step.Index {
			continue
		}
		for _, t := range at.Targets {
			if stmt := s.controls.statement(step.Function, t); stmt.Op == esl.Send && stmt.Arg == channel {
				return true
			}
		}
	}
	return false
}

// selectOf returns the select of which a step is a target: the instance was there before. The zero Stmt is none.
func (s *search) selectOf(before []esl.Step, step esl.Step) esl.Stmt {
	for i, stmt := range s.program.Functions[step.Function].Body {
		if (stmt.Op == esl.Select || stmt.Op == esl.SelectDefault) && slices.Contains(stmt.Targets, step.Index) &&
			s.cameTo(before, step, i) {
			return stmt
		}
	}
	return esl.Stmt{}
}

// cameTo tells whether the last step of an instance has led to a statement.
func (s *search) cameTo(before []esl.Step, step esl.Step, index int) bool {
	for k := len(before) - 1; k >= 0; k-- {
		if last := before[k]; last.Instance == step.Instance {
			stmt := s.controls.statement(last.Function, last.Index)
			switch stmt.Op {
			case esl.Goto, esl.Choice:
				return last.Function == step.Function && last.Target == index
			case esl.Call:
				return index == 0
			case esl.Return:
				return true
			}
			return last.Function == step.Function && last.Index+1 == index
		}
	}
	return index == 0
}

// distinct leaves out findings that are the same as earlier ones but for their runs.
func distinct(all []Finding) (some []Finding) {
	seen := map[string]bool{}
	for _, f := range all {
		if k := f.key(); !seen[k] {
			seen[k] = true
			some = append(some, f)
		}
	}
	slices.SortStableFunc(some, func(a, b Finding) int { return cmp.Compare(a.Class, b.Class) })
	return some
}

// key is the same for findings of one class in which instances of the same processes are at the same statements.
func (f Finding) key() string {
	key := f.Class.String()
	for _, w := range f.Waits {
		key += "\n" + esl.Pos{File: "p", Line: w.Process, Col: w.Function}.String()
		for _, stmt := range w.At {
			key += string(stmt.AppendIdentity(nil))
		}
	}
	return key
}
