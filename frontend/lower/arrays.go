package lower

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// A star may be an element of an array, or in one, and the locks of the elements in an array
// beside:
//
//	c.locks[i].Lock()
//	c.parts[i].set(k, v)
//	c.locks[i].Unlock()
//
// Which element the star is, is not known; each index is that of the star or another one, and
// what has the same index in the two arrays belongs together.

// ofStar ends the path of the element, in an array beside, with the star's index.
const ofStar = "[i]"

// ofAnyElement returns the path of elements of an array of which one has the path.
func (l *lowerer) ofAnyElement(path string) string {
	return l.keys.AnyElement(strings.ReplaceAll(path, ofStar, "[]"))
}

// stepIndexAddr lowers the address of an element. Where stars are elements of an
// array, it may be the star or another element.
func (l *lowerer) stepIndexAddr(c *clone, s state, v *ssa.IndexAddr) []outcome {
	if leader := c.fn.Leaders[v]; leader != nil && s.tags.Of(leader).IsDefinite() {
		return one(nil, s.with(v, s.tags.Of(leader)))
	}
	g := l.tagOf(c, s, v.X)
	if all := l.stepIndex(c, s, v, g); (g.Kind == tag.Object || g.Kind == tag.Contents) && all != nil {
		return all
	}
	switch g.Kind {
	case tag.Object:
		if element, is := l.elementBeside(g, v); is {
			return l.chooseElement(c, s, v, element)
		}
		around := l.choices.IsAround(g)
		g.Path = pointsto.JoinPath(g.Path, "[]")
		if around {
			return l.chooseElement(c, s, v, g)
		}
		return one(nil, s.with(v, g))
	case tag.None, tag.Holder, tag.Companion:
		if tag.IsOfMembers(g) {
			return one(nil, s.with(v, g))
		}
		return l.results(s, v, l.choices.Unknown(c.node, v))
	}
	return one(nil, s.with(v, g))
}

// elementBeside returns the tag of the element with the star's index in an array of locks; is
// is false if the address is of no such array.
func (l *lowerer) elementBeside(g tag.Tag, v *ssa.IndexAddr) (element tag.Tag, is bool) {
	path := l.Stars.Stars[g.Star].Path
	pointer, ok := v.X.Type().Underlying().(*types.Pointer)
	if !ok || l.choices.IsAround(g) || strings.Count(path, "[]") != 1 || strings.Contains(g.Path, "[") {
		return tag.Tag{}, false
	}
	array, ok := pointer.Elem().Underlying().(*types.Array)
	if !ok || !query.HoldsSynchronisation(array.Elem()) {
		return tag.Tag{}, false
	}
	g.Path = pointsto.JoinPath(g.Path, ofStar)
	return g, true
}

// chooseElement returns the outcomes of the address of an element: it is that with the star's
// index, or another one. What is known of an earlier address with the index decides; and a loop
// over the elements comes to the star once.
func (l *lowerer) chooseElement(c *clone, s state, v *ssa.IndexAddr, element tag.Tag) []outcome {
	is, other := outcome{nil, s.with(v, element)}, outcome{nil, s.with(v, tag.Tag{Kind: tag.Foreign})}
	for _, beside := range c.fn.Beside[v] {
		switch known := s.tags.Of(beside); {
		case known.Kind == tag.Foreign:
			return []outcome{other}
		case known.Kind == tag.Object && known.Star == element.Star &&
			(strings.HasSuffix(known.Path, ofStar) || pointsto.IsWithin(l.Stars.Stars[known.Star].Path, known.Path)):
			return []outcome{is}
		}
	}
	if counter := ssaflow.CounterOf(v.Index); counter != nil && !ssaflow.RepeatsWithout(v.Block(), counter.Block()) {
		bit := c.fn.visitBit(visit{counter.Block(), v, element.Star})
		if s.visited&bit != 0 {
			return []outcome{other}
		}
		is.state.visited |= bit
	}
	return []outcome{is, other}
}
