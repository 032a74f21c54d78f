package blocking

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// callsBack is the packages of the standard library whose functions are followed where they are handed what
// synchronises: they are small, and call it on the goroutine that calls them.
var callsBack = map[string]bool{"io": true, "sort": true, "slices": true, "maps": true, "strings": true, "bytes": true,
	"iter": true, "errors": true, "bufio": true}

// handsOver tells whether a call hands over a function, or something with methods, that synchronise.
func (l *lowerer) handsOver(s *state, c callee) bool {
	found := newReach()
	is := false
	look := func(v value) {
		switch v := v.(type) {
		case closure:
			is = is || isOnce(v.fn) || l.c.IsFollowed(v.fn) && l.synchronises(v.fn, nil)
		case native:
			is = true
		case boxed:
			is = is || l.hasSynchronising(v.dynamic)
		case pointer:
			found.add(v.to)
		case slice:
			found.add(v.to)
		}
	}
	eachPart(several(c.args), look)
	for o := found.next(); o != nil && !is; o = found.next() {
		for _, v := range s.contents(o) {
			eachPart(v, look)
		}
	}
	return is
}

// mayBeUsed tells whether code that is not followed may do something with a value that it comes across: call it, or use
// a channel that it leads to.
func (l *lowerer) mayBeUsed(s *state, v value, t types.Type) bool {
	if !l.quiet.prints.leads(t) {
		return false
	}
	if _, isStruct := v.(several); v == nil || isStruct || l.handsOver(s, callee{args: []value{v}}) {
		return true
	}
	return slices.ContainsFunc(l.ledTo(s, v), func(o *object) bool { return o.element != 0 })
}

// hasSynchronising tells whether a type has a method that synchronises.
func (l *lowerer) hasSynchronising(t types.Type) bool {
	is, known := l.synchronising[t]
	if !known {
		is = l.hasMethod(t, func(fn *ssa.Function) bool {
			return (l.c.IsFollowed(fn) || isWrapper(fn)) && l.synchronises(fn, nil)
		})
		l.synchronising[t] = is
	}
	return is
}

// hasMethod tells whether a type has such a method.
func (l *lowerer) hasMethod(t types.Type, is func(*ssa.Function) bool) bool {
	for sel := range l.prog.MethodSets.MethodSet(t).Methods() {
		if fn := l.prog.MethodValue(sel); fn != nil && is(fn) {
			return true
		}
	}
	return false
}

// mayUseVariables tells whether functions that are handed over, or methods of what is, may use package variables: what
// they let go on is led to from there.
func (l *lowerer) mayUseVariables(s *state, args []value) (is bool) {
	uses := func(fn *ssa.Function) bool { return l.c.IsFollowed(fn) && l.quiet.usesVariables(fn) }
	look := func(v value) {
		switch v := v.(type) {
		case closure:
			is = is || isOnce(v.fn) || uses(v.fn)
		case boxed:
			is = is || l.hasMethod(v.dynamic, uses)
		}
	}
	eachPart(several(args), look)
	for _, o := range l.ledTo(s, several(args)) {
		for _, v := range s.contents(o) {
			eachPart(v, look)
		}
	}
	return is
}
