package blocking

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// values is the functions of a signature that are used as values, and who calls such values.
type values struct {
	functions []*ssa.Function
	callers   []*traits
}

// implementations is the methods that a call of a method of an interface may call, and whether one that is an operation
// itself is among them, as that of a lock.
type implementations struct {
	functions []*ssa.Function
	operates  bool
}

// calleesOf looks at the body of a function, and returns what it may call.
func (q *quiet) calleesOf(t *traits) (all []*ssa.Function) {
	fn := t.fn
	if !q.isEvaluable(fn) {
		return nil
	}
	t.must = t.must || fn.TypeParams().Len() > len(fn.TypeArgs())
	t.isSmall = isSmall(fn)
	for _, b := range fn.Blocks {
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

// isEvaluable tells whether the body of a function can be evaluated.
func (q *quiet) isEvaluable(fn *ssa.Function) bool {
	return len(fn.Blocks) > 0 && (q.c.IsFollowed(fn) || isWrapper(fn))
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

// handedTo notes what a function that is not followed does to its arguments, and returns what it may call back.
func (q *quiet) handedTo(t *traits, fn *ssa.Function, call *ssa.CallCommon) (all []*ssa.Function) {
	effect, known := knowledge.Accesses(fn)
	row := knowledge.Of(fn)
	isReader := isReadOnly(fn) || row.Pure || known && !effect.Writes || row.Container != knowledge.NoContainer ||
		knowledge.PackagePath(fn) == "context"
	args := call.Args
	if known && effect.Writes && call.Signature().Variadic() {
		args = listed(slices.Clone(args[:len(args)-1]), args[len(args)-1])
	}
	for _, v := range args {
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
			all = append(all, q.calledBelow(v.Type())...)
		}
	}
	return all
}

// calledBelow returns what may be called by way of interfaces in the memory that values of a type lead to.
func (q *quiet) calledBelow(t types.Type) []*ssa.Function {
	all, ok := q.below.At(t).([]*ssa.Function)
	if ok {
		return all
	}
	for _, m := range q.prints.reachable(nil, t, new(typeutil.Map)) {
		of := q.prints.typeOf[m.holds]
		if i, ok := of.Underlying().(*types.Interface); ok {
			for method := range i.Methods() {
				all = append(all, q.implementations(method, of).functions...)
			}
		}
	}
	q.below.Set(t, all)
	return all
}

// implemented is a method of an interface.
type implemented struct {
	method *types.Func
	of     types.Type
}

// implementations returns the methods that a call of a method of an interface may call.
func (q *quiet) implementations(method *types.Func, of types.Type) (all implementations) {
	key := implemented{method, of}
	if all, ok := q.implementing[key]; ok {
		return all
	}
	for _, fn := range q.c.Dispatch.MethodsOf(method, of) {
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

// maxCalled bounds the functions of which one is called where that is not known.
const maxCalled = 5

// maybeInvoked returns the methods of which a call of a method of an interface may call one whose callee is not known,
// besides those that can be left out; none if they are too many.
func (q *quiet) maybeInvoked(call *ssa.CallCommon) (all []*ssa.Function, areMany bool) {
	some := q.invokedBy(call)
	for _, fn := range some.functions {
		if !q.isLeftOut(fn) && !slices.Contains(all, fn) {
			all = append(all, fn)
		}
	}
	if len(all) > maxCalled {
		return nil, true
	}
	return all, false
}

// maybeCalled returns the functions of which a call of a value may call one; none if that is not known, or they are too
// many.
func (q *quiet) maybeCalled(call *ssa.CallCommon) (all []*ssa.Function) {
	signature, ok := call.Value.Type().Underlying().(*types.Signature)
	if !ok || !isMadeByProgram(signature) {
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

// invokedBy returns the methods that may be called by a call of a method of an interface, or that one of them is an
// operation, or not known.
func (q *quiet) invokedBy(call *ssa.CallCommon) (all implementations) {
	for _, fn := range q.c.Dispatch.MethodsOf(call.Method, call.Value.Type()) {
		if fn == nil || isModelled(fn) {
			return implementations{operates: true}
		}
		if q.isEvaluable(fn) {
			all.functions = append(all.functions, fn)
		}
	}
	return all
}
