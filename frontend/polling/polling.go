// Package polling finds loops that do nothing but look whether something has changed - at variables, at a channel
// without waiting for it, at a lock with TryLock - and pause, be it until a timer expires: they go round until another
// goroutine changes what they look at, as
//
//	for !s.ready.Load() {
//		time.Sleep(time.Millisecond)
//	}
//
// A loop that does something in each round is none: it may be meant to go on for ever. Nor is one that goes on by
// itself, as a loop that counts: see Advances.
package polling

import (
	"go/token"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Loops finds the loops of functions, of each once. It is not safe for concurrent use.
type Loops struct {
	isFollowed func(*ssa.Function) bool // whether it is looked into a function that a loop calls
	known      map[*ssa.Function][]map[*ssa.BasicBlock]bool
}

// New returns the loops of a program. A function that is not followed may do anything, unless it is in the tables.
func New(isFollowed func(*ssa.Function) bool) *Loops {
	return &Loops{isFollowed, map[*ssa.Function][]map[*ssa.BasicBlock]bool{}}
}

// Of returns the natural loops of a function that only look, do not go on by themselves, and can be left; the larger
// ones first. Of a loop that does more it is the rounds that only look, if there are such: those that end by continue,
// or of a loop within it that is first in each round.
func (l *Loops) Of(fn *ssa.Function) []map[*ssa.BasicBlock]bool {
	return ssaflow.Remember(l.known, fn, func() (all []map[*ssa.BasicBlock]bool) {
		only := func(loop map[*ssa.BasicBlock]bool) bool { return l.onlyLook(loop, map[*ssa.Function]bool{fn: true}) }
		for _, loop := range ssaflow.NaturalLoops(fn) {
			if !only(loop) {
				header := ssaflow.LoopHeader(loop)
				loop = map[*ssa.BasicBlock]bool{}
				for _, round := range ssaflow.Rounds(header) {
					if only(round) {
						maps.Copy(loop, round)
					}
				}
			}
			if len(loop) > 0 && Exit(loop) != nil && !Advances(loop) {
				all = append(all, loop)
			}
		}
		slices.SortStableFunc(all, func(a, b map[*ssa.BasicBlock]bool) int { return len(b) - len(a) })
		return all
	})
}

// Exit returns the first block of a loop from which it can be left; nil if there is none.
func Exit(loop map[*ssa.BasicBlock]bool) (exit *ssa.BasicBlock) {
	for b := range loop {
		isExit := slices.ContainsFunc(b.Succs, func(next *ssa.BasicBlock) bool { return !loop[next] })
		if isExit && (exit == nil || b.Index < exit.Index) {
			exit = b
		}
	}
	return exit
}

// onlyLook tells whether nothing in some blocks changes what others can see, or waits, but for locks: these are taken
// and released. Within are the functions that are looked into: none that calls itself is.
func (l *Loops) onlyLook(blocks map[*ssa.BasicBlock]bool, within map[*ssa.Function]bool) bool {
	for b := range blocks {
		for _, instr := range b.Instrs {
			if !l.onlyLooks(instr, within) {
				return false
			}
		}
	}
	return true
}

func (l *Loops) onlyLooks(instr ssa.Instruction, within map[*ssa.Function]bool) bool {
	switch x := instr.(type) {
	case *ssa.Store:
		local, ok := x.Addr.(*ssa.Alloc)
		return ok && !local.Heap
	case *ssa.UnOp:
		return x.Op != token.ARROW || knowledge.IsOfTimer(x.X.Type())
	case *ssa.Select: // one with a timer waits no longer than for that
		return !x.Blocking || slices.ContainsFunc(x.States, func(st *ssa.SelectState) bool {
			return knowledge.IsOfTimer(st.Chan.Type())
		})
	case *ssa.MapUpdate, *ssa.Send, *ssa.Go:
		return false
	case ssa.CallInstruction:
		return l.callOnlyLooks(x.Common(), within)
	}
	return true
}

func (l *Loops) callOnlyLooks(call *ssa.CallCommon, within map[*ssa.Function]bool) bool {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		return slices.Contains([]string{"len", "cap", "min", "max", "real", "imag", "complex"}, b.Name())
	}
	if call.IsInvoke() {
		return knowledge.AsksContext(call)
	}
	fn := call.StaticCallee()
	if fn == nil {
		return false
	}
	switch row := knowledge.Of(fn); {
	case row.Atomic == knowledge.AtomicLoad, row.Atomic == knowledge.AtomicCompareAndSwap, row.Lock != knowledge.NoLock,
		row.Pure, knowledge.NeverPanics(fn):
		return true
	case !l.isFollowed(fn), len(fn.Blocks) == 0, within[fn]:
		return false
	}
	within[fn] = true
	defer delete(within, fn)
	all := map[*ssa.BasicBlock]bool{}
	for _, b := range fn.Blocks {
		all[b] = true
	}
	return l.onlyLook(all, within)
}
