package blocking

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// Most code of a program has nothing to do with who waits for whom. A call of it can be left out, its result unknown,
// where all of this holds of the function and of everything that it may call:
//
//   - it does nothing that the model has, and calls nothing that is not known;
//   - it writes no memory that code which is evaluated reads and depends on;
//   - it reads no memory that code which is evaluated writes: what it computes is as unknown as what it is handed.
//
// Code is evaluated, then, for one of these reasons, and because something like that calls it; so the reasons are
// found as a least fixed point. Memory is told apart by its types: see footprint. Functions whose results lead to
// synchronisation are always evaluated, and those that are so small that evaluation costs nothing.
//
// Of a program that is too large so, less is evaluated: what a function reads is no reason any more, as its result may
// be unknown; nor what it writes, unless that leads to synchronisation. What is written by code that is left out is
// forgotten instead: whoever loads such memory loads something unknown. So are numbers and texts on which nothing
// depends that is evaluated. A lock for which nobody waits for ever is nothing that the model has, then, as long as all
// functions that take it can be left out: in the time that it is held nothing is done that anybody could notice, so
// that nobody can tell whether it excludes anybody, and whoever waits for it goes on.
type quiet struct {
	*lowerer
	functions map[*ssa.Function]*traits
	prints    *footprints
	// what evaluated code reads and depends on, and what it writes: what only initialises packages leaves no state
	needed, written accessed
	isCoarse        bool
	forgotten       accessed // what code writes that is left out, if it is coarse
	isForgotten     map[ssa.Instruction]bool
	isSpent         map[*ssa.Store]bool
	implementing    map[implemented]implementations
	types           []types.Type    // that are put into interfaces
	values          typeutil.Map    // by signature: *values
	settled         map[string]bool // locks that the model does not need
	makesValues     bool            // the library is asked for functions that return what is found out once, or goes on
}

// values is the functions of a signature that are used as values, and who calls such values.
type values struct {
	functions []*ssa.Function
	callers   []*traits
}

// implemented is a method of an interface.
type implemented struct {
	method *types.Func
	of     types.Type
}

// implementations is the methods that a call of a method of an interface may call, and whether one that is an operation
// itself is among them, as that of a lock.
type implementations struct {
	functions []*ssa.Function
	operates  bool
}

// traits is what is known of a function that may be called.
type traits struct {
	fn          *ssa.Function
	callers     []*traits
	callees     []*traits
	print       footprint
	must        bool     // it has to be evaluated wherever it is called
	isOperating bool     // itself, whatever the others do
	locks       []string // for which nobody waits for ever, that it operates on: see Settled
	isSmall     bool
	evaluated   bool
	isLater     bool // it may run when the packages have been initialised
}

// maxSmall bounds the blocks of a function that is evaluated because that costs nothing.
const maxSmall = 6

// findQuiet looks at all that the roots may call.
func (l *lowerer) findQuiet() *quiet {
	q := &quiet{lowerer: l, functions: map[*ssa.Function]*traits{}, prints: newFootprints(),
		implementing: map[implemented]implementations{},
		types:        slices.DeleteFunc(l.prog.RuntimeTypes(), types.IsInterface)}
	var queue []*traits
	for _, root := range l.c.Roots {
		t, _ := q.traitsOf(root)
		t.must = true
		queue = append(queue, t)
	}
	all := queue
	for ; len(queue) > 0; queue = queue[1:] {
		t := queue[0]
		for _, callee := range q.calleesOf(t) {
			c, isNew := q.traitsOf(callee)
			link(t, c)
			if isNew {
				queue, all = append(queue, c), append(all, c)
			}
		}
	}
	q.values.Iterate(func(_ types.Type, v any) {
		for _, caller := range v.(*values).callers {
			for _, fn := range v.(*values).functions {
				if c := q.functions[fn]; c != nil {
					link(caller, c)
				} else if isSynchronisation(fn) || q.isHandedMemory(fn.Signature) { // it is not followed
					caller.must = true
				}
			}
		}
	})
	for _, root := range l.c.Roots {
		if !isInitialiser(root) {
			q.functions[root].runLater()
		}
	}
	for _, t := range all {
		t.isOperating = t.must
	}
	q.decide(false)
	return q
}

