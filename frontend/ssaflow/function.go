package ssaflow

import (
	"golang.org/x/tools/go/ssa"
)

// Function is a function with its values numbered, what is live in it, and its loops.
type Function struct {
	Func   *ssa.Function
	Number map[ssa.Value]int
	// by block index: values used at or after its first instruction that is no phi
	LiveIn []map[ssa.Value]bool
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
	f.LiveIn = make([]map[ssa.Value]bool, len(f.Func.Blocks))
	for i := range f.LiveIn {
		f.LiveIn[i] = map[ssa.Value]bool{}
	}
	var operands []*ssa.Value
	for changed := true; changed; {
		changed = false
		for i := len(f.Func.Blocks) - 1; i >= 0; i-- {
			b := f.Func.Blocks[i]
			live := f.liveOut(b)
			for j := len(b.Instrs) - 1; j >= 0; j-- {
				instr := b.Instrs[j]
				if _, isPhi := instr.(*ssa.Phi); isPhi {
					break
				}
				if v, ok := instr.(ssa.Value); ok {
					delete(live, v)
				}
				operands = instr.Operands(operands[:0])
				for _, o := range operands {
					if *o != nil {
						live[*o] = true
					}
				}
				for _, v := range f.also(instr) {
					live[v] = true
				}
			}
			if len(live) != len(f.LiveIn[i]) {
				f.LiveIn[i] = live
				changed = true
			}
		}
	}
}

// liveOut returns the values live at the end of a block, those that phis take from it included.
func (f *Function) liveOut(b *ssa.BasicBlock) map[ssa.Value]bool {
	live := map[ssa.Value]bool{}
	for _, succ := range b.Succs {
		for v := range f.LiveIn[succ.Index] {
			live[v] = true
		}
		for _, phi := range Phis(succ) {
			delete(live, phi)
		}
	}
	for _, succ := range b.Succs {
		for p, pred := range succ.Preds {
			if pred != b {
				continue
			}
			for _, phi := range Phis(succ) {
				live[phi.Edges[p]] = true
			}
		}
	}
	return live
}

// Phis returns the phi instructions at the head of the block.
func Phis(b *ssa.BasicBlock) []*ssa.Phi {
	var all []*ssa.Phi
	for _, instr := range b.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		all = append(all, phi)
	}
	return all
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
