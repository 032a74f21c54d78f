package lower

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/notes"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// promise is what a path through a clone has decided about a read when it executed
// it: that it will pass a place where the value no longer matters, or that it will
// not. The read has a key in the first case only, so that a key names the read of
// one activation and iteration. A path on which it turns out otherwise is no run:
// another path has decided the other way.
type promise struct {
	read      ssa.Value
	forgotten bool
	passing   bool   // it is forgotten where its loop begins anew, and nowhere else: see planRounds
	locations string // that it was found to read
}

// stepForgetting is step, with what becomes of reads that matter for a while.
func (l *lowerer) stepForgetting(c *clone, s state, instr ssa.Instruction) []outcome {
	r := c.relevance
	if r == nil {
		outcomes := l.step(c, s, instr)
		c.mark(instr, outcomes)
		return outcomes
	}
	before := c.forgetPassed(l, instr)
	for _, f := range r.Forgets[instr] {
		i := s.promised(f.Read)
		if i < 0 || !f.Exact {
			continue
		}
		if p := s.promises[i]; !p.forgotten || p.passing != f.Passing {
			return nil
		}
		before = append(before, c.forget(s.promises[i], instr, l))
		s = s.withoutPromise(i)
	}
	var outcomes []outcome
	s, last := c.takeLast(s, instr)
	for _, o := range l.stepLook(c, s, instr) {
		o, ok := c.settleLast(l, o, last, instr)
		if ok {
			o, ok = l.forgetInexact(c, o, instr)
		}
		if ok {
			o.stmts = append(before[:len(before):len(before)], o.stmts...)
			outcomes = append(outcomes, o)
		}
	}
	return outcomes
}

// stepLook is step, where a read that is forgotten in some place gets its key.
func (l *lowerer) stepLook(c *clone, s state, instr ssa.Instruction) []outcome {
	if !c.relevance.Planned[instr] && !c.relevance.Rounds[instr] {
		outcomes := l.step(c, s, instr)
		c.mark(instr, outcomes)
		return outcomes
	}
	read := instr.(ssa.Value)
	if i := s.promised(read); i >= 0 {
		if s.promises[i].forgotten {
			return nil
		}
		s = s.withoutPromise(i)
	}
	if f, ok := c.relevance.Tries[read]; ok {
		return l.stepTry(c, s, read, f)
	}
	if modref.IsRead(instr) || ssaflow.IsCompareAndSwap(instr) {
		var all []outcome
		for _, o := range l.step(c, s, instr) {
			all = append(all, c.promise(o, read)...)
		}
		c.markPassing(instr, all)
		return all
	}
	all := l.step(c, s, instr)
	for i := range all {
		all[i].state = all[i].state.withPromise(promise{read: read})
	}
	for _, p := range c.promises(read) {
		s.look = c.promisedKey(p)
		for _, o := range l.step(c, s, instr) {
			o.state.look = ""
			o.state = o.state.withPromise(p)
			all = append(all, o)
		}
	}
	return all
}

// promises returns the ways in which a read may be forgotten.
func (c *clone) promises(read ssa.Value) (all []promise) {
	if c.relevance.Planned[read.(ssa.Instruction)] {
		all = append(all, promise{read: read, forgotten: true})
	}
	if c.relevance.Rounds[read.(ssa.Instruction)] {
		all = append(all, promise{read: read, forgotten: true, passing: true})
	}
	return all
}

// promise returns all ways to go on after an outcome that reads the set.
func (c *clone) promise(o outcome, read ssa.Value) []outcome {
	locations := notes.LocationsRead(o.stmts)
	if locations == "" || notes.Swaps(o.stmts) {
		return []outcome{o}
	}
	var all []outcome
	for _, p := range c.promises(read) {
		p.locations = locations
		keyed := outcome{slices.Clone(o.stmts), o.state.withPromise(p)}
		for i, st := range keyed.stmts {
			if st.Op == esl.Access && st.Access.Reads() {
				keyed.stmts[i].Key = c.promisedKey(p)
			}
		}
		all = append(all, keyed)
	}
	o.state = o.state.withPromise(promise{read: read, locations: locations})
	return append(all, o)
}

