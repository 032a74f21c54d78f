package lower

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// stepCall lowers a call instruction.
func (l *lowerer) stepCall(c *clone, s state, v *ssa.Call) []outcome { return l.call(c, s, v, v) }

// runDeferred lowers the last deferred call that was pushed. A call that was
// pushed several times runs once or more.
func (l *lowerer) runDeferred(c *clone, s state) []outcome {
	s, d := s.pop()
	before := s
	if made, ok := d.instr.Call.Value.(*ssa.MakeClosure); ok && d.node == c.node {
		d.args = append([]tag.Tag{l.whenRun(c, s, made, d.args[0])}, d.args[1:]...)
	}
	for i, operand := range append([]ssa.Value{d.instr.Call.Value}, d.instr.Call.Args...) {
		if _, isConst := operand.(*ssa.Const); !isConst {
			s = s.with(operand, d.args[i])
		}
	}
	caller := c
	if d.node != c.node { // left behind by a loop body: the values are those of the body
		inBody := *c
		inBody.node, inBody.fn = d.node, l.function(d.node.Func)
		caller = &inBody
	}
	outcomes := l.call(caller, s, d.instr, nil)
	c.touched, c.recursive = c.touched|caller.touched, c.recursive || caller.recursive
	var all []outcome
	for _, o := range outcomes {
		o.state.tags = before.tags
		all = append(all, o)
		if d.many {
			again := o.state
			again.defers = append(again.defers[:len(again.defers):len(again.defers)], d)
			all = append(all, outcome{o.stmts, again})
		}
	}
	return all
}

// call lowers a call, of which result is the value, or nil.
func (l *lowerer) call(c *clone, s state, instr ssa.CallInstruction, result ssa.Value) []outcome {
	if b, ok := instr.Common().Value.(*ssa.Builtin); ok {
		return l.builtin(c, s, b, instr, result)
	}
	if outcomes, ok := l.errCall(c, s, instr, result); ok {
		return outcomes
	}
	callees := l.calleesOf(c, s, instr)
	var all []outcome
	left := leftOut{unknown: len(callees) == 0}
	_, isDefer := instr.(*ssa.Defer)
	mayRecover := isDefer && s.panicking
	for _, callee := range callees {
		switch outcomes, ok := l.callOne(c, s, instr, callee, result); {
		case ok:
			all = append(all, outcomes...)
		default:
			left.add(callee.Func)
			left.recovers = left.recovers || mayRecover && l.MayRecover(callee, 0)
			left.exits = left.exits || l.MayExit(callee)
		}
	}
	all = append(all, l.callLeftOut(c, s, instr, result, left)...)
	return l.thenStarts(c, all, instr)
}

// calleesOf returns what the call can run: of a function value that is known, only
// that.
func (l *lowerer) calleesOf(c *clone, s state, instr ssa.CallInstruction) []*pointsto.Node {
	callees := l.Graph.Callees(c.node, instr)
	known := l.tagOf(c, s, instr.Common().Value)
	if known.Kind == tag.Object && instr.Common().IsInvoke() {
		return l.choices.MethodsOf(known, callees)
	}
	if known.Kind != tag.Closure {
		return l.WithoutNeverMade(instr, callees)
	}
	var exact []*pointsto.Node
	for _, callee := range callees {
		if callee.Func == known.Fn {
			exact = append(exact, callee)
		}
	}
	if len(exact) == 0 {
		return callees
	}
	return exact
}

// opaque lowers a call of a function that the model leaves out: it touches no
// star, but may make those that it is handed reachable for others.
func (l *lowerer) opaque(c *clone, s state, instr ssa.CallInstruction, result ssa.Value) []outcome {
	for _, v := range append([]ssa.Value{instr.Common().Value}, instr.Common().Args...) {
		s.private &^= l.escaping(c, s, v)
	}
	return l.withResult(c, s, nil, result)
}

// withResult returns the outcomes of a call after the statements, for what its
// result can be.
func (l *lowerer) withResult(c *clone, s state, stmts []esl.Stmt, result ssa.Value) []outcome {
	if result == nil {
		return one(stmts, s)
	}
	var all []outcome
	for _, g := range l.choices.Unknown(c.node, result) {
		all = append(all, outcome{stmts, s.with(result, g)})
	}
	return all
}

