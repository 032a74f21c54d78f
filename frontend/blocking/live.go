package blocking

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// liveness tells which registers of a function may still be used.
type liveness struct {
	number map[ssa.Value]int // in a fixed order
	made   map[ssa.Value]point
	out    map[*ssa.BasicBlock]map[ssa.Value]bool
	used   map[*ssa.BasicBlock]map[ssa.Value]int // where a block uses them for the last time
}

// indexOf returns where in its block an instruction is.
func (l *liveness) indexOf(instr ssa.Instruction) int {
	if v, ok := instr.(ssa.Value); ok {
		return l.made[v].index
	}
	return slices.Index(instr.Block().Instrs, instr)
}

type point struct {
	block *ssa.BasicBlock
	index int
}

func newLiveness(fn *ssa.Function) *liveness {
	l := &liveness{number: map[ssa.Value]int{}, made: map[ssa.Value]point{},
		out: map[*ssa.BasicBlock]map[ssa.Value]bool{}, used: map[*ssa.BasicBlock]map[ssa.Value]int{}}
	for _, p := range fn.Params {
		l.number[p] = len(l.number)
	}
	for _, f := range fn.FreeVars {
		l.number[f] = len(l.number)
	}
	for _, b := range fn.Blocks {
		l.out[b] = map[ssa.Value]bool{}
		for i, instr := range b.Instrs {
			if v, ok := instr.(ssa.Value); ok {
				l.number[v] = len(l.number)
				l.made[v] = point{b, i}
			}
		}
	}
	for _, b := range fn.Blocks {
		used := map[ssa.Value]int{}
		var room [10]*ssa.Value
		for i, instr := range b.Instrs {
			for _, operand := range instr.Operands(room[:0]) {
				if *operand != nil && l.isRegister(*operand) {
					used[*operand] = i
				}
			}
		}
		l.used[b] = used
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
		if l.isLive(v, b, index) {
			live[v] = true
		}
	}
	for v := range l.used[b] {
		if l.isLive(v, b, index) {
			live[v] = true
		}
	}
	return live
}

// isLive tells whether a register may be used from an instruction on.
func (l *liveness) isLive(v ssa.Value, b *ssa.BasicBlock, index int) bool {
	if at, ok := l.made[v]; ok && at.block == b && at.index >= index {
		return false
	}
	last, ok := l.used[b][v]
	return ok && last >= index || l.out[b][v]
}

// ordered returns the registers of which something is known that may be used from an instruction on, in a fixed order,
// and drops what is known of the others.
func (l *liveness) ordered(known map[ssa.Value]value, b *ssa.BasicBlock, index int) (all []ssa.Value) {
	for v, x := range known {
		if x == nil || !l.isLive(v, b, index) {
			delete(known, v)
			continue
		}
		all = append(all, v)
	}
	slices.SortFunc(all, func(v, w ssa.Value) int { return l.number[v] - l.number[w] })
	return all
}
