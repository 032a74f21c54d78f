package lower

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/ownership"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// stepOnce lowers one instruction that is no control flow, but for the keys that it makes. It
// returns the ways in which it can go.
func (l *lowerer) stepOnce(c *clone, s state, instr ssa.Instruction) []outcome {
	if all := l.stepTogether(c, s, instr); all != nil {
		return all
	}
	if all := l.stepMake(c, s, instr); all != nil {
		return all
	}
	switch v := instr.(type) {
	case *ssa.Alloc:
		return l.stepAlloc(c, s, v)
	case *ssa.IndexAddr:
		return l.stepIndexAddr(c, s, v)
	case *ssa.Store:
		return l.stepStore(c, s, v)
	case *ssa.UnOp:
		return l.stepUnOp(c, s, v)
	case *ssa.Field:
		return l.results(s, v, l.known(c, v, l.fieldOf(c, s, v)))
	case *ssa.Index: // of an array that is a value, as in a range over it
		return l.results(s, v, l.choices.Unknown(c.node, v))
	case *ssa.Lookup:
		return l.stepLookup(c, s, v)
	case *ssa.MapUpdate:
		into := l.tagOf(c, s, v.Map)
		s.private &^= l.publishedBy(s, into, l.tagOf(c, s, v.Key), l.tagOf(c, s, v.Value))
		if into.Kind == tag.Contents && (fresh.HoldsPointers(v.Value.Type()) || fresh.HoldsPointers(v.Key.Type())) {
			s.private &^= modref.ContentsBit(into.Star)
		}
		return l.access(c, s, v.Map, esl.Write, v)
	case *ssa.Range:
		if _, isMap := v.X.Type().Underlying().(*types.Map); isMap {
			return l.access(c, s.with(v, l.tagOf(c, s, v.X)), v.X, esl.Read, v)
		}
	case *ssa.Next:
		return l.stepNext(c, s, v)
	case *ssa.Extract:
		if g := l.tagOf(c, s, v.Tuple); g.Kind == tag.Tuple {
			return l.results(s, v, l.known(c, v, l.tags.Part(g, v.Index)))
		}
		return l.results(s, v, l.choices.Unknown(c.node, v))
	case *ssa.TypeAssert:
		g := l.tagOf(c, s, v.X)
		if g.Kind == tag.Nilness || g.Kind == tag.Object && l.choices.FailsAssertion(g, v.AssertedType) {
			g = tag.Tag{}
		}
		if v.CommaOk {
			g = l.tags.Compose(tag.Tuple, []tag.Tag{g, {}})
		}
		return one(nil, s.with(v, g))
	case *ssa.MakeClosure:
		return one(nil, s.with(v, l.bindings(c, s, v)))
	case *ssa.Send:
		return l.stepSend(c, s, v)
	case *ssa.Select:
		return l.stepSelect(c, s, v)
	case *ssa.Call:
		return l.stepCall(c, s, v)
	case *ssa.Go:
		return l.stepGo(c, s, v)
	case *ssa.Defer:
		var args []tag.Tag
		for _, a := range append([]ssa.Value{v.Call.Value}, v.Call.Args...) {
			args = append(args, l.carried(c, s, a))
		}
		d := deferred{node: c.node, instr: v, args: args}
		if modref.IsLoopBody(v.Parent()) {
			return l.deferInBody(c, s, d)
		}
		return one(nil, s.push(d))
	case *ssa.Convert:
		if reduce.ReadsElements(v) {
			return l.access(c, s.with(v, tag.Tag{}), v.X, esl.Read, v)
		}
		return one(nil, s.with(v, l.derived(c, s, v)))
	case *ssa.BinOp:
		if g, ok := l.decidedBefore(c, s, v); ok {
			return one(nil, s.with(v, g))
		}
		return one(nil, s.with(v, l.compared(c, s, v)))
	case ssa.Value:
		return one(nil, s.with(v, l.derived(c, s, v)))
	}
	return one(nil, s)
}

// one returns the single outcome.
func one(stmts []esl.Stmt, s state) []outcome { return []outcome{{stmts, s}} }

// results returns one outcome for each tag that v can have.
func (l *lowerer) results(s state, v ssa.Value, tags []tag.Tag) []outcome {
	var all []outcome
	for _, g := range tags {
		all = append(all, outcome{nil, s.with(v, g)})
	}
	return all
}

