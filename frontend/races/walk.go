package races

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Bounds of a walk: beyond them a way is not followed.
const (
	maxSteps = 200_000 // instructions, each as often as it is walked
	maxDepth = 6       // calls
)

// walker is the state of one search.
type walker struct {
	subject  *types.Named
	fields   []string
	effects  map[*ssa.Function]state // of functions that are handed no part of the object
	steps    int                     // that are left
	entry    *ssa.Function
	started  *start // nil where a client calls the entry
	starts   []start
	accesses []Access
}

// start is a go statement, and what its goroutine knows of the object.
type start struct {
	at    ssa.Instruction
	entry *ssa.Function // that a client calls
	fn    *ssa.Function
	known map[ssa.Value]place
}

// state is what may be at a place of a function.
type state struct {
	held   map[Lock]bool   // locks
	taken  map[string]bool // locks that were held before
	isOver bool            // nothing is known any more: it may have waited, or was not followed
}

func newState() state { return state{held: map[Lock]bool{}, taken: map[string]bool{}} }

// frame is one call of a function on a way.
type frame struct {
	known    map[ssa.Value]place
	calls    []ssa.CallInstruction // that lead to it
	isAlways bool                  // it is called whenever the client's function is
	note     noting
}

// noting is told of accesses; nil where the states are not final.
type noting func(Access)

func (s state) clone() state { return state{maps.Clone(s.held), maps.Clone(s.taken), s.isOver} }

// join adds what may be on another way, and tells whether that is new.
func (s *state) join(other state) bool {
	before, over := len(s.held)+len(s.taken), s.isOver
	maps.Copy(s.held, other.held)
	maps.Copy(s.taken, other.taken)
	s.isOver = s.isOver || other.isOver
	return len(s.held)+len(s.taken) != before || s.isOver != over
}

// enter walks a function that a client calls, or that a goroutine begins with.
func (w *walker) enter(fn *ssa.Function, by *start, known map[ssa.Value]place, note noting) {
	w.entry, w.started = fn, by
	before := len(w.starts)
	end := w.walk(fn, newState(), frame{known: known, isAlways: true, note: note})
	if end.isOver { // it may have waited for the goroutines
		w.starts = w.starts[:before]
	}
}

// walkStarted walks the goroutines that were started.
func (w *walker) walkStarted() {
	seen := map[ssa.Instruction]bool{}
	for len(w.starts) > 0 {
		s := w.starts[0]
		w.starts = w.starts[1:]
		if !seen[s.at] {
			seen[s.at] = true
			w.enter(s.fn, &s, s.known, w.note)
		}
	}
}

// walk walks a function from a state, and returns the one where it returns.
func (w *walker) walk(fn *ssa.Function, from state, f frame) state {
	end := newState()
	isEntered := func(c ssa.CallInstruction) bool { return c.Parent() == fn }
	if len(fn.Blocks) == 0 || len(f.calls) > maxDepth || slices.ContainsFunc(f.calls, isEntered) {
		end.isOver = true
		return end
	}
	at := map[*ssa.BasicBlock]*state{}
	for _, b := range fn.Blocks {
		s := newState()
		at[b] = &s
	}
	at[fn.Blocks[0]].join(from)
	reached := map[*ssa.BasicBlock]bool{fn.Blocks[0]: true}
	quiet := f
	quiet.note = nil
	for work := []*ssa.BasicBlock{fn.Blocks[0]}; len(work) > 0; {
		b := work[0]
		work = work[1:]
		s := at[b].clone()
		for _, instr := range b.Instrs {
			w.step(instr, &s, quiet)
		}
		if isReturn(b) {
			end.join(s)
		}
		for _, next := range b.Succs {
			if at[next].join(s) || !reached[next] {
				reached[next] = true
				if !slices.Contains(work, next) {
					work = append(work, next)
				}
			}
		}
	}
	if f.note == nil {
		return end
	}
	for _, b := range fn.Blocks {
		if reached[b] {
			inside := f
			inside.isAlways = f.isAlways && isAlways(b)
			s := at[b].clone()
			for _, instr := range b.Instrs {
				w.step(instr, &s, inside)
			}
		}
	}
	return end
}

func isReturn(b *ssa.BasicBlock) bool {
	_, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
	return ok
}

// isAlways tells whether the function does not return without the block, unless it panics.
func isAlways(b *ssa.BasicBlock) bool {
	return !slices.ContainsFunc(b.Parent().Blocks, func(r *ssa.BasicBlock) bool {
		return isReturn(r) && r != b.Parent().Recover && !b.Dominates(r)
	})
}

// step changes the state by one instruction. With noting, accesses are noted, also those of what is called.
func (w *walker) step(instr ssa.Instruction, s *state, f frame) {
	if w.steps--; w.steps < 0 {
		s.isOver = true
	}
	if s.isOver {
		return
	}
	switch x := instr.(type) {
	case *ssa.Call:
		w.call(x, s, f)
	case *ssa.Go:
		w.start(x, f)
	case *ssa.RunDefers:
		w.runDefers(x, s, f.known)
	case *ssa.Send, *ssa.Select:
		s.isOver = true
	case *ssa.UnOp:
		s.isOver = isReceive(x)
	}
	if s.isOver || f.note == nil {
		return
	}
	for _, a := range w.accessesOf(instr, f.known) {
		a.Instr, a.Calls, a.Entry, a.isAlways = instr, f.calls, w.entry, f.isAlways
		if w.started != nil {
			a.Started, a.startedBy = w.started.at, w.started.entry
		}
		a.Locks = slices.SortedFunc(maps.Keys(s.held), func(a, b Lock) int { return strings.Compare(a.Place, b.Place) })
		a.taken = maps.Clone(s.taken)
		f.note(a)
	}
}

func (w *walker) note(a Access) { w.accesses = append(w.accesses, a) }