// forgetInexact forgets, in an outcome of the instruction, the reads of the location
// that it accesses. ok is false if the path has decided otherwise.
func (l *lowerer) forgetInexact(c *clone, o outcome, instr ssa.Instruction) (changed outcome, ok bool) {
	all := slices.Clone(c.relevance.Unswapped[instr])
	if notes.Swaps(o.stmts) {
		all = slices.Clone(c.relevance.Swapped[instr])
	}
	for _, f := range c.relevance.Forgets[instr] {
		if !f.Exact {
			all = append(all, f)
		}
	}
	for _, f := range all {
		i := o.state.promised(f.Read)
		if i < 0 || ssaflow.AsValue(instr) == f.Read || o.state.promises[i].locations != notes.LocationsRead(o.stmts) {
			continue
		}
		if p := o.state.promises[i]; !p.forgotten || p.passing {
			return o, false
		}
		o.stmts = append([]esl.Stmt{c.forget(o.state.promises[i], instr, l)}, o.stmts...)
		o.state = o.state.withoutPromise(i)
	}
	return o, true
}

// takeLast takes the promise about the last execution of the instruction from the
// state, if it is to be forgotten at this one should that read the same location.
func (c *clone) takeLast(s state, instr ssa.Instruction) (without state, last promise) {
	for _, f := range c.relevance.Forgets[instr] {
		if i := s.promised(f.Read); i >= 0 && !f.Exact && f.Read == ssaflow.AsValue(instr) {
			return s.withoutPromise(i), s.promises[i]
		}
	}
	return s, promise{}
}

// settleLast keeps that promise in an outcome; ok is false if it is broken.
func (c *clone) settleLast(l *lowerer, o outcome, last promise, instr ssa.Instruction) (settled outcome, ok bool) {
	forgets := last.locations == notes.LocationsRead(o.stmts)
	if last.read == nil || !last.forgotten && !forgets {
		return o, true
	}
	kept := last.forgotten && !last.passing && forgets
	if kept {
		o.stmts = append([]esl.Stmt{c.forget(last, instr, l)}, o.stmts...)
	}
	return o, kept
}

// key names a read in the model.
func (c *clone) key(read ssa.Value) string { return fmt.Sprintf("k%d.%d", c.index, c.fn.Number[read]) }

// promisedKey names a read that is forgotten as promised.
func (c *clone) promisedKey(p promise) string {
	if p.passing {
		return c.roundKey(p.read)
	}
	return c.key(p.read)
}

// forget returns the statement after which a read no longer matters, as promised.
func (c *clone) forget(p promise, at ssa.Instruction, l *lowerer) esl.Stmt {
	c.relevance.NoteRules(l.Rules, p.read)
	return esl.Stmt{Op: esl.Forget, Key: c.promisedKey(p), Pos: l.position(at)}
}

// settlePromises drops the promises that no place ahead can keep or break, when
// control goes to an instruction. ok is false if one has been broken.
func (c *clone) settlePromises(s state, to ssa.Instruction) (settled state, ok bool) {
	for i := len(s.promises) - 1; i >= 0; i-- {
		if c.relevance.CanForget(s.promises[i].read, to) {
			continue
		}
		if s.promises[i].forgotten {
			return s, false
		}
		s = s.withoutPromise(i)
	}
	return s, true
}

// breaksPromise tells whether a read that was to be forgotten was not, at a return.
func (s state) breaksPromise() bool {
	return slices.ContainsFunc(s.promises, func(p promise) bool { return p.forgotten })
}

// promised returns the index of the promise about a read, -1 if there is none.
func (s state) promised(read ssa.Value) int {
	return slices.IndexFunc(s.promises, func(p promise) bool { return p.read == read })
}

func (s state) withPromise(p promise) state {
	s.promises = append(s.promises[:len(s.promises):len(s.promises)], p)
	return s
}

func (s state) withoutPromise(i int) state {
	s.promises = slices.Delete(slices.Clone(s.promises), i, i+1)
	return s
}