// callOne lowers a call of one callee; ok is false if the model leaves it out.
func (l *lowerer) callOne(c *clone, s state, instr ssa.CallInstruction, callee *pointsto.Node, result ssa.Value) (
	outcomes []outcome, ok bool) {
	common := instr.Common()
	if outcomes, is := l.exitCall(c, s, instr, callee, result); is {
		return outcomes, true
	}
	if op, is := knowledge.LockOperation(callee.Func); is {
		return l.beginsOwnSections(c, l.lockCall(c, s, op, callee.Func, reduce.Receiver(common), instr, result), instr), true
	}
	if op, is := l.Stars.SpinOperation(instr); is {
		return l.spinCall(c, s, op, instr, result), true
	}
	if op, is := knowledge.WaitGroupOperation(callee.Func); is {
		return l.waitGroupCall(c, s, op, common, instr, result), true
	}
	if op, is := knowledge.SemaphoreOperation(callee.Func); is {
		return l.semaphoreCall(c, s, op, instr, result), true
	}
	if knowledge.IsCondWait(callee.Func) {
		l.assume("cond", instr.Pos(), "this Wait may return at any time, with the lock held again")
		if reduce.IsModelledCond(l.Graph, callee) {
			return l.condWait(c, s, reduce.Receiver(common), instr), true
		}
	}
	if knowledge.IsRLocker(callee.Func) && result != nil {
		return l.rlockerCall(c, s, reduce.Receiver(common), result), true
	}
	if outcomes, is := l.flightCall(c, s, callee, instr, result); is {
		return outcomes, true
	}
	if outcomes, is := l.onceCall(c, s, callee, instr); is {
		return outcomes, true
	}
	if outcomes, is := l.cancelCall(s, callee, instr); is {
		return outcomes, true
	}
	if effect, is := reduce.EffectIn(l.Stars, c.node, callee.Func); is {
		return l.libraryCall(c, s, effect, callee, instr, result), true
	}
	if l.Passes(callee) || l.Bodiless(callee) {
		return l.callBack(c, callee, instr, l.opaque(c, s, instr, result)), true
	}
	if !l.Kept.Kept[callee] || l.IsHandedNothing(c.node, pointsto.Edge{Caller: c.node, Site: instr, Callee: callee}) {
		return nil, false
	}
	args, fresh := l.calleeArguments(c, l.withLent(c, s, instr), common, callee), l.freshArguments(c, instr, callee)
	var all []outcome
	for _, made := range l.makers(c, s, callee, instr) {
		for i, want := range l.wantedResults(c, callee, result) {
			key := cloneKey{node: callee, args: args, makes: made.makes, wanted: want.wanted, want: want.tag, private: s.private,
				root: l.passesRootOn(c, instr), look: s.look, fresh: fresh}
			if s.look == "" && l.IsLook(callee) {
				key.look = c.look
			}
			next := s
			next.made = s.made || made.made
			if result != nil {
				next = next.with(result, want.result)
			}
			for _, o := range l.callClones(c, next, key, instr, result, i == 0) {
				all = append(all, outcome{append(made.stmts[:len(made.stmts):len(made.stmts)], o.stmts...), o.state})
			}
		}
	}
	return all, true
}

// freshArguments returns, as bits, the parameters of the callee that may lead to memory of locations, of which
// nobody else has what is handed over in this call.
func (l *lowerer) freshArguments(c *clone, at ssa.CallInstruction, callee *pointsto.Node) uint64 {
	call, ok := at.(*ssa.Call)
	if !ok || c.node == nil || !slices.ContainsFunc(callee.Func.Params, func(p *ssa.Parameter) bool {
		return l.Graph.MayPointInto(callee, p, l.Stars.Region())
	}) {
		return 0
	}
	return l.Unpublished.FreshArguments(c.node, call, callee, c.fresh)
}

// callClones lowers a call of the clones with a key, one for each way in which the
// function can be left; a panic only if asked for.
func (l *lowerer) callClones(c *clone, s state, key cloneKey, at ssa.CallInstruction, result ssa.Value,
	panics bool) []outcome {
	var all []outcome
	exits, deferred := l.exitsOf(c, s, at, key.node)
	for _, exit := range exits {
		if exit == exitPanic && !panics {
			continue
		}
		for _, left := range l.leavings(c, key.node) {
			key := key
			key.exit, key.deferred, key.pushes = exit, deferred, left
			next := l.afterLeaving(c, l.afterExit(c, s, exit), left)
			if exit == exitPanic || exit == exitGone {
				key.wanted, key.want = false, tag.Tag{}
			}
			if !c.mayLeave(next.pushed) {
				continue
			}
			target := l.clone(key)
			if l.err != nil {
				return nil
			}
			next.private = 0
			c.recursive = c.recursive || !target.built
			next.ended = target.stays // what follows is no part of a run, and segments.Prune would leave it out
			if target.built {
				next.private = target.privateOut
				next = l.withoutContents(next, target.replaced, result)
				next = l.told(c, next, target, ssaflow.Arguments(at.Common()))
			}
			all = append(all, outcome{[]esl.Stmt{{Op: esl.Call, Arg: target.index, Pos: l.position(at)}}, next})
		}
	}
	return all
}

