package atomicity

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/mustalias"
)

// held is the locks that are held, by where they are: true for exclusively.
type held map[place]bool

// anyLock stands for all locks.
const anyLock rune = -1

// holding finds which locks are held where, in every run.
type holding struct {
	*Program
	releases map[*ssa.Function]map[rune]bool // locks that a call may release, by their fields
	entry    map[*ssa.Function]held          // nil: no call of it was seen yet
	before   map[*ssa.Function][]held        // at the entry of blocks; nil: not reached
	complete bool                            // nothing is added any more
	recent   walk
}

// walk is how far a block has been followed: to before an instruction, by its index.
type walk struct {
	block *ssa.BasicBlock
	index int
	now   held
}

// heldAt returns the locks that are held before an instruction. A block can have thousands of them, and
// they are mostly asked about in their order.
func (h *holding) heldAt(at ssa.Instruction) held {
	fn, b := at.Parent(), at.Block()
	if h.before[fn] == nil || h.before[fn][b.Index] == nil {
		return held{}
	}
	w := &h.recent
	if !h.complete || w.block != b || !slices.Contains(b.Instrs[w.index:], at) {
		*w = walk{b, 0, maps.Clone(h.before[fn][b.Index])}
	}
	for ; w.index < len(b.Instrs) && b.Instrs[w.index] != at; w.index++ {
		h.step(b.Instrs[w.index], w.now)
	}
	return maps.Clone(w.now)
}

// lockOf returns the lock that a call is an operation on.
func (n *numbers) lockOf(call *ssa.CallCommon) (p place, op knowledge.LockOp, ok bool) {
	fn := call.StaticCallee()
	if fn == nil || len(call.Args) == 0 {
		return p, 0, false
	}
	if op, ok = knowledge.LockOperation(fn); !ok {
		return p, 0, false
	}
	return n.place(call.Args[0]), op, true
}

// released returns the field of the lock that an operation may release, 0 if it takes it.
func (h *holding) released(p place, op knowledge.LockOp) rune {
	if op != knowledge.Unlock && op != knowledge.RUnlock {
		return 0
	}
	if last := h.last(p); last != 0 {
		return last
	}
	return anyLock
}

func newHolding(p *Program) *holding {
	h := &holding{Program: p, releases: map[*ssa.Function]map[rune]bool{}, entry: map[*ssa.Function]held{},
		before: map[*ssa.Function][]held{}}
	h.findReleases()
	h.findEntries()
	h.complete = true
	return h
}

// findReleases finds for each function which locks a call of it may release. Where that is any lock, no other is named.
func (h *holding) findReleases() {
	type release struct {
		by   *ssa.Function
		lock rune
	}
	var work []release
	add := func(fn *ssa.Function, lock rune) {
		all := h.releases[fn]
		switch {
		case all[lock] || all[anyLock]:
			return
		case all == nil || lock == anyLock:
			all = map[rune]bool{}
			h.releases[fn] = all
		}
		all[lock] = true
		work = append(work, release{fn, lock})
	}
	for _, n := range h.graph.Nodes() {
		for _, e := range h.graph.Calls(n) {
			if e.IsStart() {
				continue
			}
			if p, op, ok := h.lockOf(e.Site.Common()); ok {
				if lock := h.released(p, op); lock != 0 {
					add(n.Func, lock)
				}
			} else if op, _ := knowledge.LockOperation(e.Callee.Func); op == knowledge.Unlock || op == knowledge.RUnlock ||
				knowledge.IsCondWait(e.Callee.Func) {
				add(n.Func, anyLock)
			}
		}
	}
	for len(work) > 0 {
		r := work[len(work)-1]
		work = work[:len(work)-1]
		if !h.releases[r.by][r.lock] {
			continue // any lock, by now
		}
		for _, n := range h.graph.NodesOf(r.by) {
			for _, e := range h.graph.Callers(n) {
				if !e.IsStart() {
					add(e.Caller.Func, r.lock)
				}
			}
		}
	}
}

// step follows what an instruction does to the locks that are held.
func (h *holding) step(instr ssa.Instruction, now held) {
	if v, ok := instr.(ssa.Value); ok {
		for p := range now {
			if p.root == v { // another object, in a loop
				delete(now, p)
			}
		}
	}
	switch v := instr.(type) {
	case *ssa.RunDefers:
		clear(now)
	case *ssa.Call:
		if p, op, ok := h.lockOf(v.Common()); ok {
			switch op {
			case knowledge.Lock:
				now[p] = true
			case knowledge.RLock:
				now[p] = false
			default:
				h.forget(now, h.released(p, op))
			}
			return
		}
		for _, n := range h.graph.NodesOf(v.Parent()) {
			for _, callee := range h.graph.Callees(n, v) {
				for r := range h.releases[callee.Func] {
					h.forget(now, r)
				}
				if op, ok := knowledge.LockOperation(callee.Func); ok && op != knowledge.Lock && op != knowledge.RLock {
					clear(now)
				}
			}
		}
	}
}

