package tag

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// A function may return what is to be called later, as in
//
//	defer c.lock()()
//
// What a closure does depends on what it has captured: the star, or another object. So calls
// of a function that returns one are told apart by that.

// maxReturned bounds the closures that the results of one function are told apart as: two variables, each of which may
// hold one of two stars or another object, are nine.
const maxReturned = 9

// ReturnedFunctions returns the tags of a result that is a function value: one for each
// closure, with each combination of stars that it may have captured; nil if it may be
// something else.
func (l *Choices) ReturnedFunctions(callee *pointsto.Node, i int) (all []Tag) {
	for _, b := range callee.Func.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		tags, ok := l.functionsIn(callee, ret.Results[i], map[ssa.Value]bool{})
		if !ok {
			return nil
		}
		for _, g := range tags {
			if !slices.Contains(all, g) {
				all = append(all, g)
			}
		}
	}
	if len(all) > maxReturned {
		return nil
	}
	return all
}

// functionsIn returns the tags that a function value can have; ok is false if they are not
// known. A nil value has none.
func (l *Choices) functionsIn(n *pointsto.Node, v ssa.Value, seen map[ssa.Value]bool) (all []Tag, ok bool) {
	if seen[v] {
		return nil, true
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Const:
		return nil, true
	case *ssa.Function:
		return []Tag{l.Closure(v, nil)}, true
	case *ssa.ChangeType:
		return l.functionsIn(n, v.X, seen)
	case *ssa.Phi:
		for _, e := range v.Edges {
			tags, ok := l.functionsIn(n, e, seen)
			if !ok {
				return nil, false
			}
			all = append(all, tags...)
		}
		return all, true
	case *ssa.MakeClosure:
		for _, parts := range l.capturable(n, v) {
			all = append(all, l.Closure(v.Fn.(*ssa.Function), parts))
		}
		return all, true
	}
	return nil, false
}

// capturable returns the combinations of what a closure can have captured, as far as stars
// are concerned.
func (l *Choices) capturable(n *pointsto.Node, made *ssa.MakeClosure) [][]Tag {
	all := [][]Tag{nil}
	for _, bound := range made.Bindings {
		if all = Combine(all, l.captured(n, bound)); len(all) > maxReturned {
			return [][]Tag{make([]Tag, len(made.Bindings))}
		}
	}
	return all
}

// captured returns the tags that a captured value can have: of a variable that is not assigned any more, by what it
// holds.
func (l *Choices) captured(n *pointsto.Node, bound ssa.Value) []Tag {
	variable, ok := bound.(*ssa.Alloc)
	if !ok || !l.values.Function(variable.Parent()).IsSettled(variable) {
		return l.Unknown(n, bound)
	}
	return l.variables(n, bound)
}

// MatchesFunction tells whether a closure with tag got can be the one wanted: the same code,
// with the same stars. What is not known of one may be so in the other.
func (l *Choices) MatchesFunction(want, got Tag) bool {
	isWatched := func(g Tag) bool { return g.Kind == Object || g.Kind == Contents || g.Kind == Companion }
	switch {
	case want.Kind == None || got.Kind == None:
		return true
	case want.Kind == Closure || got.Kind == Closure:
		if want.Kind != got.Kind || want.Fn != got.Fn {
			return want.Kind != got.Kind
		}
	case want.Kind == Cell && got.Kind == Cell:
	case got.Kind == Companion && l.ownerOf(got) == nil:
		return want.Kind == Foreign
	case isWatched(want) || isWatched(got):
		return want == got
	case want.Kind == Foreign && got.Kind == Foreign:
		plain := Tag{Kind: Foreign}
		return want == got || want == plain || got == plain
	default:
		return true
	}
	for i, part := range l.tags.Parts(want) {
		if !l.MatchesFunction(part, l.tags.Part(got, i)) {
			return false
		}
	}
	return true
}

// Closure returns the tag of a function value with its code and bindings. What a function literal
// that the model leaves out has captured matters only if it is a star, which whoever gets the
// function gets, too: a call of it does the same whatever else it has. (Without that, a parser
// that hands down a function which asks the one that it was handed itself has a clone for each way
// in which they are nested.)
func (l *Choices) Closure(fn *ssa.Function, bindings []Tag) Tag {
	if fn.Parent() != nil && !l.isKept(fn) {
		bindings = slices.Clone(bindings)
		for i, b := range bindings {
			if l.tags.Stars(b) == 0 {
				bindings[i] = Tag{}
			}
		}
		if !slices.ContainsFunc(bindings, Tag.IsDefinite) {
			bindings = nil
		}
	}
	return l.tags.Closure(fn, bindings)
}

// isKept tells whether the model has a body of the function.
func (l *Choices) isKept(fn *ssa.Function) bool {
	if l.kept == nil {
		l.kept = map[*ssa.Function]bool{}
		for n, kept := range l.Kept.Kept {
			l.kept[n.Func] = l.kept[n.Func] || kept
		}
	}
	return l.kept[fn]
}