// stepAlloc lowers the allocation of a variable or object.
func (l *lowerer) stepAlloc(c *clone, s state, v *ssa.Alloc) []outcome {
	if c.fn.OnceCells[v] {
		return one(nil, s.with(v, l.tags.Compose(tag.Cell, []tag.Tag{{}})))
	}
	if tags := l.holders.TagsOf(l.Graph.ObjectAt(c.node, v)); tags != nil {
		return l.results(s, v, tags)
	}
	if c.fn.localCells[v] {
		return one(nil, s.with(v, l.tags.Zero(v)))
	}
	made := l.Graph.ObjectAt(c.node, v)
	if owner := l.Stars.OwnerOf(made); owner != nil {
		return l.results(s, v, append(l.choices.Others(owner.Star, owner), tag.OwnerTag(owner, "")))
	}
	var all []outcome
	for k, star := range l.Stars.Stars {
		if !star.Objects[made] {
			continue
		}
		yes := s.with(v, tag.Tag{Kind: tag.Object, Star: k, Path: l.Stars.PathOf(k, pointsto.Cell{Object: made})})
		yes.private |= modref.ObjectBit(k) | modref.ContentsBit(k)
		switch {
		case star.Single:
			return one(nil, yes)
		case c.makes == k:
			if !s.made {
				yes.made = true
				all = append(all, outcome{nil, yes})
			}
		case !l.Stars.Constructs(c.node, k):
			all = append(all, outcome{[]esl.Stmt{l.takeToken(k, v)}, yes})
		default: // the constructor decided on entry not to make this star
			for _, g := range l.choices.OthersIn(l.Graph.PointsTo(c.node, v).Cells()) {
				all = append(all, outcome{nil, s.with(v, g)})
			}
		}
	}
	if len(all) == 0 {
		return one(nil, s.with(v, tag.Tag{}))
	}
	for _, g := range l.choices.OthersIn(l.Graph.PointsTo(c.node, v).Cells()) {
		all = append(all, outcome{nil, s.with(v, g)})
	}
	return l.distinct(all, c)
}

// distinct drops outcomes without statements that lead to the same state.
func (l *lowerer) distinct(all []outcome, c *clone) []outcome {
	var kept []outcome
	seen := map[string]bool{}
	for _, o := range all {
		if len(o.stmts) == 0 {
			key := string(l.appendKey(nil, c, o.state))
			if seen[key] {
				continue
			}
			seen[key] = true
		}
		kept = append(kept, o)
	}
	return kept
}

// takeToken returns the statement that makes this allocation the one of star k.
func (l *lowerer) takeToken(k int, at ssa.Instruction) esl.Stmt {
	return esl.Stmt{Op: esl.Set, Arg: l.flag("made_" + l.Stars.Stars[k].Name), Pos: l.position(at)}
}

// stepStore lowers a store.
func (l *lowerer) stepStore(c *clone, s state, v *ssa.Store) []outcome {
	stored := l.tagOf(c, s, v.Val)
	if a, ok := v.Addr.(*ssa.Alloc); ok && c.fn.OnceCells[a] {
		if mustalias.IsCapturedBefore(a, v) {
			s.private &^= l.escaping(c, s, v.Val)
		}
		return one(nil, s.with(a, l.tags.Compose(tag.Cell, []tag.Tag{l.carried(c, s, v.Val)})))
	}
	if a, ok := v.Addr.(*ssa.Alloc); ok && c.fn.localCells[a] {
		held := l.decisive(c, s, v.Val)
		if held.Kind == tag.None {
			held = l.choices.Held(c.node, v.Val, a)
		}
		return one(nil, s.with(a, l.tags.Compose(tag.Cell, []tag.Tag{held})))
	}
	addr := l.tagOf(c, s, v.Addr)
	fills, evident := l.holders.Fills(c.node, v, addr, stored)
	if !evident {
		l.holders.Drop(l.holders.HolderOf(addr))
		l.lost = true
	}
	if !fills || !l.choices.HasOwner(v, addr, stored) {
		return nil
	}
	if addr.Kind == tag.Object && s.private&modref.ObjectBit(addr.Star) == 0 && query.HoldsSynchronisation(v.Val.Type()) {
		l.assume("lock", ssaflow.TokenPos(v), "a lock or the like is overwritten here; it counts as the same one as before")
	}
	s.private &^= l.publishedBy(s, addr, stored)
	if addr.Kind != tag.Object && addr.Kind != tag.Contents {
		s.private &^= l.escaping(c, s, v.Val)
	}
	if (addr.Kind == tag.Object || addr.Kind == tag.Contents) && stored.Kind == tag.None &&
		fresh.HoldsPointers(v.Val.Type()) && !ownership.IsEvidentlyNew(v) {
		// Others may have the contents already.
		s.private &^= modref.ContentsBit(addr.Star)
	}
	outcomes := l.becomesTrue(c, s, v.Addr, v.Val, v, l.access(c, s, v.Addr, esl.Write, v))
	for i, o := range outcomes {
		outcomes[i].state = l.replace(c, o.state, v, addr)
	}
	return l.setGrown(c, v, addr, outcomes)
}

