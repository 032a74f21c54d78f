package lower

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// unitFrame is a unit of work that a clone opens on entry and closes on return.
type unitFrame struct {
	star   int
	label  string
	with   []int // unitfor stars
	pos    esl.Pos
	direct bool       // it is one only because the function accesses the star itself
	loops  []unitLoop // whose iterations are units of their own
}

func (u unitFrame) begin() esl.Stmt {
	return esl.Stmt{Op: esl.UnitBegin, Arg: u.star, Unit: u.label, With: u.with, Pos: u.pos}
}

func (u unitFrame) finish(pos esl.Pos) esl.Stmt {
	return esl.Stmt{Op: esl.UnitEnd, Arg: u.star, Pos: pos}
}

// unitsOf returns the units that an activation of the clone is, entered in state s.
// A method is a unit on its receiver, a constructor on what it makes, a function that
// the user names as a unit on the stars that it or what it calls may access, any
// other function on the stars whose fields it accesses itself. So is a wrapper that the
// compiler makes: apply(x.n.Add) is what apply(func(d int64) { x.n.Add(d) }) is.
func (l *lowerer) unitsOf(c *clone, s state) []unitFrame {
	fn := c.fn.Func
	directive := modref.UnitDirective(fn)
	if directive != "unit" && l.Program.IsGenerated(fn.Pos()) {
		return nil // what clients do between their calls is no work of the program's
	}
	if directive == "nounit" {
		return nil
	}
	var frames []unitFrame
	covered := map[int]bool{}
	add := func(star int, direct bool) {
		if covered[star] || !l.Units.AllowsBy(fn, directive, direct) {
			return
		}
		covered[star] = true
		frames = append(frames, unitFrame{star: star, label: strings.TrimSuffix(fn.String(), "$bound"), with: l.unitForStars(c, s, star), pos: l.Program.Position(fn.Pos()), direct: direct})
	}
	hands := modref.IsWrapper(fn) && !l.copiesReceiver(fn) // a unit for what it does itself alone
	if !hands && fn.Signature.Recv() != nil && len(fn.Params) > 0 {
		if g := s.tags[fn.Params[0]]; l.isSubjectMethod(g, fn) {
			add(g.star, false)
		}
	}
	if !hands && c.makes >= 0 {
		add(c.makes, false)
	}
	if !hands && l.Units.NamesBy(fn, directive) {
		for k, reached := range l.reachedStars(c.node) {
			if reached {
				add(k, false)
			}
		}
	}
	for k := range l.Stars.Stars {
		if l.Kept.Direct[c.node][k] && !covered[k] && l.opensUnit(c.node, k) {
			add(k, true)
			if covered[k] {
				f := &frames[len(frames)-1]
				f.loops = l.accessLoops(c, *f)
			}
		}
	}
	if c.root {
		services := l.serviceLoops(c)
		for i := range frames {
			frames[i].loops = append(frames[i].loops, services...)
		}
	}
	return frames
}

// reachedStars tells for each star whether an activation of the node may access its
// fields, itself or in what it calls.
func (l *lowerer) reachedStars(n *pointsto.Node) []bool {
	reached := make([]bool, len(l.Stars.Stars))
	seen := map[*pointsto.Node]bool{n: true}
	for work := []*pointsto.Node{n}; len(work) > 0; {
		n, work = work[len(work)-1], work[:len(work)-1]
		for k := range l.Kept.Direct[n] {
			reached[k] = true
		}
		for _, e := range l.Graph.Calls(n) {
			if _, isGo := e.Site.(*ssa.Go); isGo {
				continue
			}
			for _, callee := range l.KeptIn(e.Callee) {
				if !seen[callee] {
					seen[callee] = true
					work = append(work, callee)
				}
			}
		}
	}
	return reached
}

// copiesReceiver tells whether the wrapper is of a method of the checked type that
// has a value receiver: the wrapper reads the object, and is where the unit begins.
func (l *lowerer) copiesReceiver(fn *ssa.Function) bool {
	method, ok := fn.Object().(*types.Func)
	if !ok {
		return false
	}
	recv := method.Signature().Recv()
	return recv != nil && l.Stars.Subject.Is(recv.Type())
}

// isSubjectMethod tells whether fn, called on a receiver with tag g, is a method of
// the star: of its type, or promoted from an embedded field.
func (l *lowerer) isSubjectMethod(g tag, fn *ssa.Function) bool {
	switch g.kind {
	case object:
	case contents: // promoted through an embedded pointer
		return l.Stars.Subject.IsEmbedded(l.Stars.Subject.Fields[g.field])
	default:
		return false
	}
	star := l.Stars.Stars[g.star]
	if g.path == star.Path {
		return l.Stars.Subject.IsSelfOrPointer(fn.Signature.Recv().Type())
	}
	return pointsto.IsWithin(g.path, star.Path) && l.Stars.Subject.IsEmbedded(strings.TrimPrefix(strings.TrimPrefix(g.path, star.Path), "."))
}

// unitForStars returns the stars among the unitfor parameters of the clone.
func (l *lowerer) unitForStars(c *clone, s state, unit int) []int {
	var with []int
	fn := c.fn.Func
	for i, p := range fn.Params {
		if i == 0 && fn.Signature.Recv() != nil || !l.UnitFor(fn, p) {
			continue
		}
		g := s.tags[p]
		if g.kind == object && g.star != unit && g.path == l.Stars.Stars[g.star].Path && !slices.Contains(with, g.star) {
			with = append(with, g.star)
		}
	}
	return with
}

// dropIdleUnits removes the units that the clone was taken for because it might
// access a star itself, where it turned out that it does not.
func (c *clone) dropIdleUnits() {
	idle := map[int]bool{}
	var kept []unitFrame
	for _, u := range c.units {
		if u.direct && c.touched&(1<<u.star) == 0 {
			idle[u.star] = true
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
		for _, st := range seg.stmts {
			if (st.Op == esl.UnitBegin || st.Op == esl.UnitEnd) && idle[st.Arg] {
				continue
			}
			stmts = append(stmts, st)
		}
		seg.stmts = stmts
	}
}