// calleeArguments returns the tags of the callee's parameters and captured
// variables.
func (l *lowerer) calleeArguments(c *clone, s state, common *ssa.CallCommon, callee *pointsto.Node) tag.Tag {
	var args []tag.Tag
	add := func(a ssa.Value) {
		g := l.carried(c, s, a)
		if _, isConst := a.(*ssa.Const); g.Kind == tag.Truth && !isConst || g.Kind == tag.Nilness || g.Kind == tag.Number {
			g = tag.Tag{} // not worth a clone
		}
		if i := len(args); g.Kind == tag.None && i < len(callee.Func.Params) {
			g = l.choices.Passed(c.node, a, callee, callee.Func.Params[i])
		}
		args = append(args, g)
	}
	if common.IsInvoke() {
		add(common.Value)
	}
	for _, a := range common.Args {
		add(a)
	}
	for len(args) < len(callee.Func.Params) {
		args = append(args, tag.Tag{})
	}
	args = args[:len(callee.Func.Params)]
	if len(callee.Func.FreeVars) > 0 {
		function := l.tagOf(c, s, common.Value)
		for i := range callee.Func.FreeVars {
			if function.Kind == tag.Closure && function.Fn == callee.Func {
				args = append(args, l.tags.Part(function, i))
			} else {
				args = append(args, tag.Tag{})
			}
		}
	}
	return l.tags.Compose(tag.Tuple, args)
}

// callBack adds what callee calls back before each outcome.
func (l *lowerer) callBack(c *clone, callee *pointsto.Node, at ssa.CallInstruction, outcomes []outcome) []outcome {
	back := l.callbackClone(c, callee, at, exitReturn)
	if back == nil {
		return outcomes
	}
	unwinds := l.callbackUnwinds(c, outcomes[0], callee, at)
	call := esl.Stmt{Op: esl.Call, Arg: back.index, Pos: l.position(at)}
	for i, o := range outcomes {
		outcomes[i].state.private = 0
		outcomes[i].stmts = append(o.stmts[:len(o.stmts):len(o.stmts)], call)
	}
	return append(outcomes, unwinds...)
}

// libraryCall lowers a call of a library function in the tables.
func (l *lowerer) libraryCall(c *clone, s state, effect knowledge.Effect, callee *pointsto.Node,
	instr ssa.CallInstruction, result ssa.Value) []outcome {
	common := instr.Common()
	if effect.Commutes {
		l.assume("pool", instr.Pos(), "what a pool hands out is used by nobody else until it is put back")
	}
	if effect.Atomic {
		outcomes := l.putIntoPool(c, s, instr, l.atomicCall(c, s, effect, common, instr, result))
		if effect.CallsBack {
			outcomes = l.callBack(c, callee, instr, outcomes)
		}
		return outcomes
	}
	outcomes := one(nil, s)
	kinds := []esl.AccessKind{}
	if effect.Reads {
		kinds = append(kinds, esl.Read)
	}
	if effect.Writes {
		kinds = append(kinds, esl.Write)
	}
	if effect.Repeats {
		kinds = append(kinds, kinds...) // twice is as good as often
	}
	operands, written := effect.Operands(ssaflow.Arguments(common)), effect.Written(ssaflow.Arguments(common))
	if !effect.Deep {
		operands, written = l.spread(c, s, operands), l.spread(c, s, written)
	}
	for _, operand := range operands {
		for _, kind := range kinds {
			if isWritten := slices.Contains(written, operand); kind == esl.Write && !isWritten ||
				kind == esl.Read && isWritten && effect.Fills {
				continue
			}
			var next []outcome
			for _, o := range outcomes {
				for _, p := range l.deepAccess(c, o.state, operand, kind, effect, callee.Func, instr) {
					next = append(next, outcome{append(o.stmts[:len(o.stmts):len(o.stmts)], p.stmts...), p.state})
				}
			}
			outcomes = next
		}
	}
	var all []outcome
	for _, o := range outcomes {
		for _, p := range l.opaque(c, o.state, instr, result) {
			all = append(all, outcome{o.stmts, p.state})
		}
	}
	if effect.Alone {
		return all
	}
	return l.callBack(c, callee, instr, all)
}

