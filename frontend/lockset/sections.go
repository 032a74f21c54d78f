package lockset

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Section is a critical section of one function: from where it takes a lock to where it
// releases it.
type Section struct {
	From   ssa.Instruction
	base   ssa.Value // what the lock is in
	Lock   pointsto.Cell
	shared bool
	Inside map[ssa.Instruction]bool
}

// Sections is the critical sections of a node, of locks that are evidently one field of
// an object.
type Sections struct{ all []*Section }

// NewSections finds the critical sections of a node.
func (l *Locks) NewSections(n *pointsto.Node) *Sections {
	s := &Sections{}
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			op, base, lock, ok := l.lockOperationAt(n, instr)
			if ok && (op == knowledge.Lock || op == knowledge.RLock) && l.isReleasedByHolders(lock) {
				found := &Section{From: instr, base: base, Lock: lock, shared: op == knowledge.RLock}
				found.Inside = l.heldAfter(n, found)
				s.all = append(s.all, found)
			}
		}
	}
	return s
}

// All returns them in the order of the function.
func (s *Sections) All() []*Section { return s.all }

// isReleasedByHolders tells whether nobody releases the lock but in the function that has taken it:
// else the section may be over though the activation has not released the lock. (An element of
// an array of locks is not told apart from the others.)
func (l *Locks) isReleasedByHolders(lock pointsto.Cell) bool {
	if strings.Contains(lock.Path, "[") {
		return false
	}
	return ssaflow.Remember(l.balanced, lock, func() bool {
		return !slices.ContainsFunc(l.LockCalls(), func(e pointsto.Edge) bool {
			op, _ := knowledge.LockOperation(e.Callee.Func)
			return (op == knowledge.Unlock || op == knowledge.RUnlock) &&
				slices.Contains(l.Graph.PointsTo(e.Caller, reduce.Receiver(e.Site.Common())).Cells(), lock) &&
				!l.isHeldAt(e.Caller, e.Site, lock)
		})
	})
}

// isHeldAt tells whether the function itself has taken the lock where the instruction releases
// it, or defers that.
func (l *Locks) isHeldAt(n *pointsto.Node, release ssa.Instruction, lock pointsto.Cell) bool {
	if release.Parent() != n.Func {
		return false
	}
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			op, base, taken, ok := l.lockOperationAt(n, instr)
			if !ok || taken != lock || op != knowledge.Lock && op != knowledge.RLock {
				continue
			}
			// The lock is held up to the release itself.
			if l.isHeldBefore(n, &Section{From: instr, base: base, Lock: lock}, release) {
				return true
			}
		}
	}
	return false
}

// isHeldBefore tells whether an instruction is executed only with the lock held since the
// section's begin.
func (l *Locks) isHeldBefore(n *pointsto.Node, s *Section, at ssa.Instruction) bool {
	inside := l.heldAfter(n, s)
	b := at.Block()
	if i := slices.Index(b.Instrs, at); i > 0 {
		return b.Instrs[i-1] == s.From || inside[b.Instrs[i-1]]
	}
	return len(b.Preds) > 0 && !slices.ContainsFunc(b.Preds, func(p *ssa.BasicBlock) bool {
		last := p.Instrs[len(p.Instrs)-1]
		return last != s.From && !inside[last]
	})
}

// Begins tells whether the instruction takes one of the locks.
func (s *Sections) Begins(instr ssa.Instruction) bool {
	return slices.ContainsFunc(s.all, func(c *Section) bool { return c.From == instr })
}

// Around returns the section of a lock of the object with the root, or of one that leads
// to it, which the instruction is in; nil if there is none. A write needs the lock for
// itself alone.
func (s *Sections) Around(at ssa.Instruction, root ssa.Value, writes bool) *Section {
	for _, c := range s.all {
		if c.Inside[at] && !(writes && c.shared) && root != nil && leadsFrom(root, c.base) {
			return c
		}
	}
	return nil
}

// leadsFrom tells whether a pointer is loaded from memory that the base leads to.
func leadsFrom(v, base ssa.Value) bool {
	seen := map[ssa.Value]bool{}
	for !seen[v] {
		if v = ssaflow.RootOf(v); v == base {
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
func (l *Locks) lockOperationAt(n *pointsto.Node, instr ssa.Instruction) (
	op knowledge.LockOp, base ssa.Value, lock pointsto.Cell, ok bool) {
	call, isCall := instr.(*ssa.Call)
	if !isCall || call.Call.StaticCallee() == nil {
		return op, nil, lock, false
	}
	if op, ok = knowledge.LockOperation(call.Call.StaticCallee()); !ok {
		return op, nil, lock, false
	}
	cells := l.Graph.PointsTo(n, call.Call.Args[0]).Cells()
	if len(cells) != 1 {
		return op, nil, lock, false
	}
	return op, ssaflow.RootOf(call.Call.Args[0]), cells[0], true
}

// heldAfter returns the instructions that are executed only with the lock held since
// the section's begin: all ways to them come from there without an operation that may be
// on the lock.
func (l *Locks) heldAfter(n *pointsto.Node, s *Section) map[ssa.Instruction]bool {
	head := s.From.Block()
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
				out = out || !l.heldAtEnd(n, s, p, !outside[p])
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
			held = l.heldBehind(n, s, instr, held)
			if held && instr != s.From {
				inside[instr] = true
			}
		}
	}
	return inside
}

func (l *Locks) heldAtEnd(n *pointsto.Node, s *Section, b *ssa.BasicBlock, held bool) bool {
	for _, instr := range b.Instrs {
		held = l.heldBehind(n, s, instr, held)
	}
	return held
}

// heldBehind tells whether the lock is held after an instruction.
func (l *Locks) heldBehind(n *pointsto.Node, s *Section, instr ssa.Instruction, held bool) bool {
	if instr == s.From {
		return true
	}
	if _, runs := instr.(*ssa.RunDefers); runs {
		return false
	}
	call, ok := instr.(*ssa.Call)
	if !ok || !held {
		return held
	}
	return !slices.ContainsFunc(l.Graph.Callees(n, call), func(m *pointsto.Node) bool {
		if op, is := knowledge.LockOperation(m.Func); is && op != knowledge.Lock && op != knowledge.RLock {
			return slices.Contains(l.Graph.PointsTo(n, reduce.Receiver(call.Common())).Cells(), s.Lock)
		}
		return l.lockersOf(s.Lock)[m]
	})
}

// lockersOf returns the nodes that operate on a lock, or call one that does.
func (l *Locks) lockersOf(lock pointsto.Cell) map[*pointsto.Node]bool {
	if known, ok := l.lockers[lock]; ok {
		return known
	}
	var direct []*pointsto.Node
	all := map[*pointsto.Node]bool{}
	for _, e := range l.LockCalls() {
		if slices.Contains(l.Graph.PointsTo(e.Caller, reduce.Receiver(e.Site.Common())).Cells(), lock) {
			direct, all[e.Caller] = append(direct, e.Caller), true
		}
	}
	modref.Follow(direct, all, l.CalledIn)
	l.lockers[lock] = all
	return all
}
