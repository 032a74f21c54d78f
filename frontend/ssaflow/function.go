package ssaflow

import (
	"golang.org/x/tools/go/ssa"
)

// Function is a function with its values numbered, what is live in it, and its loops.
type Function struct {
	Func   *ssa.Function
	Number map[ssa.Value]int
	// by block index: values used at or after its first instruction that is no phi
	LiveIn []Values
	loops  map[*ssa.BasicBlock]map[*ssa.BasicBlock]bool // by header, as far as asked for

	lastUses map[*ssa.BasicBlock]lastUses      // as far as asked for
	also     func(ssa.Instruction) []ssa.Value // see NewFunction
}

// NewFunction analyses fn, where instructions use more values than their operands: those
// that also returns.
func NewFunction(fn *ssa.Function, also func(ssa.Instruction) []ssa.Value) *Function {
	f := &Function{Func: fn, Number: map[ssa.Value]int{}, loops: map[*ssa.BasicBlock]map[*ssa.BasicBlock]bool{},
		lastUses: map[*ssa.BasicBlock]lastUses{}, also: also}
	for _, p := range fn.Params {
		f.Number[p] = len(f.Number)
	}
	for _, v := range fn.FreeVars {
		f.Number[v] = len(f.Number)
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if v, ok := instr.(ssa.Value); ok {
				f.Number[v] = len(f.Number)
			}
		}
	}
	f.findLive()
	return f
}

// findLive computes the values live at the beginning of each block, after its
// phis, by the usual backward iteration.
func (f *Function) findLive() {
	blocks := f.Func.Blocks
	n := &numbering{number: map[ssa.Value]int{}}
	f.LiveIn = make([]Values, len(blocks))
	uses, defines := make([]Values, len(blocks)), make([]Values, len(blocks)) // before it is defined there; at all
	var operands []*ssa.Value
	for i, b := range blocks {
		f.LiveIn[i], uses[i], defines[i] = Values{numbering: n}, Values{numbering: n}, Values{numbering: n}
		for j := len(b.Instrs) - 1; j >= 0; j-- {
			instr := b.Instrs[j]
			if _, isPhi := instr.(*ssa.Phi); isPhi {
				break
			}
			if v, ok := instr.(ssa.Value); ok {
				uses[i].remove(v)
				defines[i].add(v)
			}
			operands = instr.Operands(operands[:0])
			for _, o := range operands {
				if *o != nil {
					uses[i].add(*o)
				}
			}
			for _, v := range f.also(instr) {
				uses[i].add(v)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(blocks) - 1; i >= 0; i-- {
			live := f.liveOut(blocks[i])
			live.removeAll(defines[i])
			live.addAll(uses[i])
			changed = f.LiveIn[i].addAll(live) || changed
		}
	}
}

// liveOut returns the values live at the end of a block, those that phis take from it included.
func (f *Function) liveOut(b *ssa.BasicBlock) Values {
	live := Values{numbering: f.LiveIn[b.Index].numbering}
	for _, succ := range b.Succs {
		live.addAll(f.LiveIn[succ.Index])
		for _, phi := range Phis(succ) {
			live.remove(phi)
		}
	}
	for _, succ := range b.Succs {
		for p, pred := range succ.Preds {
			if pred != b {
				continue
			}
			for _, phi := range Phis(succ) {
				live.add(phi.Edges[p])
			}
		}
	}
	return live
}

// Phis returns the phi instructions at the head of the block.
func Phis(b *ssa.BasicBlock) []*ssa.Phi {
	var all []*ssa.Phi
	for _, instr := range b.Instrs[:FirstAfterPhis(b)] {
		all = append(all, instr.(*ssa.Phi))
	}
	return all
}

// FirstAfterPhis returns the index of the first instruction of the block that is no phi.
func FirstAfterPhis(b *ssa.BasicBlock) int {
	for i, instr := range b.Instrs {
		if _, ok := instr.(*ssa.Phi); !ok {
			return i
		}
	}
	return len(b.Instrs)
}

// CallsRecover tells whether the function itself calls recover.
func CallsRecover(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if _, isCall := instr.(*ssa.Call); isCall && IsBuiltin(instr, "recover") { // defer recover() does not recover
				return true
			}
		}
	}
	return false
}

// InLoop tells whether the block is part of the natural loop with the header.
func (f *Function) InLoop(header, b *ssa.BasicBlock) bool {
	loop, ok := f.loops[header]
	if !ok {
		for _, blocks := range NaturalLoops(f.Func) {
			if LoopHeader(blocks) == header {
				loop = blocks
			}
		}
		f.loops[header] = loop
	}
	return loop[b]
}