// deepAccess lowers an access to everything that an argument leads to: the object
// itself, or, of a slice of arguments, what its elements are.
func (l *lowerer) deepAccess(c *clone, s state, operand ssa.Value, kind esl.AccessKind, effect knowledge.Effect,
	callee *ssa.Function, at ssa.Instruction) []outcome {
	if call, ok := at.(*ssa.Call); ok {
		if _, _, is := knowledge.Place(call); is {
			return one(nil, s) // it only tells where that is
		}
	}
	if pointer, path, is := placeOf(operand, effect); is {
		outcomes := l.accessPart(c, s, pointer, strings.Join(path, "."), kind, at)
		if effect.Default && len(outcomes[0].stmts) > 0 {
			l.assumeOpaque(c, callee, at)
		}
		return outcomes
	}
	g := l.tagOf(c, s, operand)
	itself := knowledge.IsPrinting(callee) && l.PrintsItself(callee)
	if !ssaflow.IsPointerLike(operand.Type()) && !effect.All && !effect.Deep || g.Kind == tag.Object && itself {
		return one(nil, s)
	}
	if g.Kind != tag.None && !effect.Deep && !effect.All {
		return l.access(c, s, operand, kind, at)
	}
	var locations []isolate.Location
	seen := map[isolate.Location]bool{}
	add := func(all []isolate.Location) {
		for _, loc := range all {
			if !seen[loc] {
				seen[loc] = true
				locations = append(locations, loc)
			}
		}
	}
	for _, target := range reduce.DeepCells(l.Graph, l.Stars, c.node, operand, effect) {
		isStar := len(l.Stars.StarsAt(target)) > 0
		if isStar && itself || !isStar && kind == esl.Read && !l.Unpublished.IsCellWritten(target) {
			continue // the latter is as in isUnshared
		}
		add(l.LocationsAt(target))
	}
	stmts := l.accessStmts(c, s, locations, false, kind, at)
	if len(stmts) == 0 {
		return one(nil, s)
	}
	if effect.Default {
		l.assumeOpaque(c, callee, at)
	}
	return []outcome{{stmts, s}, {nil, s}}
}

// accessPart lowers an access to the part, at a path, of the memory that a pointer is to.
func (l *lowerer) accessPart(c *clone, s state, pointer ssa.Value, path string, kind esl.AccessKind,
	at ssa.Instruction) []outcome {
	var fields []isolate.Location
	switch g := l.tagOf(c, s, pointer); {
	case path != "" && g.Kind == tag.Object:
		return one(l.accessStmts(c, s, l.Stars.FieldsAt(g.Star, pointsto.JoinPath(g.Path, path)), true, kind, at), s)
	case path == "" || g.Kind != tag.None:
		return l.access(c, s, pointer, kind, at)
	}
	for _, cell := range l.Graph.PointsTo(c.node, pointer).Cells() {
		cell.Path = pointsto.JoinPath(cell.Path, path)
		for _, loc := range l.LocationsAt(cell) {
			if !slices.Contains(fields, loc) {
				fields = append(fields, loc)
			}
		}
	}
	if stmts := l.accessStmts(c, s, fields, false, kind, at); len(stmts) > 0 {
		return []outcome{{stmts, s}, {nil, s}}
	}
	return one(nil, s)
}

// placeOf returns the pointer to the memory that a function gets at by the operand, if it is
// known and there are no pointers in it: it is all that there is to reach. The path leads to
// the part of it.
func placeOf(operand ssa.Value, effect knowledge.Effect) (pointer ssa.Value, path []string, ok bool) {
	if !effect.All {
		return nil, nil, false
	}
	if place, path, ok := knowledge.Place(operand); ok {
		return place, path, true
	}
	pointer = operand
	if boxed, is := knowledge.Boxed(operand); is {
		pointer = boxed
	}
	switch t := pointer.Type().Underlying().(type) {
	case *types.Pointer:
		return pointer, nil, !fresh.HoldsPointers(t.Elem())
	case *types.Slice:
		return pointer, nil, !fresh.HoldsPointers(t.Elem())
	}
	return nil, nil, false
}

