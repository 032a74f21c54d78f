package lower

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/tag"
	"github.com/empire-go/empire-go/frontend/units"
)

// unitsOf returns the units that an activation of the clone is, entered in state s.
// A method is a unit on its receiver, a constructor on what it makes, a function that
// the user names as a unit on the stars that it or what it calls may access, any
// other function on the stars whose fields it accesses itself. So is a wrapper that the
// compiler makes: apply(x.n.Add) is what apply(func(d int64) { x.n.Add(d) }) is.
func (l *lowerer) unitsOf(c *clone, s state) []units.Frame {
	fn := c.fn.Func
	directive := modref.UnitDirective(fn)
	if directive != "unit" && l.Program.IsGenerated(fn.Pos()) {
		return nil // what clients do between their calls is no work of the program's
	}
	if directive == "nounit" {
		return nil
	}
	var frames []units.Frame
	covered := map[int]bool{}
	add := func(star int, direct bool) {
		if covered[star] || !l.Units.AllowsBy(fn, directive, direct) {
			return
		}
		covered[star] = true
		frames = append(frames, units.Frame{Star: star, Label: strings.TrimSuffix(fn.String(), "$bound"),
			With: l.unitForStars(c, s, star), Pos: l.Program.Position(fn.Pos()), Direct: direct})
	}
	hands := modref.IsWrapper(fn) && !l.work.CopiesReceiver(fn) // a unit for what it does itself alone
	if !hands && fn.Signature.Recv() != nil && len(fn.Params) > 0 {
		if g := s.tags.Of(fn.Params[0]); l.isSubjectMethod(g, fn) {
			add(g.Star, false)
		}
	}
	if !hands && c.makes >= 0 {
		add(c.makes, false)
	}
	if !hands && l.Units.NamesBy(fn, directive) {
		for k, reached := range l.work.ReachedStars(c.node) {
			if reached {
				add(k, false)
			}
		}
	}
	for k := range l.Stars.Stars {
		if l.Kept.Direct[c.node][k] && !covered[k] && l.work.OpensUnit(c.node, k) {
			add(k, true)
			if covered[k] {
				f := &frames[len(frames)-1]
				f.Loops = c.withIdleBits(l.work.AccessLoops(c.node, *f))
			}
		}
	}
	if c.root {
		services := l.numbered(l.work.ServiceLoops(c.node))
		for i := range frames {
			frames[i].Loops = append(frames[i].Loops, services...)
		}
	}
	return frames
}

// withIdleBits gives the loops bits in state.idle, as far as there are any; the others end
// no unit, which only makes the unit larger.
func (c *clone) withIdleBits(loops []units.Loop) (all []units.Loop) {
	for _, loop := range loops {
		if c.idleLoops < maxIdleLoops {
			loop.Idle = 1 << c.idleLoops
			c.idleLoops++
			all = append(all, loop)
		}
	}
	return all
}

// numbered numbers service loops.
func (l *lowerer) numbered(loops []units.Loop) []units.Loop {
	for i := range loops {
		l.services = append(l.services, loops[i].Input.Pos())
		loops[i].Service = len(l.services)
	}
	return loops
}

// isSubjectMethod tells whether fn, called on a receiver with tag g, is a method of
// the star: of its type, or promoted from an embedded field.
func (l *lowerer) isSubjectMethod(g tag.Tag, fn *ssa.Function) bool {
	switch g.Kind {
	case tag.Object:
	case tag.Contents: // promoted through an embedded pointer
		return l.Stars.Subject.IsEmbedded(l.Stars.Subject.Fields[g.Field])
	default:
		return false
	}
	star := l.Stars.Stars[g.Star]
	if g.Path == star.Path {
		return l.Stars.Subject.IsSelfOrPointer(fn.Signature.Recv().Type())
	}
	return pointsto.IsWithin(g.Path, star.Path) &&
		l.Stars.Subject.IsEmbedded(strings.TrimPrefix(strings.TrimPrefix(g.Path, star.Path), "."))
}

// unitForStars returns the stars among the unitfor parameters of the clone.
func (l *lowerer) unitForStars(c *clone, s state, unit int) []int {
	var with []int
	fn := c.fn.Func
	for i, p := range fn.Params {
		if i == 0 && fn.Signature.Recv() != nil || !l.UnitFor(fn, p) {
			continue
		}
		g := s.tags.Of(p)
		if g.Kind == tag.Object && g.Star != unit && g.Path == l.Stars.Stars[g.Star].Path && !slices.Contains(with, g.Star) {
			with = append(with, g.Star)
		}
	}
	return with
}

// dropIdleUnits removes the units that the clone was taken for because it might
// access a star itself, where it turned out that it does not.
func (c *clone) dropIdleUnits() {
	idle := map[int]bool{}
	var kept []units.Frame
	for _, u := range c.units {
		if u.Direct && c.touched&(1<<u.Star) == 0 {
			idle[u.Star] = true
		} else {
			kept = append(kept, u)
		}
	}
	if len(idle) == 0 {
		return
	}
	c.units = kept
	for _, seg := range c.segments {
		var stmts []esl.Stmt
		for _, st := range seg.Stmts {
			if (st.Op == esl.UnitBegin || st.Op == esl.UnitEnd) && idle[st.Arg] {
				continue
			}
			stmts = append(stmts, st)
		}
		seg.Stmts = stmts
	}
}
