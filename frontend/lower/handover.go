package lower

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/notes"
	"github.com/empire-go/empire-go/frontend/ownership"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/tag"
)

// A star that goes through a channel, or a pool, is in it at most once where everybody
// puts in only what he has made or taken out before, and does so once: then who takes it
// out is the only one to have taken it since it was put in. The model has a token for it.
// (A channel that many workers receive from hands each object to one of them.)

// tokenFor returns the token of a star in what a transfer is through; ok is false if it
// is not evident how the star gets in there.
func (l *lowerer) tokenFor(star int, t ownership.Transfer) (token int, ok bool) {
	cells := l.owners.TransferCells(t)
	if len(cells) == 0 {
		return 0, false
	}
	return l.tokenAt(star, l.owners.CarriersOf(star).Find(cells[0]))
}

// tokenAt is tokenFor for what stands for a channel or pool.
func (l *lowerer) tokenAt(star int, through pointsto.Cell) (token int, ok bool) {
	carriers := l.owners.CarriersOf(star)
	if carriers.Excluded[through] || l.badCarriers[carrierKey{star, through}] {
		return 0, false
	}
	number, known := carriers.Tokens[through]
	if !known {
		number = len(carriers.Tokens) + 1
		carriers.Tokens[through] = number
	}
	key := carrierKey{star, through}
	if token, ok = l.tokens[key]; !ok {
		token = len(l.channelList)
		l.tokens[key] = token
		l.channelList = append(l.channelList, esl.Channel{
			Name: fmt.Sprintf("%s_handed_%d", l.Stars.Stars[star].Name, number), Capacity: 1})
	}
	return token, true
}

// carrierKey is a star and what it goes through.
type carrierKey struct {
	star    int
	through pointsto.Cell
}

// handsOver adds to the outcomes of an instruction that the star is put into a channel
// or pool, or taken out.
func (l *lowerer) handsOver(c *clone, s state, instr ssa.Instruction, outcomes []outcome) []outcome {
	for i, t := range ownership.TransfersOf(c.node, instr) {
		if _, isCall := instr.(ssa.CallInstruction); t.Put && !isCall {
			outcomes = l.putsIn(c, s, t, outcomes, func(o outcome) bool {
				_, isSelect := instr.(*ssa.Select)
				return !isSelect || l.tags.Part(o.state.tags.Of(instr.(ssa.Value)), 0) == tag.NumberTag(i)
			})
		}
	}
	t, ok := ownership.Taken(c.node, instr)
	if !ok {
		return outcomes
	}
	for i, o := range outcomes {
		g := o.state.tags.Of(t.Value)
		if g.Kind != tag.Object {
			continue
		}
		if token, ok := l.tokenFor(g.Star, t); ok {
			l.Rules.Use(rules.HandedOver, true)
			outcomes[i].stmts = append(o.stmts[:len(o.stmts):len(o.stmts)],
				esl.Stmt{Op: esl.Receive, Arg: token, Pos: l.position(instr)})
		}
	}
	return outcomes
}

// putsIn adds the token of the star that is put in to the outcomes that are chosen.
func (l *lowerer) putsIn(c *clone, s state, t ownership.Transfer, outcomes []outcome,
	chosen func(outcome) bool) []outcome {
	g := l.tagOf(c, s, t.Value)
	if g.Kind == tag.None {
		l.isUndecided(c, t)
		return outcomes
	}
	if g.Kind != tag.Object {
		return outcomes
	}
	token, ok := l.tokenFor(g.Star, t)
	for i, o := range outcomes {
		if ok && chosen(o) {
			outcomes[i].stmts = append([]esl.Stmt{{Op: esl.Send, Arg: token, Pos: l.position(t.Instr)}}, o.stmts...)
		}
	}
	return outcomes
}

// isUndecided notes that it is not known here whether a star is put in: then it may be
// taken out at any time.
func (l *lowerer) isUndecided(c *clone, t ownership.Transfer) {
	for k, star := range l.Stars.Stars {
		if !slices.ContainsFunc(l.Graph.PointsTo(c.node, t.Value).Objects(), func(o *pointsto.Object) bool {
			return star.Objects[o]
		}) {
			continue
		}
		if _, ok := l.tokenFor(k, t); ok {
			l.badCarriers[carrierKey{k, l.owners.CarriersOf(k).Find(l.owners.TransferCells(t)[0])}] = true
			l.lost = true
		}
	}
}

// putIntoPool adds to the outcomes of a call of sync.Pool.Put that the star is put in.
func (l *lowerer) putIntoPool(c *clone, s state, at ssa.CallInstruction, outcomes []outcome) []outcome {
	for _, t := range ownership.TransfersOf(c.node, at) {
		if t.Put {
			return l.putsIn(c, s, t, outcomes, func(outcome) bool { return true })
		}
	}
	return outcomes
}

// putNew puts into its pool the star that a function returns by which a pool makes what it
// has none of: who asked for it takes it out.
func (l *lowerer) putNew(c *clone, seg *segment, s state, instr *ssa.Return) {
	if len(instr.Results) != 1 || !slices.ContainsFunc(l.Graph.Callers(c.node), ownership.IsPoolGet) {
		return
	}
	g := l.tagOf(c, s, instr.Results[0])
	for k := range l.Stars.Stars {
		if g.Kind != tag.None && (g.Kind != tag.Object || g.Star != k) {
			continue
		}
		pools := l.owners.CarriersOf(k).PoolsOf(l.Graph, c.node.Func)
		for _, pool := range pools {
			token, ok := l.tokenAt(k, pool)
			switch {
			case ok && (g.Kind == tag.None || len(pools) > 1):
				l.badCarriers[carrierKey{k, pool}] = true
				l.lost = true
			case ok:
				seg.Stmts = append(seg.Stmts, esl.Stmt{Op: esl.Send, Arg: token, Pos: l.position(instr)})
			}
		}
	}
}

// settleTokens adds what goroutines may do with stars of which the model has only a few.
func (l *lowerer) settleTokens(r *Result) {
	var tokens []notes.Token
	for key, channel := range l.tokens {
		tokens = append(tokens, notes.Token{Object: key.star, Channel: channel,
			Made: l.flag("made_" + l.Stars.Stars[key.star].Name)})
	}
	if notes.SettleTokens(r.Program, tokens) {
		r.GoFunctions = append(r.GoFunctions, "program")
	}
}