// atomicCall lowers an operation of sync/atomic: one indivisible access.
func (l *lowerer) atomicCall(c *clone, s state, effect knowledge.Effect, common *ssa.CallCommon,
	instr ssa.CallInstruction, result ssa.Value) []outcome {
	args := ssaflow.Arguments(common)
	for _, a := range args[1:] {
		s.private &^= l.escaping(c, s, a)
	}
	do := func(s state, kind esl.AccessKind) []outcome { return l.access(c, s, args[0], kind, instr) }
	switch {
	case effect.MayFail && result != nil:
		// A compare-and-swap that fails is a read.
		return l.triedToSet(c, s, args[0], instr, do(s.with(result, tag.TruthTag(true)), esl.RMW),
			do(s.with(result, tag.TruthTag(false)), esl.AtomicRead))
	case effect.MayFail:
		return l.triedToSet(c, s, args[0], instr, do(s, esl.RMW), do(s, esl.AtomicRead))
	case effect.Reads && effect.Writes:
		kind := esl.RMW
		if effect.Commutes && !l.Strict || effect.Adds && !l.Strict &&
			(result == nil || result.Referrers() == nil || len(*result.Referrers()) == 0) {
			kind = esl.Increment
		}
		return l.thenResult(c, do(s, kind), result)
	case effect.Writes && len(args) == 2:
		return l.thenResult(c, l.becomesTrue(c, s, args[0], args[1], instr, do(s, esl.AtomicWrite)), result)
	case effect.Writes:
		return l.thenResult(c, do(s, esl.AtomicWrite), result)
	}
	return l.foundOut(c, s, args[0], result, instr, l.thenResult(c, do(s, esl.AtomicRead), result))
}

// thenResult adds what the result of a call can be to its outcomes.
func (l *lowerer) thenResult(c *clone, outcomes []outcome, result ssa.Value) []outcome {
	var all []outcome
	for _, o := range outcomes {
		all = append(all, l.withResult(c, o.state, o.stmts, result)...)
	}
	return all
}

// builtin lowers a call of a built-in function.
func (l *lowerer) builtin(c *clone, s state, b *ssa.Builtin, instr ssa.CallInstruction, result ssa.Value) []outcome {
	args := instr.Common().Args
	var outcomes []outcome
	switch b.Name() {
	case "append":
		if to := l.tagOf(c, s, args[0]); to.Kind == tag.Contents &&
			fresh.HoldsPointers(result.Type().Underlying().(*types.Slice).Elem()) {
			s.private &^= modref.ContentsBit(to.Star)
		}
		outcomes = one(nil, s)
		// The elements may be copied to where there is room; or those that were cut off are written over, for which, where
		// it is asked about more than data races, the write of the field stands.
		if _, isCut := args[0].(*ssa.Slice); !ssaflow.IsStoredBack(args[0], result) || l.Races && isCut {
			outcomes = l.access(c, s, args[0], esl.Read, instr)
			outcomes = l.also(outcomes, func(s state) []outcome { return l.access(c, s, args[0], esl.Write, instr) })
		}
		if len(args) > 1 {
			outcomes = l.also(outcomes, func(s state) []outcome { return l.access(c, s, args[1], esl.Read, instr) })
		}
		var all []outcome
		for _, o := range outcomes {
			all = append(all, outcome{o.stmts, o.state.with(result, l.tagOf(c, s, args[0]))})
		}
		return l.appended(c, all, result, args[0], instr)
	case "copy":
		outcomes = l.access(c, s, args[1], esl.Read, instr)
		return l.also(outcomes, func(s state) []outcome { return l.access(c, s, args[0], esl.Write, instr) })
	case "delete", "clear":
		return l.access(c, s, args[0], esl.Write, instr)
	case "len", "cap":
		// The header was read to get here; of a map the length is memory.
		if _, isMap := args[0].Type().Underlying().(*types.Map); isMap {
			return l.access(c, s, args[0], esl.Read, instr)
		}
	case "recover":
		return l.recoverCall(c, s, result)
	case "panic": // deferred
		s.panicking = true
		return one(nil, s)
	case "close":
		return l.closeCall(c, s, instr)
	case "ssa:wrapnilchk":
		return one(nil, s.with(result, l.tagOf(c, s, args[0])))
	}
	if result != nil {
		return l.results(s, result, l.choices.Unknown(c.node, result))
	}
	return one(nil, s)
}

// also continues each outcome with a further step.
func (l *lowerer) also(outcomes []outcome, step func(state) []outcome) []outcome {
	var all []outcome
	for _, o := range outcomes {
		for _, p := range step(o.state) {
			all = append(all, outcome{append(o.stmts[:len(o.stmts):len(o.stmts)], p.stmts...), p.state})
		}
	}
	return all
}
