package poststar

import (
	"context"
	"errors"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/limit"
)

// ErrLimit means that a saturation had more transitions than it was allowed.
var ErrLimit = errors.New("the limit on transitions is passed")

// Query is what to saturate.
type Query struct {
	Guide *automaton.Automaton // only runs whose words have a path in it; nil: all runs
	Goal  bool                 // stop at the first final configuration whose word Guide accepts
	Label int                  // for Goal: the label that the final configuration must have
	Limit int                  // on transitions; 0: none
}

// Saturation is the automaton of the configurations that are reachable. Its states
// are first the controls (paired with the states of Guide), then one for each
// head that is pushed (paired likewise), then those of the initial stack.
type Saturation struct {
	Pushdown    *Pushdown
	Transitions []Transition
	Found       int // the transition that reaches the goal, or -1

	guide  *automaton.Automaton
	width  int32 // states of the guide
	middle int32 // first state that is not a control
	bottom int32 // first state of the initial stack
	final  int32
	table  []int32 // open addressing: transition + 1
	out    []int32 // by state - middle: last transition from it, linked by next
	eps    []int32 // by state - middle: last silent transition to it, linked by next
	goal   []uint8 // by control: goalAnywhere, goalEmptied
}

// Transition is a transition of the automaton with the step that first made it.
type Transition struct {
	From, To int32
	Symbol   int32 // silent if it pops the last symbol above To
	step     int32 // the rule (index into Pushdown.Rules), or one of the constants below
	before   int32 // the transition whose head the step rewrote; joined: the silent one
	second   int32 // joined: the transition that follows the silent one
	next     int32
}

const silent = -1

const (
	initially int32 = -1 - iota
	pushed          // the upper half of a push; the lower half has the rule
	joined          // a silent transition with one that follows it
)

const (
	goalAnywhere = 1 << iota
	goalEmptied
)

// Saturate computes post* of the initial configuration, in O(rules * states^2)
// worst-case time with states those that are not controls. It ends early with an
// error when the context is done or the limit is passed.
func Saturate(ctx context.Context, p *Pushdown, labels *automaton.Labels, q Query) (*Saturation, error) {
	s := newSaturation(p, labels, q)
	s.start()
	done := 0
	defer func() { limit.Pay(ctx, limit.Transition*limit.Work(done&1023)) }()
	for i := 0; i < len(s.Transitions) && s.Found < 0; i++ {
		if done = i; i&1023 == 0 {
			if err := limit.Pay(ctx, min(limit.Work(i), 1024)*limit.Transition); err != nil {
				return nil, err
			}
		}
		if q.Limit > 0 && len(s.Transitions) > q.Limit {
			return nil, ErrLimit
		}
		if t := s.Transitions[i]; t.From < s.middle && t.Symbol != silent {
			s.apply(int32(i), t)
		}
	}
	return s, nil
}

func newSaturation(p *Pushdown, labels *automaton.Labels, q Query) *Saturation {
	p.Prepare()
	s := &Saturation{Pushdown: p, Found: -1, guide: q.Guide, width: 1}
	if q.Guide != nil {
		s.width = int32(q.Guide.States())
	}
	s.middle = int32(p.Controls) * s.width
	s.bottom = s.middle + int32(p.Mids)*s.width
	s.final = s.bottom + int32(max(0, len(p.Initial.Stack)-1))
	s.table = make([]int32, 64)
	s.out = make([]int32, s.final-s.middle+1)
	s.eps = make([]int32, s.final-s.middle+1)
	for i := range s.out {
		s.out[i], s.eps[i] = -1, -1
	}
	s.goal = make([]uint8, s.middle)
	for c := range p.Controls {
		for g := range s.width {
			if !q.Goal || q.Guide != nil && q.Guide.Accept[g] == automaton.None {
				continue
			}
			at := int32(c)*s.width + g
			if labels.Has(p.Anywhere[c], q.Label) {
				s.goal[at] |= goalAnywhere
			}
			if labels.Has(p.Emptied[c], q.Label) {
				s.goal[at] |= goalEmptied
			}
		}
	}
	return s
}

