package steer

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/snapshot"
)

// HarmBudget bounds the search for harm.
type HarmBudget struct {
	States int // of an object, that calls lead to
	Tried  int // experiments to find these
	Runs   int // experiments for each pair of functions
}

// DefaultHarmBudget takes a few seconds for each pair of functions.
var DefaultHarmBudget = HarmBudget{States: 120, Tried: 4000, Runs: 12_000}

// The limits of harm.md: how many calls lead to a start, and how many times an order is repeated.
const (
	maxBefore = 4
	repeats   = 5
	maxTurns  = 40 // of a call, at which it is preempted; of more, so many
)

// harmSearch looks for runs of two calls that do what no order of them does.
type harmSearch struct {
	trial  *empire.Trial
	lab    *laboratory
	budget HarmBudget

	inTurn   []int // the steps of which a state can be: first one of each function
	states   []objectState
	reached  map[string]bool
	expanded int // how many of the states have been gone on from
	tried    int
	seed     uint64
}

// objectState is how an object is made and what is done with it.
type objectState struct {
	maker  int
	before []int // steps, or timePasses
	timed  bool  // the clock was looked at meanwhile
}

func newHarmSearch(t *empire.Trial, lab *laboratory, budget HarmBudget) *harmSearch {
	return &harmSearch{trial: t, lab: lab, budget: budget, reached: map[string]bool{}, seed: 1, inTurn: inTurn(t)}
}

// finding is a harmful run.
type finding struct {
	state      objectState
	calls      [2]int
	run        experiment
	saw        *observation
	orders     *outcomes
	isObserved bool
	after      []int // the calls that show it
}

// noHarm says what the search has done in vain.
type noHarm struct {
	runs, starts int
	blocked      int // starts at which an order of the calls blocks
	why          string
}

// search looks for a harmful run of two functions, given by the steps that call them: first from
// a start that is already known. It goes on after one that no call shows, for one that a call does.
func (h *harmSearch) search(calls [2][]int, known *knownStart) (*finding, noHarm, error) {
	var none noHarm
	var possible *finding
	begin, unobserved := h.lab.count-h.tried, 0
	// try tells whether it is enough.
	try := func(s objectState, u, v, preemptions int) (bool, error) {
		f, err := h.together(s, u, v, preemptions, &none)
		if err != nil || f == nil {
			return false, err
		}
		if possible == nil || f.isObserved {
			possible = f
		}
		unobserved++
		return f.isObserved || unobserved >= preemptions*maxUnobserved, nil
	}
	for preemptions := 1; known != nil && preemptions <= 2; preemptions++ {
		if enough, err := try(known.state, known.calls[0], known.calls[1], preemptions); enough || err != nil {
			return possible, none, err
		}
	}
	for preemptions := 1; preemptions <= 2; preemptions++ {
		end := begin + h.budget.Runs*preemptions/2
		for i := 0; h.lab.count-h.tried < end; i++ {
			if ok, err := h.hasState(i); err != nil {
				return nil, none, err
			} else if !ok {
				break
			}
			for _, u := range calls[0] {
				for _, v := range calls[1] {
					if calls[0][0] == calls[1][0] && v < u || h.lab.count-h.tried >= end {
						continue // two calls of one function can be exchanged
					}
					if enough, err := try(h.states[i], u, v, preemptions); enough || err != nil {
						return possible, none, err
					}
				}
			}
		}
	}
	none.runs = h.lab.count - h.tried - begin
	return possible, none, nil
}

// maxUnobserved is after how many harmful runs, of which no call shows the harm, it is enough, for each
// number of preemptions.
const maxUnobserved = 6

// inTurn returns the steps that come to an end: one of each function, then another one of each.
func inTurn(t *empire.Trial) []int {
	var rounds [][]int
	count := map[string]int{}
	for i, s := range t.Steps {
		if s.Waits {
			continue
		}
		n := count[s.Callee]
		if count[s.Callee]++; n == len(rounds) {
			rounds = append(rounds, nil)
		}
		rounds[n] = append(rounds[n], i)
	}
	return slices.Concat(rounds...)
}

// hasState tells whether there are so many states. They are found breadth first.
func (h *harmSearch) hasState(i int) (bool, error) {
	if len(h.states) == 0 && h.expanded == 0 {
		for maker := range max(1, len(h.trial.Makers)) {
			if err := h.add(objectState{maker: maker}); err != nil {
				return false, err
			}
		}
	}
	for i >= len(h.states) && h.expanded < len(h.states) && len(h.states) < h.budget.States && h.tried < h.budget.Tried {
		s := h.states[h.expanded]
		if h.expanded++; len(s.before) == maxBefore {
			continue
		}
		next := h.inTurn
		if s.timed && !slices.Contains(s.before, timePasses) {
			next = append([]int{timePasses}, next...)
		}
		for _, step := range next {
			if len(h.states) >= h.budget.States {
				break
			}
			if err := h.add(objectState{maker: s.maker, before: append(slices.Clone(s.before), step)}); err != nil {
				return false, err
			}
		}
	}
	return i < len(h.states), nil
}

