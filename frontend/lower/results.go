package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/relevance"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// maker is a way to call a constructor: making a star or not.
type maker struct {
	makes int
	stmts []esl.Stmt // that take the star's token
	made  bool       // the caller is a constructor, and this call makes its star
}

// makers returns the ways to call callee from c in state s: a constructor makes a
// star of its site or another object. Of the constructors that a constructor calls,
// one makes its star.
func (l *lowerer) makers(c *clone, s state, callee *pointsto.Node, at ssa.Instruction) []maker {
	var ways []maker
	constructor := false
	for k, star := range l.Stars.Stars {
		if !l.Stars.Constructs(callee, k) {
			continue
		}
		constructor = true
		switch {
		case star.Single:
			return []maker{{makes: k}}
		case c.makes == k:
			if !s.made {
				ways = append(ways, maker{makes: k, made: true})
			}
		case c.node == nil || !l.Stars.Constructs(c.node, k):
			ways = append(ways, maker{makes: k, stmts: []esl.Stmt{l.takeToken(k, at)}})
		}
		// Else the constructor around it decided not to make this star.
	}
	if !constructor {
		return []maker{{makes: -1}}
	}
	return append(ways, maker{makes: -1})
}

// wanted is an expectation about what a call returns: the clone that is called has
// only the paths that fulfil it.
type wanted struct {
	wanted bool
	tag    tag // of all results, as a tuple
	result tag // of the call's value
}

// wantedResults returns the expectations that together cover what callee can
// return.
func (l *lowerer) wantedResults(c *clone, callee *pointsto.Node, result ssa.Value) []wanted {
	if result == nil || result.Referrers() == nil || len(*result.Referrers()) == 0 {
		return []wanted{{}}
	}
	types := callee.Func.Signature.Results()
	combinations := [][]tag{nil}
	interesting := false
	for i := 0; i < types.Len(); i++ {
		options := l.returnable(callee, i)
		interesting = interesting || len(options) > 1 || options[0].kind != none
		var next [][]tag
		for _, prefix := range combinations {
			for _, g := range options {
				next = append(next, append(prefix[:len(prefix):len(prefix)], g))
			}
		}
		combinations = next
	}
	if !interesting {
		return []wanted{{}}
	}
	var all []wanted
	for _, combination := range combinations {
		w := wanted{wanted: true, tag: l.tags.compose(tuple, combination), result: combination[0]}
		if types.Len() > 1 {
			w.result = w.tag
		}
		all = append(all, w)
	}
	return all
}

// returnable returns the tags that result i of the callee can have.
func (l *lowerer) returnable(callee *pointsto.Node, i int) []tag {
	t := callee.Func.Signature.Results().At(i).Type()
	if results := relevance.DecisiveResults(callee.Func, i); results != nil && !l.returnsWatched(callee, i) {
		var tags []tag
		for _, d := range results {
			tags = append(tags, tagOfDecisive(d))
		}
		return tags
	}
	if !ssaflow.IsPointerLike(t) {
		return []tag{{}}
	}
	if holders := l.returnedHolders(callee, i); holders != nil {
		return holders
	}
	var stars []tag
	others, isNil, seen := false, false, map[tag]bool{}
	for _, b := range callee.Func.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if _, isConst := ret.Results[i].(*ssa.Const); isConst {
			isNil = true
			continue
		}
		for _, g := range append(l.unknown(callee, ret.Results[i]), l.contentsOf(callee, ret.Results[i])...) {
			if g.kind == none || g.kind == foreign {
				others = true
			} else if !seen[g] {
				seen[g] = true
				stars = append(stars, g)
			}
		}
	}
	if companions := l.returnedCompanions(callee, i); len(companions) > 0 {
		stars, others = append(stars, companions...), true
	}
	switch {
	case len(stars) == 0:
		return []tag{{}}
	case others:
		return append(stars, tag{kind: foreign})
	case isNil:
		return append(stars, nilnessTag(true))
	}
	return stars
}

// returnsWatched tells whether result i of the callee may lead to memory of the atomic set:
// whoever calls it is to know that, rather than whether an error is nil.
func (l *lowerer) returnsWatched(callee *pointsto.Node, i int) bool {
	for _, b := range callee.Func.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if ok && len(l.regionsOf(callee, ret.Results[i])) > 0 {
			return true
		}
	}
	return len(l.returnedCompanions(callee, i)) > 0
}

// contentsOf returns the tags of contents that a pointer may lead to.
func (l *lowerer) contentsOf(n *pointsto.Node, v ssa.Value) []tag {
	var all []tag
	for _, at := range l.regionsOf(n, v) {
		all = append(all, tag{kind: contents, star: at.Star, field: at.Field})
	}
	return all
}