// start adds the transitions of the initial configuration.
func (s *Saturation) start() {
	initial := s.Pushdown.Initial
	from := int32(initial.Control) * s.width
	if s.guide != nil {
		from += s.guide.Start
	}
	if len(initial.Stack) == 0 {
		s.add(from, silent, s.final, initially, -1, -1)
		return
	}
	// Deepest first, so that a path of first transitions always ends.
	states := make([]int32, len(initial.Stack)+1)
	states[0] = from
	for i := range initial.Stack {
		states[i+1] = s.bottom + int32(i)
	}
	for i := len(initial.Stack) - 1; i >= 0; i-- {
		s.add(states[i], int32(initial.Stack[i]), states[i+1], initially, -1, -1)
	}
}

// apply takes the rules of the head of transition i.
func (s *Saturation) apply(i int32, t Transition) {
	p := s.Pushdown
	control, position := t.From, int32(0)
	if s.guide != nil {
		control, position = t.From/s.width, t.From%s.width
	}
	first, end := p.Head(control, t.Symbol)
	for r := first; r < end; r++ {
		rule := &p.Rules[r]
		if rule.Letter == automaton.Epsilon || s.guide == nil {
			s.rewrite(i, t, r, rule, position)
			continue
		}
		for _, e := range s.guide.Edges[position] {
			if e.Letter == rule.Letter {
				s.rewrite(i, t, r, rule, e.To)
			}
		}
	}
}

func (s *Saturation) rewrite(i int32, t Transition, r int32, rule *Rule, position int32) {
	to := rule.To*s.width + position
	switch rule.Push {
	case 0:
		s.add(to, silent, t.To, r, i, -1)
	case 1:
		s.add(to, rule.Upper, t.To, r, i, -1)
	default:
		mid := s.middle + rule.Mid*s.width + position
		// The lower half first: every state that is reached has a way to the end.
		s.add(mid, rule.Lower, t.To, r, i, -1)
		s.add(to, rule.Upper, mid, pushed, -1, -1)
	}
}

// add adds a transition unless it is there, and joins it with silent ones.
func (s *Saturation) add(from, symbol, to, step, before, second int32) {
	if 2*len(s.Transitions) >= len(s.table) {
		s.grow()
	}
	slot := s.slot(from, symbol, to)
	if s.table[slot] != 0 {
		return
	}
	i := int32(len(s.Transitions))
	s.table[slot] = i + 1
	t := Transition{From: from, Symbol: symbol, To: to, step: step, before: before, second: second, next: -1}
	if from >= s.middle {
		t.next = s.out[from-s.middle]
		s.out[from-s.middle] = i
		s.Transitions = append(s.Transitions, t)
		for e := s.eps[from-s.middle]; e >= 0; e = s.Transitions[e].next {
			s.add(s.Transitions[e].From, symbol, to, joined, e, i)
		}
		return
	}
	if symbol != silent {
		s.Transitions = append(s.Transitions, t)
		if s.goal[from]&goalAnywhere != 0 && s.Found < 0 {
			s.Found = int(i)
		}
		return
	}
	t.next = s.eps[to-s.middle]
	s.eps[to-s.middle] = i
	s.Transitions = append(s.Transitions, t)
	if to == s.final && s.goal[from]&goalEmptied != 0 && s.Found < 0 {
		s.Found = int(i)
	}
	for o := s.out[to-s.middle]; o >= 0; o = s.Transitions[o].next {
		s.add(from, s.Transitions[o].Symbol, s.Transitions[o].To, joined, i, o)
	}
}

// slot returns the place of a transition in the table, or the free one for it.
func (s *Saturation) slot(from, symbol, to int32) uint32 {
	mask := uint32(len(s.table) - 1)
	h := uint64(uint32(from))*0x9E3779B97F4A7C15 ^ (uint64(uint32(symbol))<<32|uint64(uint32(to)))*0xC2B2AE3D27D4EB4F
	h ^= h >> 29
	h *= 0xBF58476D1CE4E5B9
	i := uint32(h>>32) & mask
	for s.table[i] != 0 {
		t := &s.Transitions[s.table[i]-1]
		if t.From == from && t.Symbol == symbol && t.To == to {
			break
		}
		i = (i + 1) & mask
	}
	return i
}

func (s *Saturation) grow() {
	s.table = make([]int32, 4*len(s.table))
	for i := range s.Transitions {
		t := &s.Transitions[i]
		s.table[s.slot(t.From, t.Symbol, t.To)] = int32(i + 1)
	}
}

// Find returns the transition with the parts given, or -1.
func (s *Saturation) Find(from, symbol, to int32) int {
	return int(s.table[s.slot(from, symbol, to)]) - 1
}
