package reduce

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/channel"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// A lock is idle if nothing that the model has can happen while it is held: each
// operation on it is one of a section, from where it is taken to where it is released,
// that lies in one activation and has no visible step. Such a section can be thought to
// take no time, and then the lock excludes nothing. So it need not be modelled. A server
// has locks of which sections are everywhere, as around its log, and to keep all of them
// would keep most of it.

// dropIdle removes the idle locks from those to be modelled.
func (r *Reduction) dropIdle(graph *pointsto.Result, stars *isolate.Isolation, uses []lockUse) {
	byLock := map[pointsto.Cell][]lockUse{}
	at := map[ssa.CallInstruction][]lockUse{}
	for _, u := range uses {
		at[u.site] = append(at[u.site], u)
		for _, c := range u.cells {
			if r.Locks[c] {
				byLock[c] = append(byLock[c], u)
			}
		}
	}
	matters := map[pointsto.Cell]bool{}
	for again := true; again; {
		again = false
		for c, uses := range byLock {
			if i := (&idling{r, graph, stars, at, matters, c, nil}); !matters[c] && !i.areIdle(uses) {
				matters[c], again = true, true
			}
		}
	}
	r.Idle = map[pointsto.Cell]bool{}
	for c := range byLock {
		if !matters[c] {
			r.Idle[c] = true
			delete(r.Locks, c)
		}
	}
}

// idling asks whether the sections of one lock are idle.
type idling struct {
	*Reduction
	graph   *pointsto.Result
	stars   *isolate.Isolation
	at      map[ssa.CallInstruction][]lockUse
	matters map[pointsto.Cell]bool
	lock    pointsto.Cell
	node    *pointsto.Node
}

// section is a point of the walk through a function: a block entered with the lock held,
// or to be released by a deferred call.
type section struct {
	block          *ssa.BasicBlock
	held, deferred bool
}

// areIdle tells whether the operations are those of idle sections.
func (i *idling) areIdle(uses []lockUse) bool {
	if isOfModel(i.stars, i.lock) {
		return false
	}
	walked := map[*pointsto.Node]bool{}
	for _, u := range uses {
		if !u.isMutex || u.isSpin || u.op == knowledge.TryLock || u.op == knowledge.TryRLock {
			return false
		}
		if !walked[u.node] {
			walked[u.node] = true
			if i.node = u.node; !i.walk() {
				return false
			}
		}
	}
	return true
}

// isOfModel tells whether the lock is part of what is watched: then all operations on it
// are kept.
func isOfModel(stars *isolate.Isolation, c pointsto.Cell) bool {
	return len(stars.StarsAt(c)) > 0 || len(stars.Regions(c.Object)) > 0 || stars.IsCompanion(c.Object) ||
		stars.OwnerOf(c.Object) != nil
}

// walk follows all ways through the node. It reports whether its sections are idle.
func (i *idling) walk() bool {
	if len(i.node.Func.Blocks) == 0 {
		return false
	}
	work := []section{{block: i.node.Func.Blocks[0]}}
	seen := map[section]bool{}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		for _, instr := range at.block.Instrs {
			if !i.step(&at, instr) {
				return false
			}
		}
		for _, to := range at.block.Succs {
			work = append(work, section{to, at.held, at.deferred})
		}
	}
	return true
}

// step follows one instruction. It reports whether the sections are idle up to there.
func (i *idling) step(at *section, instr ssa.Instruction) bool {
	if call, ok := instr.(ssa.CallInstruction); ok {
		if op, is := i.operation(call); is {
			return at.operate(call, op)
		}
	}
	switch instr.(type) {
	case *ssa.RunDefers:
		if at.held && i.defersVisible() || at.deferred && !at.held {
			return false
		}
		at.held, at.deferred = at.held && !at.deferred, false
		return true
	case *ssa.Return:
		return !at.held
	}
	return !at.held || !i.isVisible(instr)
}

// operate follows an operation on the lock. It reports whether it is one of a section in
// one activation.
func (at *section) operate(call ssa.CallInstruction, op knowledge.LockOp) bool {
	releases := !op.IsTaking()
	switch call.(type) {
	case *ssa.Call:
		was := at.held
		at.held = !releases
		return was == releases
	case *ssa.Defer:
		was := at.deferred
		at.deferred = true
		return releases && !was
	}
	return false
}

// operation returns the operation on the lock that a call of the node is.
func (i *idling) operation(call ssa.CallInstruction) (knowledge.LockOp, bool) {
	for _, u := range i.at[call] {
		if u.node == i.node && u.isMutex && slices.Contains(u.cells, i.lock) {
			return u.op, true
		}
	}
	return 0, false
}

// defersVisible tells whether a deferred call of the node may have visible steps.
func (i *idling) defersVisible() bool {
	for _, b := range i.node.Func.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Defer); ok && i.isVisible(call) {
				return true
			}
		}
	}
	return false
}

// isVisible tells whether the instruction may have visible steps, other than operations
// on locks in what it calls.
func (i *idling) isVisible(instr ssa.Instruction) bool {
	if len(channel.UsesOf(instr)) > 0 && i.Kept[i.node] ||
		i.Direct[i.node] != nil && len(AccessedBy(i.graph, i.stars, i.node, instr)) > 0 {
		return true
	}
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	for _, u := range i.at[call] {
		if u.node == i.node && (!u.isMutex || slices.ContainsFunc(u.cells, func(c pointsto.Cell) bool {
			return i.matters[c] || isOfModel(i.stars, c)
		})) {
			return true
		}
	}
	const waits = knowledge.WaitGroups | knowledge.Semaphores | knowledge.Flights | knowledge.CondWaits
	for _, callee := range i.graph.Callees(i.node, call) {
		if i.reaches[callee] || i.graph.IsOfClass(callee, waits) {
			return true
		}
	}
	return slices.ContainsFunc(i.graph.Starts(i.node, call), func(e pointsto.Edge) bool { return i.reaches[e.Callee] })
}
