package blocking

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// liveness tells which registers of a function may still be used.
type liveness struct {
	number map[ssa.Value]int
	values []ssa.Value
	out    map[*ssa.BasicBlock]map[ssa.Value]bool
	at     map[point][]ssa.Value
}

type point struct {
	block *ssa.BasicBlock
	index int
}

func newLiveness(fn *ssa.Function) *liveness {
	l := &liveness{number: map[ssa.Value]int{}, out: map[*ssa.BasicBlock]map[ssa.Value]bool{}, at: map[point][]ssa.Value{}}
	add := func(v ssa.Value) {
		l.number[v] = len(l.values)
		l.values = append(l.values, v)
	}
	for _, p := range fn.Params {
		add(p)
	}
	for _, f := range fn.FreeVars {
		add(f)
	}
	for _, b := range fn.Blocks {
		l.out[b] = map[ssa.Value]bool{}
		for _, instr := range b.Instrs {
			if v, ok := instr.(ssa.Value); ok {
				add(v)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(fn.Blocks) - 1; i >= 0; i-- {
			b := fn.Blocks[i]
			in := l.before(b, ssaflow.FirstAfterPhis(b))
			for k, pred := range b.Preds {
				out := l.out[pred]
				size := len(out)
				for v := range in {
					if phi, ok := v.(*ssa.Phi); !ok || phi.Block() != b {
						out[v] = true
					}
				}
				for _, instr := range b.Instrs[:ssaflow.FirstAfterPhis(b)] {
					if v := instr.(*ssa.Phi).Edges[k]; l.isRegister(v) {
						out[v] = true
					}
				}
				changed = changed || len(out) > size
			}
		}
	}
	return l
}

func (l *liveness) isRegister(v ssa.Value) bool {
	_, ok := l.number[v]
	return ok
}

// before returns the registers that may be used from an instruction on.
func (l *liveness) before(b *ssa.BasicBlock, index int) map[ssa.Value]bool {
	live := map[ssa.Value]bool{}
	for v := range l.out[b] {
		live[v] = true
	}
	var room [10]*ssa.Value
	for i := len(b.Instrs) - 1; i >= index; i-- {
		if v, ok := b.Instrs[i].(ssa.Value); ok {
			delete(live, v)
		}
		for _, operand := range b.Instrs[i].Operands(room[:0]) {
			if *operand != nil && l.isRegister(*operand) {
				live[*operand] = true
			}
		}
	}
	return live
}

// ordered returns the registers that may be used from an instruction on, in a fixed order.
func (l *liveness) ordered(b *ssa.BasicBlock, index int) []ssa.Value {
	p := point{b, index}
	all, ok := l.at[p]
	if !ok {
		live := l.before(b, index)
		for _, v := range l.values {
			if live[v] {
				all = append(all, v)
			}
		}
		l.at[p] = all
	}
	return all
}