// add notes a state, unless another way leads to it, or a call on the way does not return.
func (h *harmSearch) add(s objectState) error {
	count := h.lab.count
	defer func() { h.tried += h.lab.count - count }()
	e := experiment{maker: s.maker, start: s.before, seed: 1}
	one, err := h.lab.do(e)
	if err != nil || one.failed != "" || isCrash(one) {
		return err
	}
	e.seed = 2
	other, err := h.lab.do(e)
	if err != nil || other.failed != "" {
		return err
	}
	key := stateKey(one.lines, other.lines)
	if s.timed = one.timed; slices.Contains(s.before, timePasses) {
		key += "later"
	}
	if !h.reached[key] {
		h.reached[key] = true
		h.states = append(h.states, s)
	}
	return nil
}

// stateKey is what two looks at a state have in common.
func stateKey(one, other []snapshot.Line) string {
	varied := map[string]bool{}
	if len(one) == len(other) {
		for i, l := range one {
			if l != other[i] {
				varied[l.Path] = true
			}
		}
	}
	return (&outcomes{varied: varied}).text(one)
}

func isCrash(o *observation) bool { return len(o.lines) == 1 && o.lines[0].Path == crashRoot }

// together tries two calls from one state, with so many preemptions.
func (h *harmSearch) together(s objectState, u, v, preemptions int, none *noHarm) (*finding, error) {
	plain := experiment{maker: s.maker, start: s.before, calls: []int{u, v}, seed: 1}
	var orders []*observation
	for _, kind := range orderKinds {
		if kind.late && orders[0].turnsOf(others) == 0 && orders[1].turnsOf(others) == 0 {
			break
		}
		o, err := h.lab.do(plain.inOrder(kind.reversed, kind.late))
		if err != nil {
			return nil, err
		}
		if o.failed != "" || o.isWaiting() {
			none.blocked++
			if none.why = o.failed; none.why == "" {
				none.why = "one of the calls waits for the other one"
			}
			return nil, nil
		}
		orders = append(orders, o)
	}
	none.starts++
	var known *outcomes
	var hidden *finding // of which the two calls show nothing
	refuted := map[string]bool{}
	for turns := range schedules(orders[0].turnsOf(0), orders[0].turnsOf(1), preemptions) {
		run := plain
		run.turns = turns
		o, err := h.lab.do(run)
		if err != nil {
			return nil, err
		}
		if o.failed != "" || slices.ContainsFunc(orders, o.isLike) {
			continue
		}
		if known == nil {
			if known, err = h.repeated(plain); err != nil {
				if because := (*noOrder)(nil); errors.As(err, &because) {
					none.why = because.why
					return nil, nil
				}
				return nil, err
			}
		}
		text := known.text(o.lines)
		if known.all[text] || refuted[text] || hidden != nil && !known.isObserved(o) {
			continue
		}
		f := &finding{state: s, calls: [2]int{u, v}, run: run, saw: o, orders: known}
		if ok, err := h.repeats(f); err != nil {
			return nil, err
		} else if !ok {
			if refuted[text] = true; len(refuted) > maxRefuted {
				return nil, nil
			}
			continue
		}
		if f.isObserved = f.orders.isObserved(o); f.isObserved {
			return f, nil
		}
		hidden = f
	}
	if hidden == nil {
		return nil, nil
	}
	return hidden, h.observe(hidden)
}

// maxRefuted bounds how many outcomes of one start are looked at that turn out to vary.
const maxRefuted = 5

// others stands for goroutines that are no calls, in a trace.
const others = -1

// inOrder is the experiment with its calls made one after the other.
func (e experiment) inOrder(reversed, late bool) experiment {
	e.order, e.reversed, e.late, e.turns = true, reversed, late, nil
	return e
}

// schedules yields the ways in which two calls can take turns, with so many preemptions: a and b
// are how many times each goes on.
func schedules(a, b, preemptions int) iter.Seq[[]segment] {
	const toTheEnd = 1 << 20
	return func(yield func([]segment) bool) {
		switch preemptions {
		case 1:
			for i := range positions(a) {
				if !yield([]segment{{0, i}, {1, toTheEnd}, {0, toTheEnd}}) {
					return
				}
			}
			for i := range positions(b) {
				if !yield([]segment{{1, i}, {0, toTheEnd}, {1, toTheEnd}}) {
					return
				}
			}
		case 2:
			for i := range positions(a) {
				for j := range positions(b) {
					if !yield([]segment{{0, i}, {1, j}, {0, toTheEnd}, {1, toTheEnd}}) ||
						!yield([]segment{{1, j}, {0, i}, {1, toTheEnd}, {0, toTheEnd}}) {
						return
					}
				}
			}
		}
	}
}

