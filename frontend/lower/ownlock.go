package lower

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
)

// What a field leads to may be objects with a lock each, as a registry of sessions:
//
//	s := r.sessions[id]
//	s.mu.Lock()
//	s.hits++
//	s.mu.Unlock()
//
// Which of them it is is not known, so that their locks are not in the model. But where
// every access to the objects of a site is made with the object's own lock held, nobody
// comes between those of one critical section, and it does not matter where in it they
// are: the model has one access, when the lock has been taken. (One lock for all of them
// would exclude more than they do.)

// ownLocks is the objects of one site that are accessed so.
type ownLocks struct {
	l        *lowerer
	object   *pointsto.Object
	lock     string                                      // the path of the lock
	sections map[*ssa.Call]esl.AccessKind                // by the call that takes the lock
	nodes    map[*pointsto.Node]map[ssa.Instruction]bool // the accesses
}

// ownLocksOf returns what is known of the object, nil if it is not accessed so.
func (l *lowerer) ownLocksOf(o *pointsto.Object) *ownLocks {
	known, ok := l.facts.ownLocks[o]
	if !ok {
		known = l.findOwnLocks(o)
		l.facts.ownLocks[o] = known
	}
	return known
}

func (l *lowerer) findOwnLocks(o *pointsto.Object) *ownLocks {
	if len(l.Stars.Regions(o)) == 0 || len(l.Stars.StarsAt(pointsto.Cell{Object: o})) > 0 || !l.Stars.IsApart(o) || l.Stars.IsCompanion(o) {
		return nil
	}
	own := &ownLocks{l: l, object: o, sections: map[*ssa.Call]esl.AccessKind{}, nodes: map[*pointsto.Node]map[ssa.Instruction]bool{}}
	for _, n := range l.Graph.Holders(o) {
		if knowledge.IsSynchronisation(n.Func) {
			continue
		}
		if !own.read(n) {
			return nil
		}
	}
	if own.lock == "" || l.Kept.Locks[pointsto.Cell{Object: o, Path: own.lock}] || l.Stars.Owns(o) {
		return nil // or it is known which lock it is
	}
	return own
}

// ownHold is how a lock is held, by the base of its object.
type ownHold struct {
	by    *ssa.Call
	reads bool
}

// read follows the function of a node. It reports whether each access to the object there
// is fresh, or made with its own lock held by the same activation.
func (own *ownLocks) read(n *pointsto.Node) bool {
	if len(n.Func.Blocks) == 0 {
		return true
	}
	entry := make([]map[ssa.Value]ownHold, len(n.Func.Blocks))
	work := []*ssa.BasicBlock{n.Func.Blocks[0]}
	if n.Func.Recover != nil {
		work = append(work, n.Func.Recover)
		entry[n.Func.Recover.Index] = map[ssa.Value]ownHold{}
	}
	entry[0] = map[ssa.Value]ownHold{}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		held := map[ssa.Value]ownHold{}
		for k, v := range entry[b.Index] {
			held[k] = v
		}
		for _, instr := range b.Instrs {
			own.step(n, instr, held)
		}
		for _, to := range b.Succs {
			if meet(&entry[to.Index], held) {
				work = append(work, to)
			}
		}
	}
	for _, b := range n.Func.Blocks {
		held := entry[b.Index]
		if held == nil {
			continue
		}
		for _, instr := range b.Instrs {
			if !own.allows(n, instr, held) {
				return false
			}
			own.step(n, instr, held)
		}
	}
	return true
}

// meet keeps in a map what both have. It reports whether that has changed it.
func meet(to *map[ssa.Value]ownHold, from map[ssa.Value]ownHold) bool {
	if *to == nil {
		*to = map[ssa.Value]ownHold{}
		for k, v := range from {
			(*to)[k] = v
		}
		return true
	}
	changed := false
	for k, v := range *to {
		if from[k] != v {
			delete(*to, k)
			changed = true
		}
	}
	return changed
}

