package blocking

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Some functions that are not followed write to what they are handed, as those that decode or scan: see
// knowledge.Accesses. What was in the memory that they write to is not known any more: while there is one goroutine
// from there on, and else at any time, as others may look there. Where it is not known which memory they are handed,
// they may write to any memory of its kind.

// rewrites is that a function which is not followed writes to what it is handed.
func (l *lowerer) rewrites(s *state, site ssa.CallInstruction, c callee) {
	effect, ok := knowledge.Accesses(c.fn)
	var params, written []ssa.Value
	for _, p := range c.fn.Params {
		params = append(params, p)
	}
	switch {
	case !ok && !isReadOnly(c.fn) && !knowledge.Of(c.fn).Pure:
		written = writtenByReflection(c.fn)
	case effect.Writes && !effect.Default:
		written = effect.Written(params)
	}
	isDeep := effect.Deep || effect.All
	operands := site.Common().Args
	for i, p := range params {
		if i >= len(c.args) || !slices.Contains(written, p) {
			continue
		}
		if k := i - len(params) + len(operands); k >= 0 && c.args[i] == nil && l.isTheirs(s, operands[k]) {
			continue
		}
		list, ok := c.args[i].(slice)
		if !ok || !c.fn.Signature.Variadic() || i < len(params)-1 {
			l.rewritesAll(s, site, c.args[i], p.Type(), isDeep)
			continue
		}
		element := p.Type().Underlying().(*types.Slice).Elem()
		for _, x := range s.contents(list.to) { // what is in there is handed over
			l.rewritesAll(s, site, x, element, isDeep)
		}
	}
}

// writtenByReflection returns the parameters of a function through which it may write, as its package knows reflection:
// those that are interfaces without methods, or lists of them.
func writtenByReflection(fn *ssa.Function) (all []ssa.Value) {
	if fn.Pkg == nil || !slices.ContainsFunc(fn.Pkg.Pkg.Imports(), func(p *types.Package) bool {
		return p.Path() == "reflect" || p.Path() == "internal/reflectlite"
	}) {
		return nil
	}
	for _, p := range fn.Params {
		t := p.Type().Underlying()
		if s, ok := t.(*types.Slice); ok {
			t = s.Elem().Underlying()
		}
		if i, ok := t.(*types.Interface); ok && i.Empty() {
			all = append(all, p)
		}
	}
	return all
}

// rewritesAll is that what a value of a type leads to is written, and if that is asked for, what leads on from there.
func (l *lowerer) rewritesAll(s *state, site ssa.CallInstruction, v value, t types.Type, isDeep bool) {
	if b, ok := v.(boxed); ok {
		v, t = b.value, b.dynamic
	}
	switch {
	case v == nil && types.IsInterface(t):
		l.guess(site, "which memory is written")
		return
	case v == nil:
		l.decodesAnywhere(site, t)
		return
	}
	var all []*object
	if each(v, func(o *object) { all = append(all, o) }); isDeep {
		all = l.ledTo(s, v)
	}
	for _, o := range all {
		l.spoil(s, pointer{o, ""})
		l.decodes(s, o)
		if !l.isAlone(s) && !l.known.rewritten[o] {
			l.known.rewritten[o], l.known.changed = true, true
		}
	}
}

// decodes forgets where the memory of an object leads that something has decoded into: lists become longer, what was
// nil is made, and what is null becomes nil. What leads to channels, or to what may be called, stays.
func (l *lowerer) decodes(s *state, o *object) {
	for c, x := range s.contents(o) {
		switch x.(type) {
		case nothing, slice:
			s.put(c, nil)
		case pointer, boxed:
			isChannel := func(o *object) bool { return o.element != 0 }
			if !l.handsOver(s, callee{args: []value{x}}) && !slices.ContainsFunc(l.ledTo(s, x), isChannel) {
				s.put(c, nil)
			}
		}
	}
}

// decodesAnywhere is that something decodes into memory of which it is not known which one it is, to which values of a
// type lead: numbers and texts, and pointers, lists and interfaces, which lead to other memory then.
func (l *lowerer) decodesAnywhere(site ssa.CallInstruction, t types.Type) {
	prints := l.quiet.prints
	var some, hard []memory
	for _, m := range prints.reachable(nil, t, new(typeutil.Map)) {
		switch of := prints.typeOf[m.holds]; of.Underlying().(type) {
		case *types.Chan, *types.Signature, *types.Struct, *types.Array: // parts of these are looked at by themselves
			if !prints.leads(of) {
				some = append(some, m)
			}
		default:
			if prints.leads(of) {
				hard = append(hard, m)
			} else {
				some = append(some, m)
			}
		}
	}
	if l.quiet.needed.meets(hard) {
		l.guess(site, "which memory is written")
	}
	l.known.changed = l.quiet.overwrite(some) || l.known.changed
}

