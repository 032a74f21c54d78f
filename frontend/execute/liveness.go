package execute

import "golang.org/x/tools/go/ssa"

// liveness says which registers of a function may still be read.
type liveness struct {
	f      *function
	out    []map[int]bool // by block: at its end
	always map[int]bool   // read by the recover block, to which control may go at any time
}

// live returns the liveness of a function: a textbook data flow analysis, in which a phi
// reads its operands at the ends of the blocks that control comes from.
func (f *function) live() *liveness {
	if f.alive != nil {
		return f.alive
	}
	l := &liveness{f: f, out: make([]map[int]bool, len(f.blocks)), always: map[int]bool{}}
	for i := range l.out {
		l.out[i] = map[int]bool{}
	}
	for changed := true; changed; {
		changed = false
		for i := len(f.blocks) - 1; i >= 0; i-- {
			b := &f.blocks[i]
			in := l.before(b, 0)
			for k, pred := range b.ssa.Preds {
				out := l.out[pred.Index]
				n := len(out)
				for r := range in {
					out[r] = true
				}
				for _, op := range b.ops {
					if _, ok := op.instr.(*ssa.Phi); ok && op.args[k].reg >= 0 {
						out[op.args[k].reg] = true
					}
				}
				changed = changed || len(out) > n
			}
		}
	}
	if f.ssa.Recover != nil {
		l.always = l.before(&f.blocks[f.ssa.Recover.Index], 0)
	}
	f.alive = l
	return l
}

// before returns the registers that may be read from instruction i of the block on.
func (l *liveness) before(b *block, i int) map[int]bool {
	in := map[int]bool{}
	for r := range l.out[b.ssa.Index] {
		in[r] = true
	}
	for r := range l.always {
		in[r] = true
	}
	for k := len(b.ops) - 1; k >= i; k-- {
		op := &b.ops[k]
		if op.dst >= 0 {
			delete(in, op.dst)
		}
		if _, ok := op.instr.(*ssa.Phi); ok {
			continue
		}
		for _, a := range op.args {
			if a.reg >= 0 {
				in[a.reg] = true
			}
		}
	}
	return in
}

// live returns the registers of the activation that may still be read. The instruction that
// it executes reads its operands, unless it has handed them to another activation.
func (fr *frame) live() map[int]bool {
	l := fr.fn.live()
	if fr.block < 0 {
		return nil
	}
	b := &fr.fn.blocks[fr.block]
	for i := range b.ops {
		if b.ops[i].instr != fr.instr {
			continue
		}
		if callee := fr.g.top; callee != fr && fr.hasHandedOver() {
			i++
		}
		return l.before(b, i)
	}
	return l.before(b, 0)
}

// hasHandedOver tells whether the instruction is a call, and an activation has its arguments.
func (fr *frame) hasHandedOver() bool {
	for callee := fr.g.top; callee != nil && callee != fr; callee = callee.caller {
		if callee.caller == fr {
			return callee.call != nil && callee.call == fr.instr
		}
	}
	return false
}