// step follows what an instruction does to the locks that are held.
func (own *ownLocks) step(n *pointsto.Node, instr ssa.Instruction, held map[ssa.Value]ownHold) {
	if v, ok := instr.(ssa.Value); ok {
		delete(held, v) // another object, in a loop
	}
	if _, runs := instr.(*ssa.RunDefers); runs {
		clear(held)
	}
	call, ok := instr.(*ssa.Call)
	if !ok {
		return
	}
	base, op, ok := own.operation(n, call)
	if !ok {
		return
	}
	switch op {
	case knowledge.Lock, knowledge.RLock:
		held[base] = ownHold{call, op == knowledge.RLock}
	default:
		delete(held, base)
	}
}

// operation returns the base of the object on whose lock a call is an operation.
func (own *ownLocks) operation(n *pointsto.Node, call ssa.CallInstruction) (base ssa.Value, op knowledge.LockOp, ok bool) {
	callee := call.Common().StaticCallee()
	if callee == nil || len(call.Common().Args) == 0 {
		return nil, 0, false
	}
	if op, ok = knowledge.LockOperation(callee); !ok {
		return nil, 0, false
	}
	base, path := fieldPath(call.Common().Args[0])
	if path == "" || !own.isIt(n, base) {
		return nil, 0, false
	}
	return baseKey(base), op, own.lock == "" || own.lock == path
}

// isIt tells whether a value may be the address of the object.
func (own *ownLocks) isIt(n *pointsto.Node, v ssa.Value) bool {
	return slices.Contains(own.l.Graph.PointsTo(n, v).Objects(), own.object)
}

// allows looks at an instruction before which the locks are held.
func (own *ownLocks) allows(n *pointsto.Node, instr ssa.Instruction, held map[ssa.Value]ownHold) bool {
	if field, ok := instr.(*ssa.FieldAddr); ok && own.isIt(n, field.X) && own.isLock(field) {
		return own.allowsLock(n, field)
	}
	if call, ok := instr.(ssa.CallInstruction); ok {
		if base, op, is := own.operation(n, call); is {
			_, isHeld := held[base]
			switch instr.(type) {
			case *ssa.Call:
				return isTakingLock(op) != isHeld
			case *ssa.Defer:
				return !isTakingLock(op) && isHeld
			}
			return false
		}
	}
	var address ssa.Value
	for _, c := range reduce.CellsAccessedBy(own.l.Graph, own.l.Stars, n, instr) {
		if c.Object != own.object {
			continue
		}
		if address == nil {
			if address = addressAccessed(instr); address == nil {
				return own.isFresh(n, instr)
			}
		}
	}
	if address == nil || own.l.fresh.Is(n, address, instr) {
		return true
	}
	_, writes := instr.(*ssa.Store)
	if !writes && !slices.ContainsFunc(own.l.Graph.PointsTo(n, address).Cells(), own.l.isWrittenCell) {
		return true // it never changes
	}
	base, path := fieldPath(address)
	with, isHeld := held[baseKey(base)]
	if !isHeld || path == "" || writes && with.reads {
		return false
	}
	own.note(n, instr, with.by, writes)
	return true
}

// isWrittenCell tells whether the cell is a location, and written when others can reach it.
func (l *lowerer) isWrittenCell(c pointsto.Cell) bool {
	return len(l.Stars.LocationsAt(c)) > 0 && l.fresh.IsCellWritten(c)
}

// isFresh tells whether what an instruction other than a load or store accesses is in
// nobody else's hands.
func (own *ownLocks) isFresh(n *pointsto.Node, instr ssa.Instruction) bool {
	pointers := reduce.Pointers(instr)
	return len(pointers) > 0 && !slices.ContainsFunc(pointers, func(v ssa.Value) bool {
		return own.isIt(n, v) && !own.l.fresh.Is(n, v, instr)
	})
}

func isTakingLock(op knowledge.LockOp) bool {
	return op == knowledge.Lock || op == knowledge.RLock || op == knowledge.TryLock || op == knowledge.TryRLock
}

