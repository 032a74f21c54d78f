package reduce

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// MergedLock is a lock of the model that stands for several at run time.
type MergedLock struct {
	Of pointsto.Cell // the same for all locks that are merged
	RW bool          // one of them is a sync.RWMutex
}

// mergeLocks makes one lock of those that one operation may be on, and of those that
// one allocation makes, as the Empire report did: the locks outside the stars that
// are not one lock at run time. The report's locks are Java's, which a thread can
// take again while it holds them. Go's cannot be: locks that may be taken while one
// of the same kind is held stay out of the model, or it would stop there.
func (r *Reduction) mergeLocks(graph *pointsto.Result, stars *isolate.Isolation, uses []lockUse) {
	classes := &lockClasses{graph: graph, parent: map[pointsto.Cell]pointsto.Cell{}, tainted: map[pointsto.Cell]bool{},
		kept: map[pointsto.Cell]bool{}}
	for _, u := range uses {
		for _, c := range u.cells {
			first := classes.union(u.cells[0], c)
			if len(stars.StarsAt(c)) > 0 || r.Locks[c] || !u.isMutex || u.isSpin {
				classes.tainted[first] = true
			}
			classes.kept[first] = classes.kept[first] || r.Kept[u.node]
		}
	}
	classes.findNested(uses)
	rw := map[pointsto.Cell]bool{}
	for c := range classes.parent {
		rw[classes.find(c)] = rw[classes.find(c)] || isRWMutex(c.Type())
	}
	r.Merged = map[pointsto.Cell]MergedLock{}
	for c := range classes.parent {
		if class := classes.find(c); classes.kept[class] && !classes.tainted[class] {
			r.Merged[c] = MergedLock{class, rw[class]}
		}
	}
}

func isRWMutex(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "RWMutex"
}

// lockClasses is a partition of locks; find returns a member that names the class.
type lockClasses struct {
	graph   *pointsto.Result
	parent  map[pointsto.Cell]pointsto.Cell
	tainted map[pointsto.Cell]bool // by class: not to be merged
	kept    map[pointsto.Cell]bool // by class: used in the model

	locking map[*pointsto.Node]map[pointsto.Cell]bool // the classes that a call of a node may lock
}

func (l *lockClasses) find(c pointsto.Cell) pointsto.Cell {
	p, ok := l.parent[c]
	if !ok {
		l.parent[c] = c
		return c
	}
	if p == c {
		return c
	}
	top := l.find(p)
	l.parent[c] = top
	return top
}

// union makes one class of two, the first's, and returns it.
func (l *lockClasses) union(a, b pointsto.Cell) pointsto.Cell {
	a, b = l.find(a), l.find(b)
	if a != b {
		l.parent[b] = a
		l.tainted[a] = l.tainted[a] || l.tainted[b]
		l.kept[a] = l.kept[a] || l.kept[b]
	}
	return a
}

// findNested taints the classes of which a lock may be taken while one is held.
func (l *lockClasses) findNested(uses []lockUse) {
	at := map[*pointsto.Node]map[ssa.CallInstruction]lockUse{}
	l.locking = map[*pointsto.Node]map[pointsto.Cell]bool{}
	for _, u := range uses {
		if len(u.cells) == 0 {
			continue
		}
		if at[u.node] == nil {
			at[u.node] = map[ssa.CallInstruction]lockUse{}
		}
		at[u.node][u.site] = u
		if u.op.IsTaking() {
			l.addLocking(u.node, l.find(u.cells[0]))
		}
	}
	for _, u := range uses {
		if len(u.cells) > 0 && u.op.IsTaking() && l.isNested(u, at[u.node]) {
			l.tainted[l.find(u.cells[0])] = true
		}
	}
}

// addLocking notes that calls of the node, and of what calls it, may lock the class.
func (l *lockClasses) addLocking(n *pointsto.Node, class pointsto.Cell) {
	work := []*pointsto.Node{n}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if l.locking[n] == nil {
			l.locking[n] = map[pointsto.Cell]bool{}
		}
		if l.locking[n][class] {
			continue
		}
		l.locking[n][class] = true
		for _, e := range l.graph.Callers(n) {
			if _, isGo := e.Site.(*ssa.Go); !isGo {
				work = append(work, e.Caller)
			}
		}
	}
}

// isNested tells whether a lock of the class of the one that u takes may be taken
// before it is released: by the same function, by one that it calls, or by whoever
// it returns to.
func (l *lockClasses) isNested(u lockUse, operations map[ssa.CallInstruction]lockUse) bool {
	class := l.find(u.cells[0])
	deferred := false
	for site, other := range operations {
		_, isDefer := site.(*ssa.Defer)
		deferred = deferred || isDefer && !other.op.IsTaking() && l.find(other.cells[0]) == class
	}
	block := u.site.Block()
	instrs := block.Instrs
	for i, instr := range instrs {
		if instr == ssa.Instruction(u.site) {
			instrs = instrs[i+1:]
			break
		}
	}
	seen := map[*ssa.BasicBlock]bool{}
	work := []*ssa.BasicBlock{nil} // the rest of the block
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b != nil {
			instrs = b.Instrs
		} else {
			b = block
		}
		released := false
		for _, instr := range instrs {
			if _, returns := instr.(*ssa.Return); returns && !deferred {
				return true
			}
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if other, is := operations[call]; is && l.find(other.cells[0]) == class {
				_, isCall := call.(*ssa.Call)
				if other.op.IsTaking() {
					return true
				}
				if isCall {
					released = true
					break
				}
			}
			if l.mayLock(u.node, call, class) {
				return true
			}
		}
		if released {
			continue
		}
		for _, succ := range b.Succs {
			if !seen[succ] {
				seen[succ] = true
				work = append(work, succ)
			}
		}
	}
	return false
}

// mayLock tells whether a call, or a deferred one when it runs, may lock the class.
func (l *lockClasses) mayLock(n *pointsto.Node, call ssa.CallInstruction, class pointsto.Cell) bool {
	if _, isGo := call.(*ssa.Go); isGo {
		return false
	}
	for _, callee := range l.graph.Callees(n, call) {
		if l.locking[callee][class] {
			return true
		}
	}
	return false
}