// forget takes out the locks that may be one that was released.
func (h *holding) forget(now held, released rune) {
	for p := range now {
		if last := h.last(p); released == anyLock || released != 0 && (last == 0 || last == released) {
			delete(now, p)
		}
	}
}

// findEntries finds the locks that all callers of a function hold: the greatest solution.
func (h *holding) findEntries() {
	var work []*ssa.Function
	queued := map[*ssa.Function]bool{}
	push := func(fn *ssa.Function) {
		if !queued[fn] {
			queued[fn] = true
			work = append(work, fn)
		}
	}
	for _, fn := range h.graph.Functions() {
		if !h.isCalledInPlace(fn) {
			h.entry[fn] = held{}
			push(fn)
		}
	}
	for len(work) > 0 {
		fn := work[0]
		work = work[1:]
		queued[fn] = false
		if len(fn.Blocks) == 0 {
			continue
		}
		h.flow(fn)
		for _, b := range fn.Blocks {
			if h.before[fn][b.Index] == nil {
				continue
			}
			now := maps.Clone(h.before[fn][b.Index])
			for _, instr := range b.Instrs {
				if call, ok := instr.(*ssa.Call); ok {
					if callee := call.Call.StaticCallee(); callee != nil && h.isCalledInPlace(callee) {
						if handed := h.handed(call, callee, now); meet(h.entry, callee, handed) {
							push(callee)
						}
					}
				}
				h.step(instr, now)
			}
		}
	}
}

// meet keeps of the locks at an entry those that are held at one more call.
func meet(entry map[*ssa.Function]held, fn *ssa.Function, handed held) bool {
	known := entry[fn]
	if known == nil {
		entry[fn] = handed
		return true
	}
	return keep(known, handed)
}

// keep leaves in a set what is in the other one, too. It tells whether that has changed it.
func keep(known, other held) (changed bool) {
	for p, exclusive := range known {
		if is, ok := other[p]; !ok {
			delete(known, p)
			changed = true
		} else if exclusive && !is {
			known[p] = false
			changed = true
		}
	}
	return changed
}

// isCalledInPlace tells whether all calls of a function name it, and run it there and then.
func (h *holding) isCalledInPlace(fn *ssa.Function) bool {
	if is, ok := h.inPlace[fn]; ok {
		return is
	}
	is, any := true, false
	for _, n := range h.graph.NodesOf(fn) {
		for _, e := range h.graph.Callers(n) {
			any = true
			_, isCall := e.Site.(*ssa.Call)
			is = is && isCall && !e.IsStart() && e.Site.Common().StaticCallee() == fn && e.Site.Parent() == e.Caller.Func
		}
	}
	for _, root := range h.graph.Roots() {
		is = is && root.Func != fn
	}
	h.inPlace[fn] = is && any
	return is && any
}

// handed returns the locks that are held at a call, as the function that is called names them.
func (h *holding) handed(call *ssa.Call, fn *ssa.Function, now held) held {
	handed := held{}
	for p, exclusive := range now {
		if _, ok := p.root.(*ssa.Global); ok {
			handed[p] = exclusive
		}
		for i, arg := range call.Call.Args {
			at := h.place(arg)
			if i < len(fn.Params) && at.root == p.root && len(p.path) >= len(at.path) && p.path[:len(at.path)] == at.path {
				handed[place{mustalias.BaseKey(fn.Params[i]), p.path[len(at.path):]}] = exclusive
			}
		}
	}
	return handed
}

// flow finds the locks at the blocks of a function.
func (h *holding) flow(fn *ssa.Function) {
	before := make([]held, len(fn.Blocks))
	before[0] = maps.Clone(h.entry[fn])
	work := []*ssa.BasicBlock{fn.Blocks[0]}
	if fn.Recover != nil {
		before[fn.Recover.Index] = held{}
		work = append(work, fn.Recover)
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		now := maps.Clone(before[b.Index])
		for _, instr := range b.Instrs {
			h.step(instr, now)
		}
		for _, to := range b.Succs {
			if before[to.Index] == nil {
				before[to.Index] = maps.Clone(now)
				work = append(work, to)
			} else if keep(before[to.Index], now) {
				work = append(work, to)
			}
		}
	}
	h.before[fn] = before
}
