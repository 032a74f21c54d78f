package execute

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A library's experiments seldom need all that the packages of a program initialise. So what cannot be run in an
// initialisation does not end an idle run: the variables whose values depend on it are unset, and the run ends where
// one of them is touched. Each package has a budget of its own for this, and one instruction of its initialisation
// takes half of what is left of it at most.

// unset stands for the result of an instruction that could not be carried out.
type unset struct{ why *Unsupported }

// partial is what is left undone in the initialisations of a run.
type partial struct {
	depth  int // of initialisations, one in another
	unset  map[*ssa.Global]*Unsupported
	failed map[*ssa.Package]*Unsupported // whose variables are unset that have not been touched
}

// apart gives what is done until the result is called a budget of its own.
func (m *machine) apart() (end func()) {
	steps := m.steps
	m.steps = maxInitial
	m.partial.depth++
	return func() {
		m.initial += maxInitial - max(m.steps, 0)
		m.steps = steps
		m.partial.depth--
	}
}

// isBuilding tells whether the activation is an initialisation of which parts may fail.
func (g *goroutine) isBuilding(f *function) bool { return f.isInit && g.m.idle }

// stepPartly is step for an initialisation, which goes on if it fails.
func (fr *frame) stepPartly(op *operation) {
	g, m := fr.g, fr.g.m
	for i := range op.args {
		if r := op.args[i].reg; r >= 0 {
			if u, ok := fr.regs[r].(unset); ok {
				fr.fails(op, u.why)
				return
			}
		}
	}
	left := m.steps
	m.steps = left / 2
	depth, undivided := m.partial.depth, m.undivided
	defer func() {
		m.steps = max(m.steps, 0) + left - left/2
		p := recover()
		if p == nil {
			return
		}
		why, ok := p.(*Unsupported)
		if !ok {
			panic(p)
		}
		if !why.isPlaced {
			why = &Unsupported{why.What + g.place(), true}
		}
		g.top, m.partial.depth, m.undivided = fr, depth, undivided
		fr.fails(op, why)
	}()
	fr.step(op)
}

// fails notes what an instruction that failed has left undone.
func (fr *frame) fails(op *operation, why *Unsupported) {
	m := fr.g.m
	if op.dst >= 0 {
		fr.regs[op.dst], fr.taints[op.dst] = unset{why}, nil
	}
	for _, to := range changed(op.instr) {
		if v := variableOf(to); v != nil {
			m.leaveUnset(v, why)
		}
	}
	call, ok := op.instr.(ssa.CallInstruction)
	if !ok || call.Common().StaticCallee() == nil {
		return
	}
	callee := call.Common().StaticCallee()
	for v := range m.program.setBy(callee) {
		m.leaveUnset(v, why)
	}
	if callee.Name() == "init" && callee.Synthetic != "" {
		if m.partial.failed == nil {
			m.partial.failed = map[*ssa.Package]*Unsupported{}
		}
		m.partial.failed[callee.Pkg] = why
	}
}

// leaveUnset has a run end that touches a variable.
func (m *machine) leaveUnset(v *ssa.Global, why *Unsupported) {
	if m.partial.unset == nil {
		m.partial.unset = map[*ssa.Global]*Unsupported{}
	}
	m.partial.unset[v] = why
	delete(m.globals, v)
}

// touches ends the run if a variable that has no memory yet is unset.
func (m *machine) touches(v *ssa.Global) {
	why := m.partial.unset[v]
	isTouched := m.copier != nil && m.copier.from.variable(v) != nil
	if why == nil && !isTouched && v.Name() != "init$guard" {
		why = m.partial.failed[v.Pkg]
	}
	if why != nil {
		panic(why)
	}
}

// setBy returns the variables that a function of a package's initialisation may write, itself or by what it
// leads to in the package.
func (p *Program) setBy(fn *ssa.Function) map[*ssa.Global]bool {
	all, known := p.setters[fn]
	if !known {
		all = map[*ssa.Global]bool{}
		if fn.Pkg != nil {
			written(fn, fn.Pkg, false, all, map[*ssa.Function]bool{})
		}
		p.setters[fn] = all
	}
	return all
}

// written adds the variables that a function, and those of the package that it leads to, may write.
func written(fn *ssa.Function, pkg *ssa.Package, isInit bool, all map[*ssa.Global]bool, seen map[*ssa.Function]bool) {
	if seen[fn] || fn.Pkg != pkg && fn.Parent() == nil {
		return
	}
	seen[fn] = true
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if !isInit {
				for _, to := range changed(instr) {
					if v := variableOf(to); v != nil {
						all[v] = true
					}
				}
			}
			for _, o := range instr.Operands(nil) {
				if callee, ok := (*o).(*ssa.Function); ok {
					written(callee, pkg, false, all, seen)
				}
			}
		}
	}
}

// asksMachine tells whether a function without a body, called in an initialisation, can only ask what machine the
// program runs on, as for the extensions of a processor: this one has none.
func (g *goroutine) asksMachine(fn *ssa.Function) bool {
	if g.m.partial.depth == 0 || !g.m.idle || fn.Signature.Results().Len() == 0 {
		return false
	}
	isScalar := func(all *types.Tuple) bool {
		for v := range all.Variables() {
			b, ok := v.Type().Underlying().(*types.Basic)
			if !ok || b.Info()&(types.IsInteger|types.IsBoolean) == 0 {
				return false
			}
		}
		return true
	}
	return isScalar(fn.Signature.Params()) && isScalar(fn.Signature.Results())
}
