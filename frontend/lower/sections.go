package lower

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
)

// section is a critical section of one function: from where it takes a lock to where it
// releases it.
type section struct {
	from   ssa.Instruction
	base   ssa.Value // what the lock is in
	lock   pointsto.Cell
	shared bool
	inside map[ssa.Instruction]bool
}

// sections is the critical sections of a node, of locks that are evidently one field of
// an object.
type sections struct{ all []*section }

// newSections finds the critical sections of a node.
func (u *usage) newSections(n *pointsto.Node) *sections {
	s := &sections{}
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			op, base, lock, ok := u.lockOperationAt(n, instr)
			if ok && (op == knowledge.Lock || op == knowledge.RLock) {
				found := &section{from: instr, base: base, lock: lock, shared: op == knowledge.RLock}
				found.inside = u.heldAfter(n, found)
				s.all = append(s.all, found)
			}
		}
	}
	return s
}

// begins tells whether the instruction takes one of the locks.
func (s *sections) begins(instr ssa.Instruction) bool {
	return slices.ContainsFunc(s.all, func(c *section) bool { return c.from == instr })
}

// around returns the section of a lock of the object with the root, or of one that leads
// to it, which the instruction is in; nil if there is none. A write needs the lock for
// itself alone.
func (s *sections) around(at ssa.Instruction, root ssa.Value, writes bool) *section {
	for _, c := range s.all {
		if c.inside[at] && !(writes && c.shared) && root != nil && leadsFrom(root, c.base) {
			return c
		}
	}
	return nil
}

// leadsFrom tells whether a pointer is loaded from memory that the base leads to.
func leadsFrom(v, base ssa.Value) bool {
	seen := map[ssa.Value]bool{}
	for !seen[v] {
		if v = rootOf(v); v == base {
			return true
		}
		seen[v] = true
		switch u := v.(type) {
		case *ssa.Lookup:
			v = u.X
		case *ssa.Extract:
			v = u.Tuple
		case *ssa.Next:
			v = u.Iter
		case *ssa.Range:
			v = u.X
		case *ssa.IndexAddr:
			v = u.X
		case *ssa.UnOp:
			v = u.X
		default:
			return false
		}
	}
	return false
}

// lockOperationAt returns the operation of an instruction on a lock in an object, which
// the base is a pointer to.
func (u *usage) lockOperationAt(n *pointsto.Node, instr ssa.Instruction) (op knowledge.LockOp, base ssa.Value, lock pointsto.Cell, ok bool) {
	call, isCall := instr.(*ssa.Call)
	if !isCall || call.Call.StaticCallee() == nil {
		return op, nil, lock, false
	}
	if op, ok = knowledge.LockOperation(call.Call.StaticCallee()); !ok {
		return op, nil, lock, false
	}
	cells := u.l.Graph.PointsTo(n, call.Call.Args[0]).Cells()
	if len(cells) != 1 {
		return op, nil, lock, false
	}
	return op, rootOf(call.Call.Args[0]), cells[0], true
}

// heldAfter returns the instructions that are executed only with the lock held since
// the section's begin: all ways to them come from there without an operation that may be
// on the lock.
func (u *usage) heldAfter(n *pointsto.Node, s *section) map[ssa.Instruction]bool {
	head := s.from.Block()
	outside := map[*ssa.BasicBlock]bool{}
	// A block is entered with the lock held unless some way to it says otherwise.
	for changed := true; changed; {
		changed = false
		for _, b := range n.Func.Blocks {
			if outside[b] {
				continue
			}
			out := b.Index == 0 || b == n.Func.Recover
			for _, p := range b.Preds {
				out = out || !u.heldAtEnd(n, s, p, !outside[p])
			}
			if out {
				outside[b], changed = true, true
			}
		}
	}
	inside := map[ssa.Instruction]bool{}
	for _, b := range n.Func.Blocks {
		held := !outside[b] && head.Dominates(b)
		for _, instr := range b.Instrs {
			held = u.heldBehind(n, s, instr, held)
			if held && instr != s.from {
				inside[instr] = true
			}
		}
	}
	return inside
}

func (u *usage) heldAtEnd(n *pointsto.Node, s *section, b *ssa.BasicBlock, held bool) bool {
	for _, instr := range b.Instrs {
		held = u.heldBehind(n, s, instr, held)
	}
	return held
}

// heldBehind tells whether the lock is held after an instruction.
func (u *usage) heldBehind(n *pointsto.Node, s *section, instr ssa.Instruction, held bool) bool {
	if instr == s.from {
		return true
	}
	if _, runs := instr.(*ssa.RunDefers); runs {
		return false
	}
	call, ok := instr.(*ssa.Call)
	if !ok || !held {
		return held
	}
	return !slices.ContainsFunc(u.l.Graph.Callees(n, call), func(m *pointsto.Node) bool {
		if op, is := knowledge.LockOperation(m.Func); is && op != knowledge.Lock && op != knowledge.RLock {
			return slices.Contains(u.l.Graph.PointsTo(n, reduce.Receiver(call.Common())).Cells(), s.lock)
		}
		return u.lockersOf(s.lock)[m]
	})
}

// lockersOf returns the nodes that operate on a lock, or call one that does.
func (u *usage) lockersOf(lock pointsto.Cell) map[*pointsto.Node]bool {
	if known, ok := u.lockers[lock]; ok {
		return known
	}
	var direct []*pointsto.Node
	all := map[*pointsto.Node]bool{}
	for _, e := range u.l.LockCalls() {
		if slices.Contains(u.l.Graph.PointsTo(e.Caller, reduce.Receiver(e.Site.Common())).Cells(), lock) {
			direct, all[e.Caller] = append(direct, e.Caller), true
		}
	}
	modref.Follow(direct, all, u.l.CalledIn)
	u.lockers[lock] = all
	return all
}
