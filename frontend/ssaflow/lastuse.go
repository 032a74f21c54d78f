package ssaflow

import "golang.org/x/tools/go/ssa"

// lastUses is where the values are used in a block for the last time: the index of the
// instruction, or the number of instructions where they are live at the end.
type lastUses map[ssa.Value]int

// IsUsedFrom tells whether a value is used at or after an instruction of a block, the index of
// which is given, or what is used there is computed from it as an address or as another form of
// it, in the same block.
func (f *Function) IsUsedFrom(v ssa.Value, b *ssa.BasicBlock, instr int) bool {
	last, known := f.lastUses[b]
	if !known {
		last = f.findLastUses(b)
		f.lastUses[b] = last
	}
	at, ok := last[v]
	return ok && at >= instr
}

// findLastUses looks at each instruction once, from the end, and once at each that computes an
// address.
func (f *Function) findLastUses(b *ssa.BasicBlock) lastUses {
	last := lastUses{}
	var use func(v ssa.Value, at int)
	use = func(v ssa.Value, at int) {
		if _, known := last[v]; known {
			return
		}
		last[v] = at
		instr, ok := v.(ssa.Instruction)
		if !ok || instr.Block() != b {
			return
		}
		switch v.(type) {
		case *ssa.UnOp, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Field, *ssa.Index, *ssa.Slice, *ssa.Lookup, *ssa.Extract,
			*ssa.Convert, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.TypeAssert, *ssa.BinOp:
			for _, o := range instr.Operands(nil) {
				if *o != nil {
					use(*o, at)
				}
			}
		}
	}
	for v := range f.liveOut(b).All() {
		use(v, len(b.Instrs))
	}
	for i := len(b.Instrs) - 1; i >= 0; i-- {
		if _, isPhi := b.Instrs[i].(*ssa.Phi); isPhi {
			break
		}
		for _, o := range b.Instrs[i].Operands(nil) {
			if *o != nil {
				use(*o, i)
			}
		}
		for _, v := range f.also(b.Instrs[i]) {
			use(v, i)
		}
	}
	return last
}
