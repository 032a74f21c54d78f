package candidates

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/query"
)

// Unit is a function that may be a unit of work, although it is none by default: what it
// does to an object depends on what it has seen of it in an earlier call.
type Unit struct {
	Function  string
	Pos       string // where it is declared
	First     string // the call that looks, and where
	FirstPos  string
	Second    string // the call that writes, and where
	SecondPos string
	literal   bool // it is a function literal, on which there can be no directive
}

// sentence says what makes it one.
func (u Unit) sentence() string {
	how := "write //empire:unit above " + u.Function
	if u.literal {
		how = "make it a function of its own, with //empire:unit above it"
	}
	return fmt.Sprintf("%s calls %s (%s), and then %s depending on the result (%s): if that is one unit of work, %s",
		u.Function, u.First, u.FirstPos, u.Second, u.SecondPos, how)
}

// unitsOf returns the functions that may be units on objects of a type, with the fields of
// a group.
func (f *finder) unitsOf(o *owner, g group) []Unit {
	r := &reach{finder: f, direct: map[*ssa.Function]kind{}, known: map[*ssa.Function]kind{}}
	for _, x := range g.fields {
		for _, a := range x.accesses {
			r.direct[origin(a.fn)] |= a.kind
		}
	}
	var all []Unit
	for _, fn := range f.callersOfMethods()[o.variants[0].Type.Origin().Obj()] {
		declared := origin(fn)
		if r.direct[declared] != 0 || isMethodOf(declared, o) || query.HasDirective(declared, "unit") ||
			query.HasDirective(declared, "nounit") {
			continue // it is a unit, or none, as it is
		}
		if u, ok := f.checkThenAct(fn, o, r); ok {
			all = append(all, u)
		}
	}
	return all
}

// callersOfMethods returns the functions of the module that call methods of each type by name, of a generic one one
// instance. They are found once: linear in the code of the module.
func (f *finder) callersOfMethods() map[*types.TypeName][]*ssa.Function {
	if f.callers != nil {
		return f.callers
	}
	f.callers = map[*types.TypeName][]*ssa.Function{}
	seen := map[*ssa.Function]bool{}
	for _, n := range f.graph.Nodes() {
		fn := origin(n.Func)
		if seen[fn] || !f.isOwn(n.Func) || fn.Synthetic != "" || f.Programs[0].IsGenerated(fn.Pos()) {
			continue
		}
		seen[fn] = true
		called := map[*types.TypeName]bool{}
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(*ssa.Call)
				if !ok {
					continue
				}
				if t := receiverOf(call.Call.StaticCallee()); t != nil && !called[t] {
					called[t] = true
					f.callers[t] = append(f.callers[t], n.Func)
				}
			}
		}
	}
	return f.callers
}

// receiverOf returns the type that a method is one of; nil if there is none. What a method's literals do is the
// method's work.
func receiverOf(fn *ssa.Function) *types.TypeName {
	if fn == nil || knowledge.Outermost(fn).Signature.Recv() == nil {
		return nil
	}
	t := knowledge.Outermost(fn).Signature.Recv().Type()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Origin().Obj()
	}
	return nil
}

// origin returns the generic function that fn is an instance of, or fn.
func origin(fn *ssa.Function) *ssa.Function {
	if o := fn.Origin(); o != nil {
		return o
	}
	return fn
}

func isMethodOf(fn *ssa.Function, o *owner) bool {
	recv := knowledge.Outermost(fn).Signature.Recv() // what a method's literals do is the method's work
	return recv != nil && o.variants[0].IsSelfOrPointer(recv.Type())
}

// reach tells which functions access the fields of a group, themselves or in what they
// call.
type reach struct {
	finder *finder
	direct map[*ssa.Function]kind
	known  map[*ssa.Function]kind
}

func (r *reach) of(fn *ssa.Function) kind {
	if k, ok := r.known[fn]; ok {
		return k
	}
	var all kind
	seen := map[*ssa.Function]bool{fn: true}
	for work := []*ssa.Function{fn}; len(work) > 0; work = work[1:] {
		all |= r.direct[origin(work[0])]
		for _, n := range r.finder.graph.NodesOf(work[0]) {
			for _, e := range r.finder.graph.Calls(n) {
				if !e.IsStart() && !seen[e.Callee.Func] && r.finder.isOwn(e.Callee.Func) {
					seen[e.Callee.Func] = true
					work = append(work, e.Callee.Func)
				}
			}
		}
	}
	r.known[fn] = all
	return all
}

// checkThenAct looks for two method calls on one object, of which the second one writes, if at
// all or what depends on the first one's result.
func (f *finder) checkThenAct(fn *ssa.Function, o *owner, r *reach) (Unit, bool) {
	type about struct {
		call *ssa.Call
		at   place
	}
	var calls []about
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			if callee := call.Call.StaticCallee(); callee != nil && isMethodOf(callee, o) && r.of(callee) != 0 {
				calls = append(calls, about{call, placeOf(call.Call.Args[0])})
			}
		}
	}
	for _, second := range calls {
		if r.of(second.call.Call.StaticCallee())&writes == 0 {
			continue
		}
		for _, first := range calls {
			if first.call != second.call && first.at == second.at && comesBefore(first.call, second.call) &&
				dependsOn(second.call, first.call) {
				position := func(c *ssa.Call) string { return f.position(c.Pos()) }
				name := func(c *ssa.Call) string { return f.functionName(c.Call.StaticCallee()) }
				return Unit{
					Function: f.functionName(fn), Pos: f.position(fn.Pos()), First: name(first.call), FirstPos: position(first.call),
					Second: name(second.call), SecondPos: position(second.call), literal: fn.Parent() != nil,
				}, true
			}
		}
	}
	return Unit{}, false
}

// dependsOn tells whether a call is handed what is derived from the result of another one,
// or is made only if that is so or so. An error is no such result: to give up is no use of
// what was seen.
func dependsOn(call, result *ssa.Call) bool {
	seen := map[ssa.Value]bool{result: true}
	for work := []ssa.Value{result}; len(work) > 0; work = work[1:] {
		if work[0].Type().String() == "error" {
			continue
		}
		for _, user := range *work[0].Referrers() {
			switch v := user.(type) {
			case *ssa.If:
				if v.Block().Dominates(call.Block()) && v.Block() != call.Block() {
					return true
				}
			case *ssa.Call:
				if v == call {
					return true
				}
				if _, isBuiltin := v.Call.Value.(*ssa.Builtin); !isBuiltin {
					continue
				}
			}
			if v, ok := user.(ssa.Value); ok && !seen[v] && v.Referrers() != nil {
				seen[v] = true
				work = append(work, v)
			}
		}
	}
	return false
}
