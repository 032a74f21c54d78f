package execute

import (
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// The initialisation of many packages is large, and little of it is used. That of the standard library's, and
// of others whose initialisation is their own affair, is not run at the start: a variable gets its value when it
// is touched first, from that part of the initialisation that it depends on.

// initial is how a variable gets its value.
type initial struct {
	f     *function // the package's initialisation
	needs []*operation
	whole bool // all of it has to be run
}

// initialise gives a variable its value.
func (g *goroutine) initialise(v *ssa.Global) {
	m := g.m
	if m.initialised[v.Pkg] {
		return
	}
	how := m.program.initials[v]
	if how == nil {
		how = m.program.initialOf(v)
		m.program.initials[v] = how
	}
	m.undivided++
	call, end := g.calling, m.apart()
	defer func() {
		end()
		g.calling = call
		m.undivided--
	}()
	if how.whole {
		m.initialised[v.Pkg] = true
		g.activate(how.f, nil, nil, nil, nil)
		return
	}
	fr := &frame{g: g, fn: how.f, caller: g.top, regs: make([]value, how.f.registers),
		taints: make([]taint, how.f.registers), prev: -1}
	m.given[v] = true
	top := g.top
	g.top = fr
	for _, op := range how.needs {
		fr.instr = op.instr
		fr.step(op)
	}
	g.top = top
}

// isGiven tells whether an instruction of a package's initialisation gives a variable its value that has
// one already, which others may have compared with.
func (fr *frame) isGiven(i *ssa.Store) bool {
	v, ok := i.Addr.(*ssa.Global)
	return ok && fr.g.m.given[v] && fr.fn.ssa == v.Pkg.Func("init") && fr.g.m.initialised[v.Pkg]
}

// maxInitial bounds the initialisation of one package.
const maxInitial = 1_000_000

// initialOf finds out which part of a package's initialisation a variable gets its value from: the
// stores to it, and what their values are computed from; all of it, where that is not to be seen.
func (p *Program) initialOf(v *ssa.Global) *initial {
	fn := v.Pkg.Func("init")
	if fn == nil || len(fn.Blocks) == 0 {
		unsupported("the variable %s", v)
	}
	how := &initial{f: p.bodyOf(fn), whole: p.setByFunctions(v.Pkg)[v]}
	if how.whole {
		return how
	}
	needed := partOf(fn, v)
	for i := range how.f.blocks {
		for k := range how.f.blocks[i].ops {
			op := &how.f.blocks[i].ops[k]
			if !needed[op.instr] {
				continue
			}
			switch op.instr.(type) {
			case *ssa.Phi, *ssa.If, *ssa.Jump, *ssa.Return:
				how.whole = true
				return how
			}
			how.needs = append(how.needs, op)
		}
	}
	return how
}

// setByFunctions returns the variables of a package that functions which its initialisation calls may
// write, themselves or what they lead to.
func (p *Program) setByFunctions(pkg *ssa.Package) map[*ssa.Global]bool {
	if all, ok := p.set[pkg]; ok {
		return all
	}
	all := map[*ssa.Global]bool{}
	if fn := pkg.Func("init"); fn != nil {
		written(fn, pkg, true, all, map[*ssa.Function]bool{})
	}
	p.set[pkg] = all
	return all
}

// changed returns what an instruction may change, or what leads to it: where it writes, and what it hands over.
func changed(instr ssa.Instruction) (all []ssa.Value) {
	switch i := instr.(type) {
	case *ssa.Store:
		return []ssa.Value{i.Addr}
	case *ssa.MapUpdate:
		return []ssa.Value{i.Map}
	case ssa.CallInstruction:
		if b, ok := i.Common().Value.(*ssa.Builtin); ok {
			switch b.Name() {
			case "close", "delete", "clear":
			default:
				return nil
			}
		}
		for _, a := range i.Common().Args {
			switch a.Type().Underlying().(type) {
			case *types.Pointer, *types.Map, *types.Chan, *types.Slice:
				all = append(all, a)
			}
		}
	}
	return all
}

// variableOf returns the package variable that an address is in, or that leads to it.
func variableOf(v ssa.Value) *ssa.Global {
	for v != nil {
		switch x := baseOf(v).(type) {
		case *ssa.Global:
			return x
		case *ssa.UnOp:
			v = x.X
		default:
			return nil
		}
	}
	return nil
}

// isLazy tells whether the variables of a package get their values when they are touched.
func (p *Program) isLazy(pkg *ssa.Package) bool {
	if pkg == nil || pkg == p.main || p.isStandard(pkg) {
		return p.isStandard(pkg)
	}
	is, known := p.lazy[pkg]
	if !known {
		is = !slices.Contains(p.main.Pkg.Imports(), pkg.Pkg) && p.isOwnAffair(pkg)
		p.lazy[pkg] = is
	}
	return is
}

// isOwnAffair tells whether the initialisation of a package changes no variables but its own: it starts no
// goroutine, and calls functions by their names, or of the standard library, none of which does.
func (p *Program) isOwnAffair(pkg *ssa.Package) bool {
	seen := map[*ssa.Function]bool{}
	var isOwn func(fn *ssa.Function) bool
	isOwn = func(fn *ssa.Function) bool {
		if seen[fn] {
			return true
		}
		seen[fn] = true
		if len(fn.Blocks) == 0 {
			return false
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if store, ok := instr.(*ssa.Store); ok {
					if v := variableOf(store.Addr); v != nil && v.Pkg != pkg {
						return false
					}
				}
				call, ok := instr.(ssa.CallInstruction)
				if !ok {
					continue
				}
				if _, starts := call.(*ssa.Go); starts {
					return false
				}
				if _, isBuiltin := call.Common().Value.(*ssa.Builtin); isBuiltin {
					continue
				}
				callee := call.Common().StaticCallee()
				switch {
				case callee == nil:
					return false
				case callee.Name() == "init" && callee.Synthetic != "": // of a package that it imports
				case !p.isStandard(ownerOf(callee)) && !isOwn(callee):
					return false
				}
			}
		}
		return true
	}
	fn := pkg.Func("init")
	return fn != nil && isOwn(fn)
}

