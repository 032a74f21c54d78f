package execute

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// frame is an activation of a function.
type frame struct {
	g         *goroutine
	fn        *function
	caller    *frame
	call      ssa.CallInstruction // that made it; nil if a function that is built in did
	number    int                 // among the activations of the run, if it is observed
	regs      []value
	taints    []taint
	block     int // -1: it has returned
	prev      int
	instr     ssa.Instruction
	defers    []deferred
	result    value
	taint     taint // of the result
	panicking bool
	panic     any
	recovered bool
	builds    bool // an initialisation, which goes on where a part of it cannot be run

	opened   []*unit           // that end with the activation
	direct   map[*object]*unit // those that it has because it accesses the object itself
	branches []branch
}

type deferred struct {
	call ssa.CallInstruction
	fn   value
	args []value
}

// branch is one on values that were read, whose arms have not met again.
type branch struct {
	reads taint
	after int
}

// invoke calls a function value.
func (g *goroutine) invoke(fn *closure, args []value, taints []taint) (value, taint) {
	call := g.calling
	g.calling = nil
	if fn == nil {
		panic(goPanic{runtimeError("call of a nil function")})
	}
	if fn.native != nil {
		return fn.native(g, args), nil
	}
	f := g.m.program.compile(fn.fn)
	if f.builtin != nil {
		var all taint
		for _, t := range taints {
			all = all.union(t)
		}
		g.handed, g.returned = all, nil
		v := f.builtin(g, args)
		g.use(all)
		return v, all.union(g.returned)
	}
	if g.m.callsBack != nil && (f.ssa.Parent() != nil || f.ssa.Pkg == g.m.program.main) {
		g.m.callsBack(g, fn)
	}
	return g.activate(f, fn.env, args, taints, call)
}

// activate runs the body of a function.
func (g *goroutine) activate(f *function, env, args []value, taints []taint, call ssa.CallInstruction) (value, taint) {
	if len(f.blocks) == 0 {
		if g.asksMachine(f.ssa) {
			return resultZero(f.ssa.Signature), nil
		}
		unsupported("the function %s", f.ssa)
	}
	isBuilding := g.isBuilding(f)
	if isBuilding {
		defer g.m.apart()()
	}
	depth := 0
	for fr := g.top; fr != nil; fr = fr.caller {
		depth++
	}
	if depth > 200 {
		unsupported("recursion deeper than 200")
	}
	fr := &frame{g: g, fn: f, caller: g.top, call: call, regs: make([]value, f.registers),
		taints: make([]taint, f.registers), prev: -1, builds: isBuilding}
	for i, r := range f.params {
		fr.regs[r] = args[i]
		if i < len(taints) {
			fr.taints[r] = taints[i]
		}
	}
	for i, r := range f.free {
		fr.regs[r] = env[i]
	}
	g.top = fr
	g.enter(fr, args)
	if g.m.observer != nil {
		g.m.made++
		fr.number = g.m.made
		g.m.observer.Enter(Activation{fr})
		defer g.observeLeave(fr)
	}
	for fr.block >= 0 {
		fr.run()
	}
	g.leave(fr)
	g.top = fr.caller
	return fr.result, fr.taint
}

// run executes the frame up to its return, or to the end of its deferred calls after
// a panic, from where it goes on with the recover block.
func (fr *frame) run() {
	defer func() {
		if fr.block < 0 {
			return
		}
		p := recover()
		switch p.(type) {
		case goPanic, goexit:
		case *Unsupported:
			if fr.g.m.partial.depth == 0 || len(fr.defers) == 0 {
				panic(p)
			}
			// The initialisation goes on: locks are given back.
		default:
			panic(p)
		}
		fr.g.top = fr
		fr.panicking, fr.panic = true, p
		fr.runDefers()
		recovery := fr.fn.ssa.Recover
		if recovery == nil {
			fr.block, fr.result = -1, resultZero(fr.fn.ssa.Signature)
			return
		}
		fr.prev, fr.block = fr.block, recovery.Index
	}()
	for {
		b := &fr.fn.blocks[fr.block]
		if fr.execute(b) {
			return
		}
	}
}

func resultZero(s *types.Signature) value {
	switch s.Results().Len() {
	case 0:
		return nil
	case 1:
		return zero(s.Results().At(0).Type())
	}
	return zero(s.Results())
}

