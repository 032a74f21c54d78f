package blocking

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/limit"
)

// node is a state of a goroutine at which the model branches or does something.
type node struct {
	branching branching
	arcs      []arc
	pos       esl.Pos // of a guess
	state     *state  // until it is evaluated
	once      *atOnce // it is of a goroutine that is run at once
	spin      *spin   // the loop that only looks which it is in; nil: it is in none
}

// arc is a way on from a node.
type arc struct {
	outcome
	to    int  // -1: the goroutine ends
	stays bool // in the loop that the node is in, see spin
}

// maxQuiet bounds the instructions between two nodes.
const maxQuiet = 200_000

// build finds the states of a goroutine.
func (l *lowerer) build(p *process) error {
	if len(p.begin.stack) == 0 {
		return nil
	}
	b := &builder{lowerer: l, p: p, index: map[string]int{}, visits: map[string]*visits{}}
	if _, err := b.advance(p.begin); err != nil {
		return err
	}
	for n := 0; n < len(p.nodes); n++ {
		l.poll.Step(limit.Evaluated)
		if l.isInVain() {
			return nil
		}
		l.states++
		isLarge := l.known.visits < maxVisits && l.states > largeModel*l.c.States
		if n > l.c.States || isLarge {
			if l.known.visits > fewestVisits || n > l.c.States && l.known.again < maxAgain {
				l.hasMany = true
				return nil
			}
		}
		if n > l.c.States {
			return fmt.Errorf("%w: goroutine %s has more than %d states", ErrTooLarge, p.name, l.c.States)
		}
		at := p.nodes[n]
		s := at.state
		at.state = nil
		instr := s.top().block.Instrs[s.top().at]
		isAssumed := s.isAssumed()
		at.once, at.spin = s.atOnce(), l.spinOf(s)
		e := l.evaluate(s)
		l.checkAtOnce(at.once, e)
		at.branching, at.pos = e.branching, e.pos
		l.place(e, instr)
		l.noteReached(e, isAssumed)
		for _, o := range e.outcomes {
			to := -1
			b.spin, b.isLeft = at.spin, at.spin == nil
			if o.state != nil && !o.state.ended {
				var err error
				if to, err = b.advance(o.state); err != nil {
					return err
				}
			}
			at.arcs = append(at.arcs, arc{o, to, !b.isLeft})
		}
		for i := range at.arcs {
			at.arcs[i].state = nil
		}
	}
	l.checkReturning(p)
	return nil
}

// place gives statements that have no position, as those on variables, that of the instruction.
func (l *lowerer) place(e effect, instr ssa.Instruction) {
	if !instr.Pos().IsValid() {
		return
	}
	for _, o := range e.outcomes {
		for i := range o.stmts {
			if o.stmts[i].Op != esl.Skip && o.stmts[i].Pos == (esl.Pos{}) {
				o.stmts[i].Pos = l.position(instr)
			}
		}
	}
}

// builder builds the states of one goroutine.
type builder struct {
	*lowerer
	p      *process
	index  map[string]int
	visits map[string]*visits

	spin   *spin // the loop that it advances in
	isLeft bool  // the loop, on the way
}

// advance goes on to the next node: before an instruction that does something in the model, or that branches, and
// where ways join. It returns -1 at the end of the goroutine.
func (b *builder) advance(s *state) (int, error) {
	for range maxQuiet {
		b.poll.Step(limit.Computed)
		b.isLeft = b.isLeft || !b.spin.has(s)
		if len(s.stack) == 0 {
			return -1, nil
		}
		a := s.top()
		isJoin := a.at == ssaflow.FirstAfterPhis(a.block) && len(a.block.Preds) > 1
		if isJoin || b.isVisible(s) {
			return b.node(s), nil
		}
		e := b.evaluate(s)
		s = e.outcomes[0].state
	}
	return 0, fmt.Errorf("%w: goroutine %s goes on and on", ErrTooLarge, b.p.name)
}

// isVisible tells whether the next instruction may do something in the model, or branch: all but the simplest may.
func (b *builder) isVisible(s *state) bool {
	a := s.top()
	if _, isNil := b.nilUsed(a, a.block.Instrs[a.at]); isNil {
		return true
	}
	switch x := a.block.Instrs[a.at].(type) {
	case *ssa.UnOp, *ssa.Lookup, *ssa.Next:
		if b.quiet.readsForgotten(x) {
			return false
		}
	}
	switch x := a.block.Instrs[a.at].(type) {
	case *ssa.If:
		_, known := asBool(b.valueOf(a, x.Cond))
		return !known
	case *ssa.UnOp:
		if x.Op == token.ARROW || x.Op == token.MUL && b.isChosen(x) {
			return true
		}
		p, ok := b.valueOf(a, x.X).(pointer)
		return x.Op == token.MUL && ok && b.known.shared[cell{p.to, p.path}] != nil
	case *ssa.Store:
		p, ok := b.valueOf(a, x.Addr).(pointer)
		return ok && b.mayBeShared(p) && !b.quiet.isForNobody(x)
	case *ssa.Lookup, *ssa.Next:
		return b.isChoice(s, x) || b.isOnTable(s, x)
	case *ssa.MakeChan:
		return isDivided(x, b.valueOf(a, x.Size))
	case *ssa.Send, *ssa.Select, *ssa.Go, *ssa.Panic, *ssa.MapUpdate:
		return true
	case *ssa.Return:
		return len(a.after) > 0
	case *ssa.RunDefers:
		return len(a.defers) > 0
	case *ssa.Call:
		if f := x.Call.StaticCallee(); f != nil && !x.Call.IsInvoke() {
			return isModelled(f) || isOfTest(f)
		}
		return true
	}
	return false
}

// mayBeShared tells whether what a pointer leads to, or a part of it, is a variable of the model.
func (b *builder) mayBeShared(p pointer) bool {
	return b.known.sharedObjects[p.to]
}

// node returns the node of a state.
func (b *builder) node(s *state) int {
	b.collect(s)
	place := b.placeOf(s)
	s = b.widen(s, place)
	key := b.key(s)
	if b.known.visits == fewestVisits {
		b.known.noteJoined(b.p.key+"\n"+place, key)
	}
	n, ok := b.index[key]
	if !ok {
		n = len(b.p.nodes)
		b.index[key] = n
		b.p.nodes = append(b.p.nodes, &node{state: s})
		if v := b.visits[place]; v != nil && v.n > b.known.visits {
			v.more++
		}
	}
	return n
}
