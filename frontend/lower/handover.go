package lower

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// A star that one statement sends, and at most once, is received at most once, and
// only after it was sent: who receives it is the next to have it. (A channel that
// many workers receive from hands each object to one of them.)

// handover is the only statement that sends a star to some channels.
type handover struct {
	send *ssa.Send
	star int
}

// knownHandover is an answer of handoverOf.
type knownHandover struct {
	handover
	ok bool
}

// handoverOf returns the only statement that sends star k to one of the channels; ok
// is false if there may be several, or if the statement may send the star twice.
func (l *lowerer) handoverOf(k int, channels []*pointsto.Object, depth int) (handover, bool) {
	key := fmt.Sprint(k, channels)
	known, ok := l.knownHandovers[key]
	if !ok {
		known.handover, known.ok = l.findHandover(k, channels, depth)
		if depth == 0 {
			l.knownHandovers[key] = known
		}
	}
	return known.handover, known.ok && !l.badHandovers[known.handover]
}

// findHandover looks for what handoverOf returns.
func (l *lowerer) findHandover(k int, channels []*pointsto.Object, depth int) (h handover, ok bool) {
	if len(channels) == 0 || depth > maxStages {
		return h, false
	}
	var at *pointsto.Node
	for _, n := range l.Stars.Near() {
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				switch v := instr.(type) {
				case *ssa.Send:
					if !l.mayCarry(n, v.Chan, v.X, k, channels) {
						continue
					}
					if h.send != nil && h.send != v {
						return h, false
					}
					h, at = handover{v, k}, n
					if !l.sendsOnce(at, h, depth) {
						return h, false
					}
				case *ssa.Select:
					for _, st := range v.States {
						if st.Send != nil && l.mayCarry(n, st.Chan, st.Send, k, channels) {
							return h, false
						}
					}
				}
			}
		}
	}
	return h, h.send != nil
}

// maxStages bounds the length of a chain of channels that hand an object on.
const maxStages = 4

// mayCarry tells whether the send may be of the star, to one of the channels.
func (l *lowerer) mayCarry(n *pointsto.Node, ch, value ssa.Value, k int, channels []*pointsto.Object) bool {
	isStar := func(o *pointsto.Object) bool { return l.Stars.Stars[k].Objects[o] }
	isMeant := func(o *pointsto.Object) bool { return slices.Contains(channels, o) }
	return slices.ContainsFunc(l.Graph.PointsTo(n, value).Objects(), isStar) &&
		slices.ContainsFunc(l.Graph.PointsTo(n, ch).Objects(), isMeant)
}

// sendsOnce tells whether the statement sends the star once at most: each time it
// sends an object that was made, or received, since the last time.
func (l *lowerer) sendsOnce(n *pointsto.Node, h handover, depth int) bool {
	c := &clone{cloneKey: cloneKey{node: n}, fn: l.function(n.Func)}
	if made := l.makerOf(h.star, l.Stars.Stars[h.star], c, h.send.X); made != nil {
		return !multiplicity.RepeatsWithout(h.send.Block(), made.Block())
	}
	from, at := receivedFrom(h.send.X)
	if from == nil || multiplicity.RepeatsWithout(h.send.Block(), at.Block()) {
		return false
	}
	_, ok := l.handoverOf(h.star, l.Graph.PointsTo(n, from).Objects(), depth+1)
	return ok
}

// receivedFrom returns the channel that the value was received from, and where; nil
// if it was not, or if another value stands for what was received, too.
func receivedFrom(v ssa.Value) (ch ssa.Value, at ssa.Instruction) {
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op.String() == "<-" && !v.CommaOk {
			return v.X, v
		}
	case *ssa.Extract:
		for _, r := range *v.Tuple.Referrers() {
			if other, ok := r.(*ssa.Extract); ok && other != v && other.Index == v.Index {
				return nil, nil
			}
		}
		switch t := v.Tuple.(type) {
		case *ssa.UnOp:
			if t.Op.String() == "<-" && v.Index == 0 {
				return t.X, t
			}
		case *ssa.Select:
			next := 2
			for _, st := range t.States {
				if st.Send != nil {
					continue
				}
				if next == v.Index {
					return st.Chan, t
				}
				next++
			}
		}
	}
	return nil, nil
}

// handsOver adds to the outcomes of a send, or of what has a received value, that
// the star is handed over.
func (l *lowerer) handsOver(c *clone, s state, instr ssa.Instruction, outcomes []outcome) []outcome {
	pos := l.position(instr)
	if send, ok := instr.(*ssa.Send); ok {
		g := l.tagOf(c, s, send.X)
		for k := range l.Stars.Stars {
			if !l.mayCarry(c.node, send.Chan, send.X, k, l.Graph.PointsTo(c.node, send.Chan).Objects()) {
				continue
			}
			h, ok := l.handoverOf(k, l.Graph.PointsTo(c.node, send.Chan).Objects(), 0)
			switch {
			case !ok || h.send != send:
			case g.kind == none:
				l.badHandovers[h] = true
				l.lost = true
			case g.kind == object && g.star == k:
				for i, o := range outcomes {
					outcomes[i].stmts = append([]esl.Stmt{{Op: esl.Set, Arg: l.flag(l.handoverName(h) + "_sent"), Pos: pos}}, o.stmts...)
				}
			}
		}
		return outcomes
	}
	v, ok := instr.(ssa.Value)
	if !ok {
		return outcomes
	}
	from, _ := receivedFrom(v)
	if from == nil {
		return outcomes
	}
	for i, o := range outcomes {
		g := o.state.tags[v]
		if g.kind != object {
			continue
		}
		if h, ok := l.handoverOf(g.star, l.Graph.PointsTo(c.node, from).Objects(), 0); ok {
			name := l.handoverName(h)
			outcomes[i].stmts = append(o.stmts[:len(o.stmts):len(o.stmts)],
				esl.Stmt{Op: esl.Await, Arg: l.flag(name + "_sent"), Pos: pos}, esl.Stmt{Op: esl.Set, Arg: l.flag(name + "_received"), Pos: pos})
		}
	}
	return outcomes
}

// handoverName returns the name of a handover in the model, with no other one's.
func (l *lowerer) handoverName(h handover) string {
	number, ok := l.handovers[h]
	if !ok {
		number = len(l.handovers) + 1
		l.handovers[h] = number
	}
	return fmt.Sprintf("%s_%d", l.Stars.Stars[h.star].Name, number)
}