// positions yields where a call that goes on n times is preempted: not before it begins.
func positions(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		step := 1 + n/maxTurns
		for i := 2; i < n+1; i += step {
			if !yield(i) {
				return
			}
		}
	}
}

// repeated makes the calls one after the other, several times.
func (h *harmSearch) repeated(plain experiment) (*outcomes, error) {
	var all [][]*observation
	for _, kind := range orderKinds {
		var some []*observation
		for range repeats {
			h.seed++
			e := plain.inOrder(kind.reversed, kind.late)
			e.seed = h.seed
			o, err := h.lab.do(e)
			if err != nil {
				return nil, err
			}
			if o.failed != "" || o.isWaiting() {
				return nil, &noOrder{cmpOr(o.failed, "an order of the calls blocks, but not always")}
			}
			some = append(some, o)
		}
		all = append(all, some)
	}
	return newOutcomes(all)
}

// repeats tells whether a run does the same again, with other random numbers and in a process of
// its own; and so do the orders.
func (h *harmSearch) repeats(f *finding) (bool, error) {
	again := []*observation{f.saw}
	for _, isFresh := range []bool{false, true} {
		if isFresh {
			h.lab.fresh()
		}
		h.seed++
		e := f.run
		e.seed = h.seed
		o, err := h.lab.do(e)
		if err != nil || o.failed != "" {
			return false, err
		}
		again = append(again, o)
	}
	var ok bool
	if f.orders, ok = f.orders.with(again); !ok || f.orders.hold(f.saw) {
		return false, nil
	}
	for _, kind := range orderKinds {
		h.lab.fresh()
		o, err := h.lab.do(f.run.inOrder(kind.reversed, kind.late))
		if err != nil || o.failed != "" || !f.orders.hold(o) {
			return false, err
		}
	}
	h.lab.fresh()
	return true, nil
}

// observe looks for at most two calls that show the difference, as the two do not.
func (h *harmSearch) observe(f *finding) error {
	tried := 0
	for length := 1; length <= 2; length++ {
		for first := range h.trial.Steps {
			second := h.trial.Steps
			if length == 1 {
				second = second[:1]
			}
			for last := range second {
				after := []int{first, last}[:length]
				if slices.ContainsFunc(after, func(n int) bool { return h.trial.Steps[n].Waits }) {
					continue
				}
				if tried++; tried > maxFollowing {
					return nil
				}
				if ok, err := h.shows(f, after); err != nil || ok {
					return err
				}
			}
		}
	}
	return nil
}

// maxFollowing bounds how many calls are tried that could show a difference.
const maxFollowing = 400

// shows tells whether further calls return what they return after no order.
func (h *harmSearch) shows(f *finding, after []int) (bool, error) {
	run := f.run
	run.after = after
	saw, err := h.lab.do(run)
	if err != nil || saw.failed != "" {
		return false, err
	}
	// Most calls show nothing: one look at each order tells.
	for _, kind := range orderKinds {
		o, err := h.lab.do(run.inOrder(kind.reversed, kind.late))
		if err != nil || o.failed != "" ||
			slices.Equal(seenByCalls(o.lines), seenByCalls(saw.lines)) {
			return false, err
		}
	}
	orders, err := h.repeated(run)
	if err != nil {
		if because := (*noOrder)(nil); errors.As(err, &because) {
			return false, nil
		}
		return false, err
	}
	if !orders.isObserved(saw) {
		return false, nil
	}
	further := &finding{state: f.state, calls: f.calls, run: run, saw: saw, orders: orders, isObserved: true, after: after}
	if ok, err := h.repeats(further); err != nil || !ok {
		return false, err
	}
	*f = *further
	return true, nil
}

// reason says why no harm was found.
func (n noHarm) reason() string {
	switch {
	case n.starts == 0 && n.why != "":
		return "the orders of the two calls cannot be compared: " + n.why
	case n.starts == 0:
		return "no start was found from which both calls can be made"
	}
	return fmt.Sprintf("in %d runs from %d starts the two calls did nothing that no order of them does", n.runs, n.starts)
}

// harm returns what the finding is in a result.
func (f *finding) harm(t *empire.Trial) *empire.Harm {
	w := &harmWords{trial: t, finding: f}
	return w.harm()
}