// execute runs a block; it tells whether the function has returned.
func (fr *frame) execute(b *block) bool {
	g := fr.g
	i := 0
	// Phis are simultaneous. There are seldom more, so they need no memory.
	var phiValues [8]value
	var phiTaints [8]taint
	phis, taints := phiValues[:0], phiTaints[:0]
	for ; i < len(b.ops); i++ {
		phi, ok := b.ops[i].instr.(*ssa.Phi)
		if !ok {
			break
		}
		for k, pred := range phi.Block().Preds {
			if pred.Index == fr.prev {
				v, t := fr.operand(&b.ops[i].args[k])
				phis, taints = append(phis, v), append(taints, t)
				break
			}
		}
	}
	for k := range phis {
		fr.regs[b.ops[k].dst], fr.taints[b.ops[k].dst] = phis[k], taints[k]
	}
	fr.observePhis(b, len(phis))
	for ; i < len(b.ops); i++ {
		op := &b.ops[i]
		g.m.steps--
		if g.m.steps < 0 {
			if g.m.partial.depth > 0 {
				unsupported("an initialisation that takes so long")
			}
			g.m.over, g.m.ended = true, "steps"+g.place()
		}
		if g.m.over {
			panic(killed{})
		}
		fr.instr = op.instr
		if g.m.observer != nil {
			g.m.observer.Before(Activation{fr}, op.instr)
		}
		switch v := op.instr.(type) {
		case *ssa.If:
			cond, t := fr.operand(&op.args[0])
			if u, ok := cond.(unset); ok {
				panic(u.why)
			}
			g.use(t)
			fr.branchOn(t, b, v.Cond)
			if cond.(bool) {
				fr.jump(v.Block().Succs[0])
			} else {
				fr.jump(v.Block().Succs[1])
			}
			return false
		case *ssa.Jump:
			fr.jump(v.Block().Succs[0])
			return false
		case *ssa.Return:
			fr.g.m.returned[v.Parent()] = true
			fr.doReturn(op)
			return true
		case *ssa.Panic:
			val, _ := fr.operand(&op.args[0])
			panic(goPanic{val})
		default:
			if fr.builds {
				fr.stepPartly(op)
			} else {
				fr.step(op)
			}
			if g.m.observer != nil {
				g.m.observer.After(Activation{fr}, op.instr)
			}
		}
	}
	panic("a block without an end")
}

func (fr *frame) doReturn(op *operation) {
	if len(fr.defers) > 0 {
		// A function whose only defers are in the bodies of range-over-func loops
		// has no instruction for it.
		fr.runDefers()
	}
	switch len(op.args) {
	case 0:
	case 1:
		fr.result, fr.taint = fr.operand(&op.args[0])
	default:
		results := make(aggregate, len(op.args))
		for k := range op.args {
			v, t := fr.operand(&op.args[k])
			results[k], fr.taint = v, fr.taint.union(t)
		}
		fr.result = results
	}
	fr.g.use(fr.taint)
	if len(fr.opened) > 0 || fr.direct != nil { // the unit's result
		fr.g.keep(fr.taint)
	}
	fr.block = -1
}

func (fr *frame) jump(to *ssa.BasicBlock) {
	from := fr.block
	fr.prev, fr.block = from, to.Index
	open := fr.branches[:0]
	for _, b := range fr.branches {
		if b.after == to.Index {
			fr.g.use(b.reads)
		} else {
			open = append(open, b)
		}
	}
	fr.branches = open
	fr.iterate(from, to.Index)
}

// branchOn notes a branch on values read.
func (fr *frame) branchOn(t taint, b *block, cond ssa.Value) {
	if len(t) == 0 {
		return
	}
	fr.g.decides(t, predicate(cond))
	switch {
	case b.open || b.after == nil:
		fr.g.keepOpen(t)
	default:
		fr.branches = append(fr.branches, branch{t, b.after.Index})
	}
}

// predicate returns what a condition asks, whichever the answer: "" if that is not
// evident.
func predicate(cond ssa.Value) string {
	for {
		not, ok := cond.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			break
		}
		cond = not.X
	}
	c, ok := cond.(*ssa.BinOp)
	if !ok {
		return ""
	}
	other, ok := c.Y.(*ssa.Const)
	if !ok {
		return ""
	}
	op := c.Op
	switch op {
	case token.NEQ:
		op = token.EQL
	case token.GEQ:
		op = token.LSS
	case token.GTR:
		op = token.LEQ
	}
	return op.String() + other.String()
}

// operand returns the value of an operand.
func (fr *frame) operand(o *operand) (value, taint) {
	if o.reg >= 0 {
		return fr.regs[o.reg], fr.taints[o.reg]
	}
	if o.global != nil {
		return fr.g.m.global(o.global), nil
	}
	return o.val, nil
}

// runDefers runs the deferred calls, last first. It panics if the function was
// panicking and none of them recovered.
func (fr *frame) runDefers() {
	for len(fr.defers) > 0 {
		d := fr.defers[len(fr.defers)-1]
		fr.defers = fr.defers[:len(fr.defers)-1]
		fr.runDefer(d)
	}
	if fr.panicking && !fr.recovered {
		panic(fr.panic)
	}
	fr.panicking, fr.recovered = false, false
}

func (fr *frame) runDefer(d deferred) {
	done := false
	defer func() {
		if done {
			return
		}
		p := recover()
		switch p.(type) {
		case goPanic, goexit:
			fr.g.top = fr
			fr.panicking, fr.panic, fr.recovered = true, p, false
		default:
			panic(p)
		}
	}()
	fr.g.calling = d.call
	fr.callValue(d.call.Common(), d.fn, d.args, nil)
	done = true
}

