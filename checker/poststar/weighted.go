package poststar

import (
	"context"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/limit"
)

// Semiring is an idempotent semiring of bounded height: Combine is associative,
// commutative and idempotent with neutral Zero, Extend is associative with neutral
// One and distributes over Combine. When it is Full, for want of space or time, its
// weights mean nothing any more, and computations with them end soon.
type Semiring[W comparable] interface {
	Zero() W
	One() W
	Combine(a, b W) W
	Extend(a, b W) W
	Full() bool
}

// Weighted is the automaton of the reachable configurations in which each has the
// combination, over all runs that reach it, of the rules' weights in order.
type Weighted[W comparable, S Semiring[W]] struct {
	semiring S
	sat      *Saturation // transitions without witnesses
	weight   []W         // by transition
	rules    []W         // by rule
	queued   []bool
	queue    []int32
}

// Weigh computes the weighted post* of the initial configuration. It ends early with
// an error when the context is done, the limit on transitions is passed, or the
// semiring is full.
func Weigh[W comparable, S Semiring[W]](ctx context.Context, p *Pushdown, labels *automaton.Labels, semiring S,
	weight func(letter int32) W, most int) (*Weighted[W, S], error) {
	w := &Weighted[W, S]{semiring: semiring, sat: newSaturation(p, labels, Query{})}
	for i := range p.Rules {
		w.rules = append(w.rules, weight(p.Rules[i].Letter))
	}
	w.start()
	for steps := 0; len(w.queue) > 0; steps++ {
		if steps&63 == 0 {
			if err := limit.Pay(ctx, 64*limit.State); err != nil {
				return nil, err
			}
		}
		if most > 0 && len(w.weight) > most || w.semiring.Full() {
			return nil, ErrLimit
		}
		i := w.queue[0]
		w.queue = w.queue[1:]
		w.queued[i] = false
		w.apply(i)
	}
	return w, nil
}

func (w *Weighted[W, S]) start() {
	initial, s := w.sat.Pushdown.Initial, w.sat
	from := int32(initial.Control)
	if len(initial.Stack) == 0 {
		w.improve(from, silent, s.final, w.semiring.One())
	}
	for i, symbol := range initial.Stack {
		to := s.bottom + int32(i)
		w.improve(from, int32(symbol), to, w.semiring.One())
		from = to
	}
}

func (w *Weighted[W, S]) apply(i int32) {
	s := w.sat
	t, weight := s.Transitions[i], w.weight[i]
	first, end := s.Pushdown.Head(t.From, t.Symbol)
	for r := first; r < end; r++ {
		rule := &s.Pushdown.Rules[r]
		after := w.semiring.Extend(weight, w.rules[r])
		switch rule.Push {
		case 0:
			w.improve(rule.To, silent, t.To, after)
		case 1:
			w.improve(rule.To, rule.Upper, t.To, after)
		default:
			mid := s.middle + rule.Mid
			w.improve(mid, rule.Lower, t.To, after)
			w.improve(rule.To, rule.Upper, mid, w.semiring.One())
		}
	}
}

// improve combines a weight into a transition, and joins it with silent ones.
func (w *Weighted[W, S]) improve(from, symbol, to int32, weight W) {
	s := w.sat
	i := w.transition(from, symbol, to)
	sum := w.semiring.Combine(w.weight[i], weight)
	if sum == w.weight[i] {
		return
	}
	w.weight[i] = sum
	switch {
	case from >= s.middle:
		for e := s.eps[from-s.middle]; e >= 0; e = s.Transitions[e].next {
			w.improve(s.Transitions[e].From, symbol, to, w.semiring.Extend(sum, w.weight[e]))
		}
	case symbol != silent:
		if !w.queued[i] {
			w.queued[i] = true
			w.queue = append(w.queue, i)
		}
	default:
		for o := s.out[to-s.middle]; o >= 0; o = s.Transitions[o].next {
			t := s.Transitions[o]
			w.improve(from, t.Symbol, t.To, w.semiring.Extend(w.weight[o], sum))
		}
	}
}

// transition returns the number of a transition, new with weight zero.
func (w *Weighted[W, S]) transition(from, symbol, to int32) int32 {
	s := w.sat
	if 2*len(s.Transitions) >= len(s.table) {
		s.grow()
	}
	slot := s.slot(from, symbol, to)
	if s.table[slot] != 0 {
		return s.table[slot] - 1
	}
	i := int32(len(s.Transitions))
	s.table[slot] = i + 1
	t := Transition{From: from, Symbol: symbol, To: to, next: -1}
	list := (*int32)(nil)
	if from >= s.middle {
		list = &s.out[from-s.middle]
	} else if symbol == silent {
		list = &s.eps[to-s.middle]
	}
	if list != nil {
		t.next, *list = *list, i
	}
	s.Transitions = append(s.Transitions, t)
	w.weight = append(w.weight, w.semiring.Zero())
	w.queued = append(w.queued, false)
	return i
}

// Final returns the combined weight of all configurations that are final for a
// label. It means nothing if the semiring is full after it.
func (w *Weighted[W, S]) Final(labels *automaton.Labels, label int) W {
	s, p := w.sat, w.sat.Pushdown
	below := w.below()
	total := w.semiring.Zero()
	for i, t := range s.Transitions {
		if t.From >= s.middle {
			continue
		}
		set := p.Anywhere[t.From]
		if t.Symbol == silent {
			if t.To != s.final {
				continue
			}
			set = p.Emptied[t.From]
		}
		if labels.Has(set, label) {
			total = w.semiring.Combine(total, w.semiring.Extend(below[t.To-s.middle], w.weight[i]))
		}
	}
	return total
}

// below returns for each state that is not a control the combined weight of the
// ways to the end of the stack.
func (w *Weighted[W, S]) below() []W {
	s := w.sat
	below := make([]W, s.final-s.middle+1)
	for i := range below {
		below[i] = w.semiring.Zero()
	}
	below[s.final-s.middle] = w.semiring.One()
	for changed := true; changed && !w.semiring.Full(); {
		changed = false
		for i, t := range s.Transitions {
			if t.From < s.middle {
				continue
			}
			at := &below[t.From-s.middle]
			sum := w.semiring.Combine(*at, w.semiring.Extend(below[t.To-s.middle], w.weight[i]))
			if sum != *at {
				*at, changed = sum, true
			}
		}
	}
	return below
}
