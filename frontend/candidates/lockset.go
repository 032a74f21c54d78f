package candidates

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/query"
)

// balance is what a call does to the locks that are held: which are held after it that
// were not before, and which may have been let go of.
type balance struct {
	taken    lockset
	released []lock
	unknown  bool // any other may have been, too
}

// flow is the locks held in one activation of a node, which begins with some of them.
type flow struct {
	finder *finder
	activation
	visit  func(ssa.Instruction, lockset) // each instruction, with what is held before it; nil: none
	exit   lockset                        // at all returns; nil if there is none
	undone []lock                         // released although not held here
	lost   bool                           // any lock may have been released
}

// run follows the control flow: a forward must analysis.
func (f *flow) run(entry lockset) {
	fn := f.node.Func
	if len(fn.Blocks) == 0 {
		return
	}
	before := make([]lockset, len(fn.Blocks))
	before[0] = entry.clone()
	work := []*ssa.BasicBlock{fn.Blocks[0]}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		f.finder.poll.Check()
		after := before[b.Index].clone()
		for _, instr := range b.Instrs {
			f.step(instr, after)
		}
		for i, succ := range b.Succs {
			held := f.branch(b, i, after)
			if held == nil {
				continue
			}
			if known := before[succ.Index]; known == nil {
				before[succ.Index] = held.clone()
			} else if !known.meet(held) {
				continue
			}
			if !slices.Contains(work, succ) {
				work = append(work, succ)
			}
		}
	}
	f.finish(before)
}

// finish goes through the blocks once more, when what is held before each is known.
func (f *flow) finish(before []lockset) {
	f.undone, f.lost = nil, false
	for _, b := range f.node.Func.Blocks {
		held := before[b.Index]
		if held == nil {
			continue // is never executed, or recovers
		}
		for _, instr := range b.Instrs {
			if f.visit != nil {
				f.visit(instr, held)
			}
			if _, ok := instr.(*ssa.Return); ok {
				if f.exit == nil {
					f.exit = held.clone()
				} else {
					f.exit.meet(held)
				}
			}
			f.step(instr, held)
		}
	}
}

// step applies an instruction to what is held.
func (f *flow) step(instr ssa.Instruction, held lockset) {
	switch v := instr.(type) {
	case *ssa.Call:
		f.call(v, held)
	case *ssa.Send:
		f.channel(v.Chan, types.SendOnly, held)
	case *ssa.UnOp:
		if v.Op == token.ARROW {
			f.channel(v.X, types.RecvOnly, held)
		}
	case *ssa.RunDefers:
		for _, d := range slices.Backward(defersOf(f.node.Func)) {
			f.call(d, held)
		}
	}
}

// channel applies an operation on a channel, which may be used as a lock.
func (f *flow) channel(channel ssa.Value, direction types.ChanDir, held lockset) {
	load, ok := channel.(*ssa.UnOp)
	if !ok {
		return
	}
	address, ok := load.X.(*ssa.FieldAddr)
	if !ok {
		return
	}
	taken := types.SendOnly
	switch f.finder.usage.ChannelLock(fieldOf(address)) {
	case query.NoChannelLock:
		return
	case query.TakenByReceive:
		taken = types.RecvOnly
	}
	l := lockOf(address)
	f.finder.noteKeeper(f.node, l, address)
	l.isChannel = true
	if direction == taken {
		held[l] = writing
	} else {
		f.release(l, held)
	}
}

// selected returns what is held where a select statement has chosen a case that takes or releases a
// lock.
func (f *flow) selected(cond ssa.Value, isTrue bool, held lockset) (lockset, bool) {
	is, ok := cond.(*ssa.BinOp)
	if !ok || is.Op != token.EQL || !isTrue {
		return held, false
	}
	chosen, ok := is.X.(*ssa.Extract)
	index, isConst := is.Y.(*ssa.Const)
	if !ok || !isConst || chosen.Index != 0 {
		return held, false
	}
	choice, ok := chosen.Tuple.(*ssa.Select)
	if !ok || index.Int64() < 0 || int(index.Int64()) >= len(choice.States) {
		return held, false
	}
	state := choice.States[index.Int64()]
	held = held.clone()
	f.channel(state.Chan, state.Dir, held)
	return held, true
}

