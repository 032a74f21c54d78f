package execute

import "golang.org/x/tools/go/ssa"

// initialise carries out that part of a package's initialisation that a variable gets its value
// from: the stores to it, and what their values are computed from. The initialisation of large
// packages is not run as a whole.
func (g *goroutine) initialise(v *ssa.Global) {
	fn := v.Pkg.Func("init")
	if fn == nil || len(fn.Blocks) == 0 {
		unsupported("the variable %s", v)
	}
	needed := partOf(fn, v)
	f := g.m.program.number(fn)
	fr := &frame{g: g, fn: f, caller: g.top, regs: make([]value, f.registers),
		taints: make([]taint, f.registers), prev: -1}
	top := g.top
	g.top = fr
	for i := range f.blocks {
		for k := range f.blocks[i].ops {
			op := &f.blocks[i].ops[k]
			if !needed[op.instr] {
				continue
			}
			switch op.instr.(type) {
			case *ssa.Phi, *ssa.If, *ssa.Jump, *ssa.Return:
				unsupported("the variable %s", v)
			}
			fr.instr = op.instr
			fr.step(op)
		}
	}
	g.top = top
}

// partOf returns the instructions of a package's initialisation that a variable depends on.
func partOf(init *ssa.Function, v *ssa.Global) map[ssa.Instruction]bool {
	needed := map[ssa.Instruction]bool{}
	memory := map[ssa.Value]bool{v: true} // what is stored there is needed
	var need func(ssa.Value)
	need = func(x ssa.Value) {
		instr, ok := x.(ssa.Instruction)
		if !ok || needed[instr] {
			return
		}
		needed[instr] = true
		switch x.(type) {
		case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
			memory[x] = true
		}
		for _, o := range instr.Operands(nil) {
			if *o != nil {
				need(*o)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, b := range init.Blocks {
			for _, instr := range b.Instrs {
				var to ssa.Value
				switch i := instr.(type) {
				case *ssa.Store:
					to = i.Addr
				case *ssa.MapUpdate:
					to = i.Map
				default:
					continue
				}
				if needed[instr] || !memory[baseOf(to)] {
					continue
				}
				needed[instr], changed = true, true
				for _, o := range instr.Operands(nil) {
					if *o != nil {
						need(*o)
					}
				}
			}
		}
	}
	return needed
}

// baseOf returns the memory that an address is in.
func baseOf(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.Slice:
			v = x.X
		default:
			return v
		}
	}
}