// decide finds out what can be left out, with as many locks as can be. See quiet for what is coarse.
func (q *quiet) decide(isCoarse bool) {
	q.isCoarse, q.settled = isCoarse, map[string]bool{}
	for _, t := range q.functions {
		for _, name := range t.locks {
			if isCoarse {
				q.settled[name] = true
			}
		}
	}
	for n := -1; n != len(q.settled); {
		n = len(q.settled)
		q.decideWith()
		maps.DeleteFunc(q.settled, func(name string, _ bool) bool {
			return slices.ContainsFunc(q.c.Settled.Users(name), func(fn *ssa.Function) bool { return !q.isLeftOut(fn) })
		})
	}
	if isCoarse {
		q.forget()
	}
}

// decideWith finds out what can be left out if some locks are.
func (q *quiet) decideWith() {
	q.needed, q.written = q.prints.newAccessed(), q.prints.newAccessed()
	for _, t := range q.functions {
		t.evaluated = false
		t.must = t.isOperating || slices.ContainsFunc(t.locks, func(name string) bool { return !q.settled[name] })
	}
	for changed := true; changed; {
		q.poll.Check()
		for _, t := range q.functions {
			if t.must {
				q.spread(t)
			}
		}
		changed = false
		for _, t := range q.functions {
			if !t.must && (q.isCoarse && q.needed.meets(t.print.hard) ||
				!q.isCoarse && (q.needed.meets(t.print.writes) || q.written.meets(t.print.reads))) {
				t.must, changed = true, true
			}
		}
	}
}