// call applies a call, which may be deferred.
func (f *flow) call(site ssa.CallInstruction, held lockset) {
	common := site.Common()
	if op, ok := f.finder.lockOperation(f.node, site); ok {
		address := common.Value
		if !common.IsInvoke() {
			if len(common.Args) == 0 {
				return // a bound method: which lock it is of is not seen
			}
			address = common.Args[0]
		}
		l := lockOf(address)
		f.finder.noteKeeper(f.node, l, address)
		f.operate(op, l, held)
		return
	}
	callees := f.finder.graph.Callees(f.node, site)
	for _, callee := range callees {
		if !f.finder.isOwn(callee.Func) {
			if f.finder.isBoundRelease(callee) {
				f.loseAll(held)
			}
			continue
		}
		b := f.finder.balanceOf(f.called(site, callee))
		if b.unknown {
			f.loseAll(held)
		}
		for _, l := range b.released {
			f.release(f.finder.toCaller(l, site, callee), held)
		}
		if len(callees) == 1 {
			for l, m := range b.taken {
				held[f.finder.toCaller(l, site, callee)] = m
			}
		}
	}
}

// loseAll is for a lock that is released which is not known: that of a method value.
func (f *flow) loseAll(held lockset) {
	clear(held)
	f.lost = true
}

// operate applies an operation on a lock.
func (f *flow) operate(op knowledge.LockOp, l lock, held lockset) {
	switch op {
	case knowledge.Lock:
		held[l] = writing
	case knowledge.RLock:
		held[l] = max(held[l], reading)
	case knowledge.Unlock, knowledge.RUnlock, knowledge.TryUnlock, knowledge.Reset:
		f.release(l, held)
	}
}

// maxUndone bounds the places of locks that a function may have let go of: from there on any lock of the kind
// may have been. Every call of the function is gone through with all of them.
const maxUndone = 16

func (f *flow) release(l lock, held lockset) {
	if held.release(l) {
		return
	}
	if len(f.undone) >= maxUndone {
		l = l.forgotten()
	}
	if !slices.Contains(f.undone, l) && !slices.Contains(f.undone, l.forgotten()) {
		f.undone = append(f.undone, l)
	}
}

// branch returns what is held on the way to successor i, nil if control never goes there:
// a lock that was tried is held where that worked.
func (f *flow) branch(b *ssa.BasicBlock, i int, held lockset) lockset {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return held
	}
	cond, isTrue := branch.Cond, i == 0
	for {
		not, ok := cond.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			break
		}
		cond, isTrue = not.X, !isTrue
	}
	if known := f.value(cond); known != 0 && isTrue != (known == 2) {
		return nil
	}
	if chosen, ok := f.selected(cond, isTrue, held); ok {
		return chosen
	}
	call, ok := cond.(*ssa.Call)
	if !ok {
		return held
	}
	m := writing
	op, _ := f.finder.lockOperation(f.node, call)
	switch {
	case op == knowledge.TryLock && isTrue, op == knowledge.SwapLock && !isTrue:
	case op == knowledge.TryRLock && isTrue:
		m = reading
	default:
		return held
	}
	address := call.Call.Value
	if !call.Call.IsInvoke() {
		address = call.Call.Args[0]
	}
	l := lockOf(address)
	f.finder.noteKeeper(f.node, l, address)
	held = held.clone()
	held[l] = m
	return held
}

// defersOf returns the defer statements of a function in order.
func defersOf(fn *ssa.Function) []ssa.CallInstruction {
	var all []ssa.CallInstruction
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if d, ok := instr.(*ssa.Defer); ok {
				all = append(all, d)
			}
		}
	}
	return all
}
