package races

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// isLocking tells whether a call takes a lock.
func isLocking(call *ssa.CallCommon) bool {
	callee := call.StaticCallee()
	if callee == nil {
		return false
	}
	op, ok := knowledge.LockOperation(callee)
	return ok && (op == knowledge.Lock || op == knowledge.RLock)
}

// isReceive tells whether the instruction receives from a channel that others send on: a timer sends by itself.
func isReceive(x *ssa.UnOp) bool { return x.Op == token.ARROW && !isTimer(x.X) }

func isTimer(channel ssa.Value) bool {
	if load, ok := channel.(*ssa.UnOp); ok && load.Op == token.MUL {
		if f, ok := load.X.(*ssa.FieldAddr); ok {
			of := types.TypeString(f.X.Type(), nil)
			return of == "*time.Ticker" || of == "*time.Timer"
		}
	}
	call, ok := channel.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil {
		return false
	}
	return knowledge.IsOfClock(call.Call.StaticCallee())
}

// call changes the state by a call.
func (w *walker) call(x *ssa.Call, s *state, f frame) {
	common := x.Common()
	callee := common.StaticCallee()
	switch {
	case isBuiltin(common) || knowledge.IsPure(common) || knowledge.IsFormatting(common) || knowledge.IsOutput(common):
		return
	case callee == nil:
		s.isOver = true
		return
	}
	if op, ok := knowledge.LockOperation(callee); ok {
		s.operate(op, lockOf(f.known, common.Args[0]))
		return
	}
	switch {
	case knowledge.IsSynchronisation(callee):
		s.isOver = true
		return
	case knowledge.IsPrinting(callee) || knowledge.IsOfClock(callee):
		return
	}
	inside := handed(callee, common, f.known)
	if len(inside) == 0 {
		s.join(w.effectOf(callee))
		return
	}
	f.known, f.calls = inside, append(slices.Clone(f.calls), x)
	*s = w.walk(callee, *s, f)
}

// operate changes the state by an operation on a lock.
func (s *state) operate(op knowledge.LockOp, place string) {
	switch op {
	case knowledge.Lock, knowledge.RLock:
		s.held[Lock{place, op == knowledge.RLock}] = true
		s.taken[place] = true
	case knowledge.Unlock, knowledge.RUnlock:
		if place != unknownLock {
			delete(s.held, Lock{place, op == knowledge.RUnlock})
		}
	default:
		s.isOver = true
	}
}

// unknownLock is the place of a lock that is not known.
const unknownLock = "?"

func lockOf(known map[ssa.Value]place, lock ssa.Value) string {
	p, ok := placeOf(known, lock)
	switch {
	case !ok:
		return unknownLock
	case p.isValue:
		return p.path + pointed
	}
	return p.path
}

func isBuiltin(call *ssa.CallCommon) bool {
	_, ok := call.Value.(*ssa.Builtin)
	return ok
}

// handed returns what a function knows of the object when it is called: what it is handed, or a literal captures.
func handed(callee *ssa.Function, call *ssa.CallCommon, known map[ssa.Value]place) map[ssa.Value]place {
	inside := map[ssa.Value]place{}
	for i, arg := range call.Args {
		if p, ok := placeOf(known, arg); ok && i < len(callee.Params) && isOfObject(p) {
			inside[callee.Params[i]] = p
		}
	}
	if literal, ok := call.Value.(*ssa.MakeClosure); ok {
		for i, v := range literal.Bindings {
			if p, ok := captured(known, v); ok && isOfObject(p) {
				inside[callee.FreeVars[i]] = p
			}
		}
	}
	return inside
}

// isOfObject tells whether the place is in the object, and not a package variable.
func isOfObject(p place) bool { return p.path == "" || p.path[0] == '.' }

// runDefers changes the state by what was deferred.
func (w *walker) runDefers(at *ssa.RunDefers, s *state, known map[ssa.Value]place) {
	for _, b := range at.Parent().Blocks {
		for _, instr := range b.Instrs {
			x, ok := instr.(*ssa.Defer)
			if !ok || isBuiltin(x.Common()) {
				continue
			}
			callee := x.Common().StaticCallee()
			if callee == nil {
				s.isOver = true
				return
			}
			op, ok := knowledge.LockOperation(callee)
			switch {
			case !ok:
				s.isOver = true
			case (op == knowledge.Unlock || op == knowledge.RUnlock) && !b.Dominates(at.Block()):
			default:
				s.operate(op, lockOf(known, x.Call.Args[0]))
			}
		}
	}
}

// start notes a goroutine that knows of the object.
func (w *walker) start(x *ssa.Go, f frame) {
	callee := x.Common().StaticCallee()
	if f.note == nil || callee == nil || w.started != nil {
		return
	}
	if inside := handed(callee, x.Common(), f.known); len(inside) > 0 {
		w.starts = append(w.starts, start{x, w.entry, callee, inside})
	}
}

// effectOf returns what a function that is handed no part of the object adds to the state. Linear in what it
// calls, at first.
func (w *walker) effectOf(fn *ssa.Function) state {
	if e, ok := w.effects[fn]; ok {
		return e
	}
	unknown := newState()
	unknown.isOver = true
	w.effects[fn] = unknown // of a recursive call
	w.effects[fn] = w.walk(fn, newState(), frame{})
	return w.effects[fn]
}