// recover is the built-in function, called by a deferred function.
func (fr *frame) recover() value {
	// fr is the deferred function; who panics is its caller.
	panicked := fr.caller
	if panicked == nil || !panicked.panicking || panicked.recovered {
		return iface{}
	}
	p, ok := panicked.panic.(goPanic)
	if !ok {
		return iface{}
	}
	panicked.recovered = true
	return fr.g.m.seen(p.val)
}

// callValue calls a function, or a built-in one.
func (fr *frame) callValue(c *ssa.CallCommon, fn value, args []value, taints []taint) (value, taint) {
	if b, ok := fn.(*ssa.Builtin); ok {
		fr.g.calling = nil
		var all taint
		for _, t := range taints {
			all = all.union(t)
		}
		fr.g.use(all)
		v, t := fr.builtin(b.Name(), c, args, taints)
		return v, t.union(all)
	}
	return fr.g.invoke(fn.(*closure), args, taints)
}

// prepare returns the function and the arguments of a call.
func (fr *frame) prepare(c *ssa.CallCommon, op *operation) (value, []value, []taint) {
	fn, t := fr.operand(&op.args[0])
	fr.g.use(t)
	args, taints := make([]value, 0, len(c.Args)+1), make([]taint, 0, len(c.Args)+1)
	if c.IsInvoke() {
		recv := fn.(iface)
		if recv.typ == nil {
			panic(goPanic{runtimeError("invalid memory address or nil pointer dereference")})
		}
		fn = &closure{fn: fr.g.m.method(recv.typ, c.Method.Pkg(), c.Method.Name())}
		args, taints = append(args, recv.val), append(taints, t)
	}
	for k := range c.Args {
		v, t := fr.operand(&op.args[k+1])
		args, taints = append(args, v), append(taints, t)
	}
	return fn, args, taints
}

// method returns the method of a dynamic type.
func (m *machine) method(t types.Type, pkg *types.Package, name string) *ssa.Function {
	fn := m.program.ssa.LookupMethod(t, pkg, name)
	if fn == nil {
		unsupported("the method %s of %s", name, t)
	}
	return fn
}

// step executes an instruction that is not the end of a block.
func (fr *frame) step(op *operation) {
	g := fr.g
	var v value
	var t taint
	switch i := op.instr.(type) {
	case *ssa.Alloc:
		v = g.allocate(i.Type().(*types.Pointer).Elem())
	case *ssa.Store:
		if g.m.undivided > 0 && fr.isGiven(i) {
			return
		}
		addr, at := fr.operand(&op.args[0])
		val, vt := fr.operand(&op.args[1])
		g.use(at)
		g.use(vt)
		g.store(addr.(*cell), val, vt)
		g.increments(i)
	case *ssa.UnOp:
		x, xt := fr.operand(&op.args[0])
		g.use(xt)
		switch i.Op {
		case token.MUL:
			v, t = g.load(x.(*cell))
		case token.ARROW:
			v, t = g.receive(x.(*channel), i.CommaOk), nil
		default:
			v, t = unary(i, x), xt
		}
	case *ssa.Call:
		fn, args, taints := fr.prepare(i.Common(), op)
		for _, at := range taints {
			g.use(at)
		}
		g.calling = i
		v, t = fr.callValue(i.Common(), fn, args, taints)
	case *ssa.Go:
		fn, args, taints := fr.prepare(i.Common(), op)
		for _, at := range taints {
			g.keep(at)
		}
		for _, a := range args {
			g.m.publish(a)
		}
		c, ok := fn.(*closure)
		if !ok {
			b := fn.(*ssa.Builtin)
			common := i.Common()
			c = &closure{native: func(g *goroutine, args []value) value {
				r, _ := (&frame{g: g}).builtin(b.Name(), common, args, nil)
				return r
			}}
		}
		g.m.publish(c)
		started := g.m.spawn(c, args, g)
		started.calling, started.site = i, i
		g.point(nil)
	case *ssa.Defer:
		fn, args, taints := fr.prepare(i.Common(), op)
		for _, at := range taints {
			g.keep(at)
		}
		target := fr
		if n := i.DeferStack; n != nil {
			stack, _ := fr.operand(&op.args[len(op.args)-1])
			target = stack.(*frame)
		}
		target.defers = append(target.defers, deferred{i, fn, args})
	case *ssa.RunDefers:
		fr.runDefers()
	case *ssa.Send:
		ch, _ := fr.operand(&op.args[0])
		val, vt := fr.operand(&op.args[1])
		g.keep(vt)
		g.send(ch.(*channel), val)
	case *ssa.Select:
		v = fr.doSelect(i, op)
	case *ssa.MapUpdate:
		mv, mt := fr.operand(&op.args[0])
		key, kt := fr.operand(&op.args[1])
		val, vt := fr.operand(&op.args[2])
		g.use(mt.union(kt).union(vt))
		g.mapUpdate(mv.(*mapping), key, val, kt.union(vt))
	default:
		v, t = fr.pure(op)
	}
	if op.dst >= 0 {
		fr.regs[op.dst], fr.taints[op.dst] = v, t
	}
}
