package tag

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/relevance"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Returnable returns the tags that result i of the callee can have: at least one.
func (l *Holders) Returnable(callee *pointsto.Node, i int) []Tag {
	t := callee.Func.Signature.Results().At(i).Type()
	if results := relevance.DecisiveResults(callee.Func, i); results != nil && !l.ReturnsWatched(callee, i) {
		var tags []Tag
		for _, d := range results {
			tags = append(tags, TagOfDecisive(d))
		}
		return tags
	}
	if !ssaflow.IsPointerLike(t) {
		return []Tag{{}}
	}
	if functions := l.ReturnedFunctions(callee, i); functions != nil {
		return functions
	}
	if holders := l.returnedHolders(callee, i); holders != nil {
		return holders
	}
	var stars, foreigners []Tag
	others, isNil, seen := false, false, map[Tag]bool{}
	for _, b := range callee.Func.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if _, isConst := ret.Results[i].(*ssa.Const); isConst {
			isNil = true
			continue
		}
		for _, g := range append(l.Unknown(callee, ret.Results[i]), l.ContentsOf(callee, ret.Results[i])...) {
			if g.Kind == None || g.Kind == Foreign {
				others = true
				if g.Kind == Foreign && !slices.Contains(foreigners, g) {
					foreigners = append(foreigners, g)
				}
			} else if !seen[g] {
				seen[g] = true
				stars = append(stars, g)
			}
		}
	}
	if companions := l.ReturnedCompanions(callee, i); len(companions) > 0 {
		stars, others = append(stars, companions...), true
	}
	switch {
	case len(stars) == 0:
		return []Tag{{}}
	case others:
		if len(foreigners) == 0 {
			foreigners = []Tag{{Kind: Foreign}}
		}
		return append(stars, foreigners...)
	case isNil:
		return append(stars, NilnessTag(true))
	}
	return stars
}
