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

// findLive computes the values live at the beginning of each block, after its phis: each use makes its value live
// from there up to where it is defined. So it costs what it finds, which is little in a function that has many
// statements and little that lives on from one to the next.
func (f *Function) findLive() {
	n := &numbering{number: map[ssa.Value]int{}}
	f.LiveIn = make([]Values, len(f.Func.Blocks))
	for i := range f.LiveIn {
		f.LiveIn[i] = Values{numbering: n}
	}
	var operands []*ssa.Value
	for _, b := range f.Func.Blocks {
		defined := -1 // the number of the last value that is defined in the block up to here
		for _, instr := range b.Instrs {
			if phi, isPhi := instr.(*ssa.Phi); isPhi {
				for i, v := range phi.Edges {
					f.liveAtEnd(b.Preds[i], v)
				}
				continue
			}
			use := func(v ssa.Value) {
				if at, ok := f.Number[v]; !ok || at > defined || !isDefinedIn(v, b) {
					f.liveAtBegin(b, v)
				}
			}
			operands = instr.Operands(operands[:0])
			for _, o := range operands {
				if *o != nil {
					use(*o)
				}
			}
			for _, v := range f.also(instr) {
				use(v)
			}
			if v, ok := instr.(ssa.Value); ok {
				defined = f.Number[v]
			}
		}
	}
}

// liveAtBegin notes that a value is live at the beginning of a block, after its phis, and so in what comes before.
func (f *Function) liveAtBegin(b *ssa.BasicBlock, v ssa.Value) {
	switch v.(type) {
	case *ssa.Const, *ssa.Function, *ssa.Builtin:
		return // they are the same everywhere
	}
	work := []*ssa.BasicBlock{b}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if f.LiveIn[b.Index].Has(v) {
			continue
		}
		f.LiveIn[b.Index].add(v)
		if phi, isPhi := v.(*ssa.Phi); isPhi && phi.Block() == b {
			continue
		}
		for _, pred := range b.Preds {
			if !isDefinedIn(v, pred) {
				work = append(work, pred)
			}
		}
	}
}

// liveAtEnd notes that a value is live at the end of a block.
func (f *Function) liveAtEnd(b *ssa.BasicBlock, v ssa.Value) {
	if !isDefinedIn(v, b) {
		f.liveAtBegin(b, v)
	}
}

// isDefinedIn tells whether an instruction of the block that is no phi defines the value.
func isDefinedIn(v ssa.Value, b *ssa.BasicBlock) bool {
	instr, ok := v.(ssa.Instruction)
	_, isPhi := v.(*ssa.Phi)
	return ok && !isPhi && instr.Block() == b
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
