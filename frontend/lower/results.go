package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/tag"
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
	tag    tag.Tag // of all results, as a tuple
	result tag.Tag // of the call's value
}

// wantedResults returns the expectations that together cover what callee can
// return.
func (l *lowerer) wantedResults(c *clone, callee *pointsto.Node, result ssa.Value) []wanted {
	if result == nil || result.Referrers() == nil || len(*result.Referrers()) == 0 {
		return []wanted{{}}
	}
	types := callee.Func.Signature.Results()
	combinations := [][]tag.Tag{nil}
	interesting := false
	for i := 0; i < types.Len(); i++ {
		options := l.holders.Returnable(callee, i)
		interesting = interesting || len(options) > 1 || options[0].Kind != tag.None
		combinations = tag.Combine(combinations, options)
	}
	if !interesting {
		return []wanted{{}}
	}
	var all []wanted
	for _, combination := range combinations {
		w := wanted{wanted: true, tag: l.tags.Compose(tag.Tuple, combination), result: combination[0]}
		if types.Len() > 1 {
			w.result = w.tag
		}
		all = append(all, w)
	}
	return all
}