// isLock tells whether the address is that of a lock of the object.
func (own *ownLocks) isLock(field *ssa.FieldAddr) bool {
	for _, r := range *field.Referrers() {
		if inner, ok := r.(*ssa.FieldAddr); ok && own.isLock(inner) {
			return true
		}
	}
	return isMutexPointer(field.Type())
}

// allowsLock tells whether the address of the lock, or of a struct with it, is used for
// operations on it only, and always the same lock.
func (own *ownLocks) allowsLock(n *pointsto.Node, field *ssa.FieldAddr) bool {
	if !isMutexPointer(field.Type()) {
		return false // the lock of an embedded struct
	}
	_, path := fieldPath(field)
	if own.lock == "" {
		own.lock = path
	}
	if own.lock != path {
		return false
	}
	for _, r := range *field.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Call, *ssa.Defer:
			_, op, ok := own.operation(n, r.(ssa.CallInstruction))
			if !ok || op == knowledge.TryLock || op == knowledge.TryRLock {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// note adds an access to those of the section that a call begins.
func (own *ownLocks) note(n *pointsto.Node, instr ssa.Instruction, by *ssa.Call, writes bool) {
	if own.nodes[n] == nil {
		own.nodes[n] = map[ssa.Instruction]bool{}
	}
	own.nodes[n][instr] = true
	kind := esl.AtomicRead
	if writes {
		kind = esl.AtomicWrite
	}
	if known, ok := own.sections[by]; ok && known != kind {
		kind = esl.RMW
	}
	own.sections[by] = kind
}

// isInOwnSection tells whether an access is to such objects only: the model has it where
// the lock is taken.
func (l *lowerer) isInOwnSection(c *clone, pointer ssa.Value, at ssa.Instruction) bool {
	if _, ok := pointer.(*ssa.FieldAddr); !ok || pointer != addressAccessed(at) {
		return false
	}
	found := false
	for _, cell := range l.Graph.PointsTo(c.node, pointer).Cells() {
		if len(l.Stars.LocationsAt(cell)) == 0 {
			continue
		}
		own := l.ownLocksOf(cell.Object)
		if own == nil || !own.nodes[c.node][at] {
			return false
		}
		found = true
	}
	return found
}

// ownSection returns the kinds of the accesses in the critical sections of such objects
// that a call of the node begins.
func (l *lowerer) ownSection(n *pointsto.Node, at ssa.Instruction) (kinds []esl.AccessKind, object ssa.Value) {
	call, ok := at.(*ssa.Call)
	if !ok || len(call.Call.Args) == 0 || call.Call.StaticCallee() == nil {
		return nil, nil
	}
	lock, ok := call.Call.Args[0].(*ssa.FieldAddr)
	if _, isLock := knowledge.LockOperation(call.Call.StaticCallee()); !ok || !isLock {
		return nil, nil
	}
	for _, o := range l.Graph.PointsTo(n, lock.X).Objects() {
		own := l.ownLocksOf(o)
		if own == nil {
			continue
		}
		if kind, accesses := own.sections[call]; accesses && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	return kinds, lock.X
}

// beginsOwnSections adds to the outcomes of a call that takes a lock what is accessed in
// the critical section that it begins.
func (l *lowerer) beginsOwnSections(c *clone, outcomes []outcome, at ssa.CallInstruction) []outcome {
	kinds, object := l.ownSection(c.node, at)
	for _, kind := range kinds {
		var next []outcome
		for _, o := range outcomes {
			for _, p := range l.access(c, o.state, object, kind, at) {
				next = append(next, outcome{append(o.stmts[:len(o.stmts):len(o.stmts)], p.stmts...), p.state})
			}
		}
		outcomes = next
	}
	return outcomes
}

// isMutexPointer tells whether the type is that of the address of a mutex.
func isMutexPointer(t types.Type) bool {
	switch types.TypeString(t, nil) {
	case "*sync.Mutex", "*sync.RWMutex":
		return true
	}
	return false
}