// ownerOf returns the package that declares a function, nil if that is not known.
func ownerOf(fn *ssa.Function) *ssa.Package {
	fn = knowledge.Outermost(fn)
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return fn.Pkg
}

// isStandard tells whether a package is of the standard library, and not the one that is run. A path does
// not say so: that of a module need not have a dot.
func (p *Program) isStandard(pkg *ssa.Package) bool {
	if pkg == nil || pkg == p.main || !knowledge.IsStandardPath(pkg.Pkg.Path()) {
		return false
	}
	is, known := p.standard[pkg]
	if !known {
		lib := p.ssa.ImportedPackage("runtime")
		is = lib == nil || strings.HasPrefix(p.fileOf(pkg), strings.TrimSuffix(filepath.Dir(p.fileOf(lib)), "runtime"))
		p.standard[pkg] = is
	}
	return is
}

// fileOf returns the name of a file of the package.
func (p *Program) fileOf(pkg *ssa.Package) string {
	for _, m := range pkg.Members {
		if m.Pos().IsValid() {
			return p.ssa.Fset.Position(m.Pos()).Filename
		}
	}
	return ""
}

// known sets the variables that stand for what a program is handed by its system.
func (g *goroutine) known(v *ssa.Global, c *cell) bool {
	switch v.String() {
	case "os.Stdout", "os.Stderr", "os.Stdin":
		file := g.allocate(c.typ.Underlying().(*types.Pointer).Elem())
		file.state = &fileState{name: v.Name()}
		file.mem.shared = true
		c.val = file
	case "os.Args":
		args := g.array(types.Typ[types.String], 1)
		args[0].val = "program"
		c.val = slice{args}
	default:
		return false
	}
	return true
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
