package lower

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/lockset"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Some reads decide only what passes before the unit goes on: how long it sleeps, as in
//
//	if d := time.Until(c.next); d > 0 {
//		c.mu.Unlock()
//		time.Sleep(d)
//		c.mu.Lock()
//	}
//
// or which of the functions that the set holds it calls, as in
//
//	for _, notify := range c.listeners {
//		notify(event)
//	}
//
// Where the ways meet again, the set, the locks and the values are what they would be had
// the read given something else. The model forgets such a read there; a violation that
// needs it is a note (WithPassing).
//
// That holds for sleeping only if it is for a time that is computed from the value: who
// sleeps for a while because something is not ready, or waits for somebody, counts on
// what he finds then.

// passingKey begins the keys of these reads.
const passingKey = "passing"

// findPassing finds the reads that decide only what passes, and where that is over.
func (r *relevance) findPassing() {
	r.passing, r.passed = map[ssa.Instruction]bool{}, map[ssa.Instruction][]ssa.Instruction{}
	for p, instr := range r.Instrs {
		if !r.touches[p] || !modref.IsRead(instr) && !ssaflow.IsIteration(instr) {
			continue
		}
		if meet, ok := r.passesAt(ssaflow.Place(p)); ok {
			r.passing[instr] = true
			r.passed[r.Instrs[meet]] = append(r.passed[r.Instrs[meet]], instr)
		}
	}
}

// passesAt returns the first place where all ways from a read meet, if what is executed
// up to there only waits as long as the read says, or calls what it found.
func (r *relevance) passesAt(read ssaflow.Place) (meet ssaflow.Place, ok bool) {
	derived := r.DerivedFrom(r.Instrs[read].(ssa.Value))
	for _, b := range blocksAfter(r.Instrs[read].Block()) {
		if meet := r.At[b.Instrs[len(ssaflow.Phis(b))]]; r.onlyPasses(read, meet, derived) {
			return meet, true
		}
	}
	return 0, false
}

// onlyPasses tells whether everything between a read and a place that all ways from it
// lead to only computes, waits or calls by what was read, and leaves nothing of that.
func (r *relevance) onlyPasses(read, meet ssaflow.Place, derived map[ssa.Value]bool) bool {
	inside := ssaflow.Reach(read, r.Succs, func(p ssaflow.Place) bool { return p == meet })
	inside[meet] = false
	acts := false
	for p, in := range inside {
		if !in {
			continue
		}
		switch r.passesOver(ssaflow.Place(p), derived) {
		case stays:
			return false
		case passesBy:
			acts = true
		}
	}
	if r.usesAny(meet, derived) {
		return false
	}
	return acts && !lockset.LocksDiffer(r.Flow, r.spins, read, meet, inside)
}

// passage is what an instruction does with a value that decides only what passes.
type passage int

const (
	stays    passage = iota // has an effect that stays
	computed                // has none
	passesBy                // waits or calls
)

func (r *relevance) passesOver(p ssaflow.Place, derived map[ssa.Value]bool) passage {
	instr := r.Instrs[p]
	switch v := instr.(type) {
	case *ssa.Jump, *ssa.If, *ssa.DebugRef:
		return computed
	case *ssa.Call:
		if !ssaflow.Computes(v) {
			return r.callPasses(p, v, derived)
		}
	}
	if !ssaflow.Computes(instr) || ssaflow.IsReceive(instr) || r.touches[p] && !derived[ssaflow.AsValue(instr)] {
		return stays
	}
	return computed
}

func (r *relevance) callPasses(p ssaflow.Place, call *ssa.Call, derived map[ssa.Value]bool) passage {
	callee := call.Call.StaticCallee()
	switch {
	case r.touches[p]:
		return stays
	case callee == nil:
		_, isBuiltin := call.Call.Value.(*ssa.Builtin)
		handsOn := slices.ContainsFunc(call.Call.Args, func(arg ssa.Value) bool { return derived[arg] })
		if isBuiltin || call.Call.IsInvoke() || !derived[call.Call.Value] || handsOn || ssaflow.IsUsed(call) {
			return stays
		}
		return passesBy
	case knowledge.Name(callee) == "time.Sleep" && derived[call.Call.Args[0]]:
		return passesBy
	}
	if _, isLock := knowledge.LockOperation(callee); isLock {
		return computed
	}
	return stays
}

// markPassing gives the reads of an instruction their key if they decide only what
// passes.
func (c *clone) markPassing(instr ssa.Instruction, outcomes []outcome) {
	if c.relevance == nil || !c.relevance.passing[instr] {
		return
	}
	for _, o := range outcomes {
		for i, st := range o.stmts {
			if st.Op == esl.Access && st.Access.Reads() && !st.Access.Writes() && st.Key == "" {
				o.stmts[i].Key = c.passingKey(instr)
			}
		}
	}
}

func (c *clone) passingKey(read ssa.Instruction) string {
	return fmt.Sprintf("%s%d.%d", passingKey, c.index, c.relevance.At[read])
}

// forgetPassed returns the statements that forget what has passed when the instruction
// is executed.
func (c *clone) forgetPassed(l *lowerer, instr ssa.Instruction) (stmts []esl.Stmt) {
	for _, read := range c.relevance.passed[instr] {
		stmts = append(stmts, esl.Stmt{Op: esl.Forget, Key: c.passingKey(read), Pos: l.position(instr)})
	}
	return stmts
}

// HasPassing tells whether the model forgets reads that decide only what passes.
func HasPassing(p *esl.Program) bool {
	return slices.ContainsFunc(p.Functions, func(f esl.Function) bool { return slices.ContainsFunc(f.Body, forgetsPassing) })
}

// WithPassing returns the model in which reads that decide only what passes are not
// forgotten.
func WithPassing(p *esl.Program) *esl.Program {
	copied := *p
	copied.Functions = slices.Clone(p.Functions)
	for i, f := range copied.Functions {
		copied.Functions[i].Body = slices.Clone(f.Body)
		for k, st := range f.Body {
			if forgetsPassing(st) {
				copied.Functions[i].Body[k] = esl.Stmt{Op: esl.Skip, Pos: st.Pos}
			}
		}
	}
	return &copied
}

func forgetsPassing(st esl.Stmt) bool {
	return st.Op == esl.Forget && strings.HasPrefix(st.Key, passingKey)
}
