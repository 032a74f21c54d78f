package blocking

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/limit"
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
// depends that is evaluated. Nor does the model have locks, then, for which nobody waits for ever: see
// settleAll.
type quiet struct {
	*lowerer
	functions map[*ssa.Function]*traits
	prints    *footprints
	// what evaluated code reads and depends on, and what it writes: what only initialises packages leaves no state
	needed, written accessed
	isCoarse        bool
	forgotten       accessed // what code writes that is left out, if it is coarse
	overwritten     accessed // what may be written where it is not known which memory that is
	isForgotten     map[ssa.Instruction]bool
	isSpent         map[*ssa.Store]bool
	implementing    map[implemented]implementations
	invoking        map[implemented]implementations // see invokedBy
	values          typeutil.Map                    // by signature: *values
	below           typeutil.Map                    // by type: see calledBelow
	settled         map[string]bool                 // locks that the model does not need
	// the library is asked for functions that return what is found out once, or goes on
	makesValues bool
}

// traits is what is known of a function that may be called.
type traits struct {
	fn          *ssa.Function
	callers     []*traits
	callees     []*traits
	linked      *traits // the caller that was noted last
	print       footprint
	must        bool     // it has to be evaluated wherever it is called
	acts        bool     // it does something, besides that what it returns depends on memory
	isOperating bool     // itself, whatever the others do
	locks       []string // for which nobody waits for ever, that it operates on: see Settled
	isSmall     bool
	evaluated   bool
	isLater     bool // it may run when the packages have been initialised
	returns     bool // what leads to synchronisation, see returnsSynchronisation
}

// maxSmall bounds the blocks of a function that is evaluated because that costs nothing.
const maxSmall = 6

// isSmall tells whether a function has a body of few blocks, and no loop.
func isSmall(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		if slices.ContainsFunc(b.Succs, func(to *ssa.BasicBlock) bool { return to.Dominates(b) }) {
			return false
		}
	}
	return len(fn.Blocks) > 0 && len(fn.Blocks) <= maxSmall
}

// findQuiet looks at all that the roots may call.
func (l *lowerer) findQuiet() *quiet {
	q := &quiet{lowerer: l, functions: map[*ssa.Function]*traits{}, prints: newFootprints(),
		isForgotten:  map[ssa.Instruction]bool{},
		implementing: map[implemented]implementations{}, invoking: map[implemented]implementations{}}
	var queue []*traits
	for _, root := range l.c.Roots {
		t, _ := q.traitsOf(root)
		t.must = true
		queue = append(queue, t)
	}
	all := queue
	for ; len(queue) > 0; queue = queue[1:] {
		t := queue[0]
		q.poll.Step(limit.SummedUp)
		for _, callee := range q.calleesOf(t) {
			c, isNew := q.traitsOf(callee)
			q.link(t, c)
			if isNew {
				queue, all = append(queue, c), append(all, c)
			}
		}
	}
	q.values.Iterate(func(_ types.Type, v any) {
		for _, caller := range v.(*values).callers {
			for _, fn := range v.(*values).functions {
				if c := q.functions[fn]; c != nil {
					q.link(caller, c)
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
	q.reportFromGoroutines()
	for _, t := range all {
		t.must = t.must || !t.isSmall && len(l.c.polling.Of(t.fn)) > 0 // what is small has no loop
		t.isOperating = t.must
	}
	q.decide(false)
	return q
}

// decide finds out what can be left out, with as many locks as can be. See quiet for what is coarse.
func (q *quiet) decide(isCoarse bool) {
	q.isCoarse, q.overwritten = isCoarse, q.prints.newAccessed()
	q.settleAll()
	for isLess := true; isLess; isLess = q.keepSettled() {
		q.decideWith()
	}
	q.findActing()
	if isCoarse {
		q.forget()
	}
}

// decideWith finds out what can be left out if some locks are.
func (q *quiet) decideWith() {
	q.needed, q.written = q.prints.newAccessed(), q.prints.newAccessed()
	for _, t := range q.functions {
		t.evaluated = false
		t.must = t.isOperating || q.takesOthers(t)
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
			if !t.must && (q.writesNeeded(t) || !q.isCoarse && q.written.meets(t.print.reads)) {
				t.must, changed = true, true
			}
		}
	}
}

// writesNeeded tells whether a function itself writes memory on which something depends that is evaluated.
func (q *quiet) writesNeeded(t *traits) bool {
	if q.isCoarse {
		return q.needed.meets(t.print.hard)
	}
	return q.needed.meets(t.print.writes)
}

// findActing finds out what does something that the model has, or writes memory on which something depends that is
// evaluated, by itself or by what it calls. The others have to be evaluated only as what they return would be unknown.
func (q *quiet) findActing() {
	var queue []*traits
	for _, t := range q.functions {
		if t.acts = t.isOperating || q.takesOthers(t) || q.writesNeeded(t); t.acts {
			queue = append(queue, t)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, c := range queue[0].callers {
			if !c.acts {
				c.acts = true
				queue = append(queue, c)
			}
		}
	}
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

// link notes that a function may call another one, unless that is the last thing that was noted of it: methods of an
// interface with many implementations are called in many places of one function.
func (q *quiet) link(caller, callee *traits) {
	if callee.linked == caller {
		return
	}
	q.poll.Step(limit.Linked)
	callee.linked = caller
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
		if !c.evaluated && (c.must || c.isSmall || c.returns) {
			q.spread(c)
		}
	}
}

// isLeftOut tells whether calls of a function can be left out.
func (q *quiet) isLeftOut(fn *ssa.Function) bool {
	t := q.functions[fn]
	return t != nil && !t.must && !t.isSmall && !t.returns
}

// callsLeftOut tells whether all that a call may call whose callee is not known can be left out: what it returns is
// not known then, whatever it is.
func (q *quiet) callsLeftOut(call *ssa.CallCommon) bool {
	var all []*ssa.Function
	if call.IsInvoke() {
		some := ssaflow.Remember(q.invoking, implemented{call.Method, call.Value.Type()}, func() implementations {
			return q.invokedBy(call)
		})
		if some.operates {
			return false
		}
		all = some.functions
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
		return t != nil && t.acts || t == nil && (isSynchronisation(fn) || q.isEvaluable(fn))
	})
}

func isInitialiser(fn *ssa.Function) bool {
	return fn.Signature.Recv() == nil && fn.Name() == "init"
}

func (q *quiet) traitsOf(fn *ssa.Function) (t *traits, isNew bool) {
	if t := q.functions[fn]; t != nil {
		return t, false
	}
	t = &traits{fn: fn, returns: q.returnsSynchronisation(fn)}
	q.functions[fn] = t
	return t, true
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

// returnsSynchronisation tells whether results of a function may lead to what the model has, or to what may be called.
func (q *quiet) returnsSynchronisation(fn *ssa.Function) bool {
	for v := range fn.Signature.Results().Variables() {
		if q.prints.leads(v.Type()) {
			return true
		}
	}
	return false
}