// rewritesByCalling is that a function which is not followed may call what it is handed, at any time, which
// synchronises nothing but writes memory, as what filepath.Walk is handed collects names.
func (l *lowerer) rewritesByCalling(s *state, site ssa.CallInstruction, c callee) {
	seen := map[*traits]bool{}
	var queue []*traits
	add := func(fn *ssa.Function) {
		if t := l.quiet.functions[fn]; t != nil && !seen[t] {
			seen[t], queue = true, append(queue, t)
		}
	}
	look := func(v value) {
		if f, ok := v.(closure); ok {
			add(f.fn)
		}
	}
	eachPart(several(c.args), look)
	for _, o := range l.ledTo(s, several(c.args)) {
		for _, v := range s.contents(o) {
			eachPart(v, look)
			eachPart(v, func(v value) {
				if b, ok := v.(boxed); ok { // it may be called by any interface that has some of its methods
					l.hasMethod(b.dynamic, func(fn *ssa.Function) bool {
						if token.IsExported(fn.Name()) {
							add(fn)
						}
						return false
					})
				}
			})
		}
	}
	for i, v := range c.args {
		if b, ok := v.(boxed); ok && i < len(c.fn.Params) && types.IsInterface(c.fn.Params[i].Type()) {
			for method := range c.fn.Params[i].Type().Underlying().(*types.Interface).Methods() {
				if fn := l.prog.LookupMethod(b.dynamic, method.Pkg(), method.Name()); fn != nil {
					add(fn)
				}
			}
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		t := queue[0]
		if l.quiet.needed.meets(t.print.hard) {
			l.guess(site, "when "+c.fn.Name()+" calls what it is handed")
		}
		some := slices.DeleteFunc(slices.Clone(t.print.writes), func(m memory) bool {
			return slices.Contains(t.print.hard, m)
		})
		l.known.changed = l.quiet.overwrite(some) || l.known.changed
		for _, callee := range t.callees {
			add(callee.fn)
		}
	}
}

// isLibrary tells whether the program was written for clients.
func (l *lowerer) isLibrary() bool {
	return l.c.IsClient != nil && slices.ContainsFunc(l.c.Roots, l.c.IsClient)
}

// isRewritten tells whether memory of a type in an object may have been written by a function that is not followed,
// while there were other goroutines.
func (l *lowerer) isRewritten(s *state, o *object, t types.Type) bool {
	return l.known.rewritten[o] && !l.isAlone(s) && l.quiet.prints.isData(t)
}

// isData tells whether memory of a type may be written by what decodes or scans: it leads to nothing that
// synchronises, or may lead to anything.
func (f *footprints) isData(t types.Type) bool { return !f.leads(t) || types.IsInterface(t) }

// isTheirs tells whether an operand is what a client has handed to the library, in the call that it made: it leads to
// memory of its own.
func (l *lowerer) isTheirs(s *state, v ssa.Value) bool {
	for k := len(s.stack) - 1; k > 0 && l.isLibrary(); k-- {
		if x, ok := v.(*ssa.ChangeInterface); ok {
			v = x.X
		}
		p, ok := v.(*ssa.Parameter)
		caller := s.stack[k-1]
		site, isCall := caller.block.Instrs[max(0, caller.at-1)].(ssa.CallInstruction)
		if !ok || !isCall {
			return false
		}
		args := site.Common().Args
		i := slices.Index(s.stack[k].fn.Params, p) - len(s.stack[k].fn.Params) + len(args)
		if i < 0 {
			return false
		}
		v = args[i]
		if _, isResult := v.(*ssa.Call); l.c.IsClient(caller.fn) {
			return !isResult
		}
	}
	return false
}

// listed adds an argument, or the values that are in the list of arguments that it is.
func listed(all []ssa.Value, v ssa.Value) []ssa.Value {
	if !ssaflow.IsArgumentList(v) {
		return append(all, v)
	}
	for _, at := range *v.(*ssa.Slice).X.Referrers() {
		element, ok := at.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, instr := range *element.Referrers() {
			if store, ok := instr.(*ssa.Store); ok && store.Addr == element {
				all = append(all, store.Val)
			}
		}
	}
	return all
}