// forget finds out which memory functions write that are left out.
func (q *quiet) forget() {
	q.forgotten = q.prints.newAccessed()
	q.isForgotten, q.isSpent = map[ssa.Instruction]bool{}, map[*ssa.Store]bool{}
	seen := map[*traits]bool{}
	var queue []*traits
	for _, t := range q.functions {
		if q.isLeftOut(t.fn) {
			queue = append(queue, t)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		if t := queue[0]; !seen[t] && !t.must {
			seen[t] = true
			q.forgotten.addAll(t.print.writes)
			queue = append(queue, t.callees...)
		}
	}
}

// isPartForgotten tells whether something writes a field of structs of a type that is left out.
func (q *quiet) isPartForgotten(t *types.Struct, field int) bool {
	m := memory{q.prints.owner(part{q.prints.number(t), field}), q.prints.number(t.Field(field).Type())}
	return q.isCoarse && (q.forgotten.meets([]memory{m}) || q.isUnneeded(m))
}

// isUnneeded tells whether some memory is numbers and texts on which nothing depends that is evaluated, as most of the
// tables of a program are.
func (q *quiet) isUnneeded(m memory) bool {
	return q.prints.plain[m.holds] && !q.needed.meets([]memory{m})
}

// readsForgotten tells whether an instruction reads memory that something writes which is left out; the fields of a
// struct are looked at one by one: see isPartForgotten.
func (q *quiet) readsForgotten(instr ssa.Instruction) bool {
	if !q.isCoarse {
		return false
	}
	if load, ok := instr.(*ssa.UnOp); ok {
		if _, isStruct := load.Type().Underlying().(*types.Struct); isStruct {
			return false
		}
	}
	is, ok := q.isForgotten[instr]
	if !ok {
		var print footprint
		q.prints.add(&print, instr, func(ssa.Value) bool { return false })
		is = q.forgotten.meets(print.reads) || slices.ContainsFunc(print.reads, q.isUnneeded)
		q.isForgotten[instr] = is
	}
	return is
}

// isForNobody tells whether nobody reads what is stored, but for code that is left out.
func (q *quiet) isForNobody(x *ssa.Store) bool {
	if !q.isCoarse || holdsPrimitive(x.Val.Type()) {
		return false
	}
	is, ok := q.isSpent[x]
	if !ok {
		of := q.prints.ownerOf(x.Addr)
		is = !slices.ContainsFunc(q.prints.within(nil, of, x.Val.Type()), func(m memory) bool {
			return !q.forgotten.all[m] && !q.isUnneeded(m)
		})
		q.isSpent[x] = is
	}
	return is
}

// runLater notes what may run when the packages have been initialised.
func (t *traits) runLater() {
	for queue := []*traits{t}; len(queue) > 0; queue = queue[1:] {
		if at := queue[0]; !at.isLater {
			at.isLater = true
			queue = append(queue, at.callees...)
		}
	}
}

// link notes that a function may call another one.
func link(caller, callee *traits) {
	caller.callees, callee.callers = append(caller.callees, callee), append(callee.callers, caller)
}

// spread says that a function is evaluated, and what follows of that: for its callers, if it must be, and for what it
// calls.
func (q *quiet) spread(t *traits) {
	if t.evaluated && !t.must {
		return
	}
	if !t.evaluated {
		t.evaluated = true
		q.needed.addAll(t.print.needs)
		if t.isLater {
			q.written.addAll(t.print.writes)
		}
	}
	if t.must {
		for _, c := range t.callers {
			if !c.must {
				c.must = true
				q.spread(c)
			}
		}
	}
	for _, c := range t.callees {
		if !c.evaluated && (c.must || c.isSmall || q.returnsSynchronisation(c.fn)) {
			q.spread(c)
		}
	}
}

// isLeftOut tells whether calls of a function can be left out.
func (q *quiet) isLeftOut(fn *ssa.Function) bool {
	t := q.functions[fn]
	return t != nil && !t.must && !t.isSmall && !q.returnsSynchronisation(fn)
}

// callsLeftOut tells whether all that a call may call whose callee is not known can be left out.
func (q *quiet) callsLeftOut(call *ssa.CallCommon) bool {
	var all []*ssa.Function
	if call.IsInvoke() {
		for _, t := range q.types {
			if i, ok := call.Value.Type().Underlying().(*types.Interface); !ok || !types.Implements(t, i) {
				continue
			}
			fn := q.prog.LookupMethod(t, call.Method.Pkg(), call.Method.Name())
			if fn == nil || isModelled(fn) {
				return false
			}
			if q.isEvaluable(fn) {
				all = append(all, fn)
			}
		}
		if named, ok := types.Unalias(call.Value.Type()).(*types.Named); ok && named.Obj().Pkg() != nil {
			switch named.Obj().Pkg().Path() {
			case "sync", "context":
				return false
			}
		}
	} else {
		signature, ok := call.Value.Type().Underlying().(*types.Signature)
		if !ok || q.isMadeElsewhere(signature) {
			return false
		}
		all = q.valuesOf(signature).functions
	}
	return !slices.ContainsFunc(all, func(fn *ssa.Function) bool {
		t := q.functions[fn]
		return t != nil && t.must || t == nil && (isSynchronisation(fn) || q.isEvaluable(fn))
	})
}

// maxCalled bounds the functions of which one is called where that is not known.
const maxCalled = 5

// maybeCalled returns the functions of which a call of a value may call one; none if that is not known, or they are too
// many.
func (q *quiet) maybeCalled(call *ssa.CallCommon) (all []*ssa.Function) {
	signature, ok := call.Value.Type().Underlying().(*types.Signature)
	if call.IsInvoke() || !ok || !isMadeByProgram(signature) {
		return nil
	}
	for _, fn := range q.valuesOf(signature).functions {
		if !q.isEvaluable(fn) || isModelled(fn) {
			return nil
		}
		if !slices.Contains(all, fn) {
			all = append(all, fn)
		}
	}
	if len(all) > maxCalled {
		return nil
	}
	return all
}

// isMadeByProgram tells whether the standard library makes no functions of a signature: a parameter has a type that it
// does not know. What it makes for any type, as the iterators of package slices, has a function as parameter.
func isMadeByProgram(s *types.Signature) (is bool) {
	for v := range s.Params().Variables() {
		t := types.Unalias(v.Type())
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		if _, isFunction := t.Underlying().(*types.Signature); isFunction {
			return false
		}
		named, ok := t.(*types.Named)
		is = is || ok && named.Obj().Pkg() != nil && !isStandard(t)
	}
	return is
}

// isHandedMemory tells whether the parameters of a signature may lead to memory, or to what is called back.
func (q *quiet) isHandedMemory(s *types.Signature) bool {
	for v := range s.Params().Variables() {
		if q.prints.leads(v.Type()) || len(q.prints.reachable(nil, v.Type(), new(typeutil.Map))) > 0 {
			return true
		}
	}
	return false
}

func isInitialiser(fn *ssa.Function) bool {
	return fn.Signature.Recv() == nil && fn.Name() == "init"
}

func (q *quiet) traitsOf(fn *ssa.Function) (t *traits, isNew bool) {
	if t := q.functions[fn]; t != nil {
		return t, false
	}
	t = &traits{fn: fn}
	q.functions[fn] = t
	return t, true
}

// isEvaluable tells whether the body of a function can be evaluated.
func (q *quiet) isEvaluable(fn *ssa.Function) bool {
	return len(fn.Blocks) > 0 && (q.c.IsFollowed(fn) || isWrapper(fn))
}

// calleesOf looks at the body of a function, and returns what it may call.
func (q *quiet) calleesOf(t *traits) (all []*ssa.Function) {
	fn := t.fn
	if !q.isEvaluable(fn) {
		return nil
	}
	t.must = t.must || fn.TypeParams().Len() > len(fn.TypeArgs())
	t.isSmall = len(fn.Blocks) <= maxSmall
	for _, b := range fn.Blocks {
		for _, succ := range b.Succs {
			t.isSmall = t.isSmall && !succ.Dominates(b)
		}
		for _, instr := range b.Instrs {
			q.prints.add(&t.print, instr, q.matters)
			q.prints.take(instr)
			all = append(all, q.mentioned(t, instr)...)
			switch x := instr.(type) {
			case *ssa.Go, *ssa.Send, *ssa.Select:
				t.must = true
			case *ssa.UnOp:
				t.must = t.must || x.Op == token.ARROW
			case *ssa.Store:
				t.must = t.must || !isMadeHere(x.Addr) && (holdsPrimitive(x.Val.Type()) || isOfSync(x.Addr))
			}
			if call, ok := instr.(ssa.CallInstruction); ok {
				all = append(all, q.called(t, call)...)
			}
		}
	}
	return all
}

// holdsPrimitive tells whether a value has a state that the model has.
func holdsPrimitive(t types.Type) bool {
	if isPrimitive(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for field := range u.Fields() {
			if holdsPrimitive(field.Type()) {
				return true
			}
		}
	case *types.Array:
		return u.Len() > 0 && holdsPrimitive(u.Elem())
	}
	return false
}

// isOfSync tells whether an address is of a field of what the model has, as of the lock of a condition variable.
func isOfSync(address ssa.Value) bool {
	f, ok := address.(*ssa.FieldAddr)
	return ok && isPrimitive(f.X.Type().Underlying().(*types.Pointer).Elem())
}

// mentioned returns the functions that an instruction has as operands: who has them may call them. Those that are not
// called there are values.
func (q *quiet) mentioned(t *traits, instr ssa.Instruction) (all []*ssa.Function) {
	call, _ := instr.(ssa.CallInstruction)
	var room [10]*ssa.Value
	for _, operand := range instr.Operands(room[:0]) {
		fn, ok := (*operand).(*ssa.Function)
		if !ok {
			continue
		}
		q.makesValues = q.makesValues || knowledge.ReturnsFinder(fn)
		if q.isEvaluable(fn) {
			all = append(all, fn)
			t.isSmall = false
		}
		if call == nil || operand != &call.Common().Value {
			v := q.valuesOf(fn.Signature)
			v.functions = append(v.functions, fn)
		}
	}
	return all
}

func (q *quiet) valuesOf(s *types.Signature) *values {
	key := types.NewSignatureType(nil, nil, nil, s.Params(), s.Results(), s.Variadic())
	v, ok := q.values.At(key).(*values)
	if !ok {
		v = &values{}
		q.values.Set(key, v)
	}
	return v
}

// isMadeElsewhere tells whether the standard library may make functions of a signature that synchronise, as those that
// end a context, stop what waits for that, or do something once.
func (q *quiet) isMadeElsewhere(s *types.Signature) bool {
	switch params, results := s.Params(), s.Results(); {
	case params.Len() == 0 && results.Len() == 0:
		return true
	case params.Len() == 0:
		return q.makesValues || results.Len() == 1 && types.Identical(results.At(0).Type(), types.Typ[types.Bool])
	default:
		return params.Len() == 1 && types.Identical(params.At(0).Type(), types.Universe.Lookup("error").Type())
	}
}

// called returns what a call may call, besides functions that it mentions.
func (q *quiet) called(t *traits, site ssa.CallInstruction) (all []*ssa.Function) {
	call := site.Common()
	if call.IsInvoke() {
		t.isSmall = false
		all := q.implementations(call.Method, call.Value.Type())
		t.must = t.must || all.operates
		return all.functions
	}
	if b, ok := call.Value.(*ssa.Builtin); ok {
		t.must = t.must || b.Name() == "close"
		return nil
	}
	fn := call.StaticCallee()
	switch {
	case fn == nil:
		signature := call.Value.Type().Underlying().(*types.Signature)
		t.must = t.must || q.isMadeElsewhere(signature)
		v := q.valuesOf(signature)
		v.callers = append(v.callers, t)
		t.isSmall = false
	case isSynchronisation(fn):
		names := q.settledAt(site)
		t.locks, t.must = append(t.locks, names...), t.must || len(names) == 0
	case q.isEvaluable(fn):
	default:
		return q.handedTo(t, fn, call)
	}
	return nil
}

// settledAt names the locks that a call operates on, if nobody waits for ever for any of them.
func (q *quiet) settledAt(site ssa.CallInstruction) []string {
	if q.c.Settled == nil {
		return nil
	}
	return q.c.Settled.LocksAt(site)
}

// isSynchronisation tells whether the model has to have what a function does. Times, errors, contexts and timers are
// values, which matter to those that use them; to sleep is to let time pass.
func isSynchronisation(fn *ssa.Function) bool {
	row := knowledge.Of(fn)
	switch knowledge.PackagePath(fn) {
	case "time":
		if fn.Signature.Recv() == nil && fn.Name() != "AfterFunc" {
			return false
		}
	case "context":
		if fn.Name() != "AfterFunc" {
			return false
		}
	}
	return isModelled(fn) && row.Makes != knowledge.NewError && !row.Pure
}

// handedTo notes what a function that is not followed does to its arguments, and returns what it may call back.
func (q *quiet) handedTo(t *traits, fn *ssa.Function, call *ssa.CallCommon) (all []*ssa.Function) {
	effect, known := knowledge.Accesses(fn)
	row := knowledge.Of(fn)
	isReader := isReadOnly(fn) || row.Pure || known && !effect.Writes || row.Container != knowledge.NoContainer ||
		knowledge.PackagePath(fn) == "context"
	for _, v := range call.Args {
		if boxed, ok := v.(*ssa.MakeInterface); ok {
			v = boxed.X
		}
		if types.IsInterface(v.Type()) {
			i := v.Type().Underlying().(*types.Interface)
			t.must = t.must || i.NumMethods() == 0 && !isReader
			for method := range i.Methods() {
				some := q.implementations(method, v.Type())
				t.must = t.must || some.operates
				all = append(all, some.functions...)
			}
			continue
		}
		for sel := range q.prog.MethodSets.MethodSet(v.Type()).Methods() {
			if method := q.prog.MethodValue(sel); method != nil && q.isEvaluable(method) {
				all = append(all, method)
			}
		}
		if !isReader {
			q.prints.addHanded(&t.print, v)
		}
	}
	return all
}

// implementations returns the methods that a call of a method of an interface may call.
func (q *quiet) implementations(method *types.Func, of types.Type) (all implementations) {
	key := implemented{method, of}
	if all, ok := q.implementing[key]; ok {
		return all
	}
	i := of.Underlying().(*types.Interface)
	for _, t := range q.types {
		if !types.Implements(t, i) {
			continue
		}
		fn := q.prog.LookupMethod(t, method.Pkg(), method.Name())
		switch {
		case fn == nil:
		case q.isEvaluable(fn):
			all.functions = append(all.functions, fn)
		case knowledge.PackagePath(fn) != "context": // who waits for a context receives from its channel
			all.operates = all.operates || isSynchronisation(fn)
		}
	}
	q.implementing[key] = all
	return all
}

// returnsSynchronisation tells whether results of a function may lead to what the model has, or to what may be called.
func (q *quiet) returnsSynchronisation(fn *ssa.Function) bool {
	for v := range fn.Signature.Results().Variables() {
		if q.prints.leads(v.Type()) {
			return true
		}
	}
	return false
}
