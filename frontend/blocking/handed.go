package blocking

import "go/types"

// callsBack is the packages of the standard library whose functions are followed where they are handed what
// synchronises: they are small, and call it on the goroutine that calls them.
var callsBack = map[string]bool{"io": true, "sort": true, "slices": true, "maps": true, "strings": true, "bytes": true,
	"iter": true, "errors": true, "bufio": true}

// handsOver tells whether a call hands over a function, or something with methods, that synchronise.
func (l *lowerer) handsOver(s *state, c callee) bool {
	found := newReach()
	is := false
	var look func(v value)
	look = func(v value) {
		switch v := v.(type) {
		case closure:
			is = is || l.c.IsFollowed(v.fn) && l.synchronises(v.fn, nil)
		case native:
			is = true
		case boxed:
			is = is || l.hasSynchronising(v.dynamic)
			look(v.value)
		case several:
			for _, w := range v {
				look(w)
			}
		case pointer:
			found.add(v.to)
		case slice:
			look(v.pointer)
		}
	}
	for _, v := range c.args {
		look(v)
	}
	for o := found.next(); o != nil && !is; o = found.next() {
		for _, v := range s.contents(o) {
			look(v)
		}
	}
	return is
}

// hasSynchronising tells whether a type has a method that synchronises.
func (l *lowerer) hasSynchronising(t types.Type) bool {
	is, known := l.synchronising[t]
	if known {
		return is
	}
	set := l.prog.MethodSets.MethodSet(t)
	for i := range set.Len() {
		fn := l.prog.MethodValue(set.At(i))
		is = is || fn != nil && (l.c.IsFollowed(fn) || isWrapper(fn)) && l.synchronises(fn, nil)
	}
	l.synchronising[t] = is
	return is
}

// mayUseVariables tells whether functions that are handed over, or methods of what is, may use package variables: what
// they let go on is led to from there.
func (l *lowerer) mayUseVariables(s *state, args []value) (is bool) {
	var look func(v value)
	look = func(v value) {
		switch v := v.(type) {
		case closure:
			is = is || l.c.IsFollowed(v.fn) && l.quiet.usesVariables(v.fn)
		case boxed:
			set := l.prog.MethodSets.MethodSet(v.dynamic)
			for sel := range set.Methods() {
				fn := l.prog.MethodValue(sel)
				is = is || fn != nil && l.c.IsFollowed(fn) && l.quiet.usesVariables(fn)
			}
			look(v.value)
		case several:
			for _, w := range v {
				look(w)
			}
		}
	}
	for _, v := range args {
		look(v)
	}
	for _, o := range l.ledTo(s, several(args)) {
		for _, v := range s.contents(o) {
			look(v)
		}
	}
	return is
}