// stepUnOp lowers a load, a receive or an operator.
func (l *lowerer) stepUnOp(c *clone, s state, v *ssa.UnOp) []outcome {
	switch v.Op {
	case token.MUL:
		if ssaflow.IsUnusedArray(v) {
			return one(nil, s)
		}
		tags := l.loaded(c, v, l.tagOf(c, s, v.X))
		if g, ok := l.lockOfCond(c, s, v); ok {
			tags = []tag.Tag{g}
		}
		if first := s.tags.Of(c.fn.Again[v]); l.Rules.Use(rules.LoadsAgain, len(tags) > 1 && first.IsDefinite()) {
			tags = []tag.Tag{first}
		}
		if g, ok := l.frozenAt(c, s, v); ok {
			tags = []tag.Tag{g}
		} else if g, ok := l.decidedBefore(c, s, v); ok {
			tags = []tag.Tag{g}
		}
		var all []outcome
		for _, o := range l.access(c, s, v.X, esl.Read, v) {
			for _, g := range tags {
				all = append(all, outcome{o.stmts, o.state.with(v, g)})
			}
		}
		return l.foundOut(c, s, v.X, v, v, l.foundGrown(c, v, l.tagOf(c, s, v.X), all))
	case token.ARROW:
		return l.stepReceive(c, s, v)
	case token.NOT:
		if g := l.tagOf(c, s, v.X); g.Kind == tag.Truth {
			return one(nil, s.with(v, tag.TruthTag(g.Field == 0)))
		}
	}
	return one(nil, s.with(v, tag.Tag{}))
}

// stepLookup lowers m[k].
func (l *lowerer) stepLookup(c *clone, s state, v *ssa.Lookup) []outcome {
	if _, isMap := v.X.Type().Underlying().(*types.Map); !isMap {
		return one(nil, s.with(v, tag.Tag{}))
	}
	var tags []tag.Tag
	if v.CommaOk {
		for _, g := range l.choices.ElementsOf(c.node, v, 0, l.tagOf(c, s, v.X), v.Type().(*types.Tuple).At(0).Type()) {
			tags = append(tags, l.tags.Compose(tag.Tuple, []tag.Tag{g, {}}))
		}
	} else {
		tags = l.loaded(c, v, l.tagOf(c, s, v.X))
	}
	var all []outcome
	for _, o := range l.access(c, s, v.X, esl.Read, v) {
		for _, g := range tags {
			all = append(all, outcome{o.stmts, o.state.with(v, g)})
		}
	}
	return all
}

// stepNext lowers one step of a range over a map.
func (l *lowerer) stepNext(c *clone, s state, v *ssa.Next) []outcome {
	if v.IsString {
		return one(nil, s)
	}
	iterator := v.Iter.(*ssa.Range)
	g := l.tagOf(c, s, iterator)
	s = s.with(iterator.X, g) // which may be dead by now
	types := v.Type().(*types.Tuple)
	var all []outcome
	for _, key := range l.choices.ElementsOf(c.node, v, 1, g, types.At(1).Type()) {
		for _, value := range l.choices.ElementsOf(c.node, v, 2, g, types.At(2).Type()) {
			next := s.with(v, l.tags.Compose(tag.Tuple, []tag.Tag{{}, key, value}))
			all = append(all, l.access(c, next, iterator.X, esl.Read, v)...)
		}
	}
	return all
}
