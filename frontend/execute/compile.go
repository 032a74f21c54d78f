package execute

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// function is a function with its values numbered.
type function struct {
	ssa       *ssa.Function
	registers int
	blocks    []block
	params    []int
	free      []int
	builtin   native // in place of the blocks
	isMethod  bool
	isInit    bool   // of a package
	directive string // "unit", "nounit" or ""
	loops     []loop

	numbers map[ssa.Value]int // of the registers
	alive   *liveness         // nil until it is asked for
}

// block is a basic block.
type block struct {
	ssa   *ssa.BasicBlock
	ops   []operation
	after *ssa.BasicBlock // the block that all paths from here come to; nil for the exit
	open  bool            // a branch here has an arm that returns or synchronises
}

// loop is a natural loop.
type loop struct {
	header  int
	blocks  map[int]bool
	service bool // blocks for input
}

// operation is an instruction.
type operation struct {
	instr ssa.Instruction
	dst   int
	args  []operand
}

// operand is a register, a constant or a global variable.
type operand struct {
	reg    int
	val    value
	global *ssa.Global
}

// compile returns the function, numbered.
func (p *Program) compile(fn *ssa.Function) *function {
	if f := p.functions[fn]; f != nil {
		return f
	}
	if native := p.nativeFor(fn); native != nil {
		p.functions[fn] = &function{ssa: fn, isMethod: fn.Signature.Recv() != nil, directive: directiveOf(fn),
			builtin: native}
		return p.functions[fn]
	}
	p.functions[fn] = p.bodyOf(fn)
	return p.functions[fn]
}

// bodyOf returns the body of a function, also of one that is built in.
func (p *Program) bodyOf(fn *ssa.Function) *function {
	f := p.bodies[fn]
	if f == nil {
		f = p.number(fn)
		p.bodies[fn] = f
		f.findLoops()
		f.findBranches()
	}
	return f
}

// number returns the body of a function, with its values numbered.
func (p *Program) number(fn *ssa.Function) *function {
	f := &function{ssa: fn, isMethod: fn.Signature.Recv() != nil, directive: directiveOf(fn),
		isInit: fn.Name() == "init" && fn.Synthetic != ""}
	regs := map[ssa.Value]int{}
	number := func(v ssa.Value) int {
		if _, ok := regs[v]; !ok {
			regs[v] = len(regs)
		}
		return regs[v]
	}
	for _, v := range fn.Params {
		f.params = append(f.params, number(v))
	}
	for _, v := range fn.FreeVars {
		f.free = append(f.free, number(v))
	}
	for _, b := range fn.Blocks {
		var ops []operation
		for _, instr := range b.Instrs {
			if _, ok := instr.(*ssa.DebugRef); ok {
				continue
			}
			op := operation{instr: instr, dst: -1}
			if v, ok := instr.(ssa.Value); ok {
				op.dst = number(v)
			}
			for _, v := range instr.Operands(nil) {
				op.args = append(op.args, numbered(*v, number))
			}
			ops = append(ops, op)
		}
		f.blocks = append(f.blocks, block{ssa: b, ops: ops})
	}
	f.registers, f.numbers = len(regs), regs
	return f
}

func numbered(v ssa.Value, number func(ssa.Value) int) operand {
	switch v := v.(type) {
	case nil:
		return operand{reg: -1}
	case *ssa.Const:
		return operand{reg: -1, val: constantOf(v)}
	case *ssa.Function:
		return operand{reg: -1, val: &closure{fn: v}}
	case *ssa.Builtin:
		return operand{reg: -1, val: v}
	case *ssa.Global:
		return operand{reg: -1, global: v}
	}
	return operand{reg: number(v)}
}

// directiveOf returns what the function's comment says about units.
func directiveOf(fn *ssa.Function) string {
	for _, line := range knowledge.CommentOf(fn) {
		if word, ok := strings.CutPrefix(strings.TrimSpace(line.Text), "//empire:"); ok &&
			(word == "unit" || word == "nounit") {
			return word
		}
	}
	return ""
}

// findLoops finds the natural loops, and which of them wait for input.
func (f *function) findLoops() {
	for _, header := range f.ssa.Blocks {
		in := map[int]bool{}
		var work []*ssa.BasicBlock
		for _, latch := range header.Preds {
			if header.Dominates(latch) {
				in[header.Index] = true
				work = append(work, latch)
			}
		}
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if !in[b.Index] {
				in[b.Index] = true
				work = append(work, b.Preds...)
			}
		}
		if len(in) == 0 {
			continue
		}
		l := loop{header: header.Index, blocks: in}
		for _, b := range f.ssa.Blocks {
			if in[b.Index] {
				for _, instr := range b.Instrs {
					l.service = l.service || waitsForInput(instr)
				}
			}
		}
		f.loops = append(f.loops, l)
	}
}

// waitsForInput is generous: what may be input is.
func waitsForInput(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.UnOp:
		return v.Op == token.ARROW
	case *ssa.Select:
		return true
	case *ssa.Call:
		name := ""
		if v.Call.IsInvoke() {
			name = v.Call.Method.Name()
		} else if callee := v.Call.StaticCallee(); callee != nil {
			name = callee.Name()
		}
		return strings.HasPrefix(name, "Read") || strings.HasPrefix(name, "Accept") || name == "Scan"
	}
	return false
}

// findBranches computes where the arms of each branch meet again, and whether an arm
// returns or synchronises: such a branch stays open to the end of the unit.
func (f *function) findBranches() {
	n := len(f.blocks)
	// Post-dominators by iteration over sets: functions are small.
	post := make([]map[int]bool, n)
	all := map[int]bool{}
	for i := range n {
		all[i] = true
	}
	for i, b := range f.blocks {
		if len(b.ssa.Succs) == 0 {
			post[i] = map[int]bool{i: true}
		} else {
			post[i] = all
		}
	}
	for changed := true; changed; {
		changed = false
		for i := n - 1; i >= 0; i-- {
			succs := f.blocks[i].ssa.Succs
			if len(succs) == 0 {
				continue
			}
			next := map[int]bool{i: true}
			for j := range post[succs[0].Index] {
				in := true
				for _, s := range succs[1:] {
					in = in && post[s.Index][j]
				}
				if in {
					next[j] = true
				}
			}
			if len(next) != len(post[i]) {
				post[i], changed = next, true
			}
		}
	}
	for i := range f.blocks {
		b := &f.blocks[i]
		if len(b.ssa.Succs) < 2 {
			continue
		}
		for j := range post[i] {
			if j != i && (b.after == nil || len(post[j]) > len(post[b.after.Index])) {
				b.after = f.blocks[j].ssa
			}
		}
		b.open = f.armReturns(b.ssa, b.after)
	}
}

// armReturns tells whether an arm of the branch at the end of b returns or
// synchronises before the arms meet.
func (f *function) armReturns(b, after *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	work := append([]*ssa.BasicBlock(nil), b.Succs...)
	for len(work) > 0 {
		c := work[len(work)-1]
		work = work[:len(work)-1]
		if c == after || seen[c] {
			continue
		}
		seen[c] = true
		for _, instr := range c.Instrs {
			switch v := instr.(type) {
			case *ssa.Return, *ssa.Send, *ssa.Select:
				return true
			case *ssa.UnOp:
				if v.Op == token.ARROW {
					return true
				}
			case *ssa.Call:
				if callee := v.Call.StaticCallee(); callee != nil && callee.Pkg != nil && callee.Pkg.Pkg.Path() == "sync" {
					return true
				}
			}
		}
		work = append(work, c.Succs...)
	}
	return false
}
