package poststar

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/empire-go/empire-go/limit"
)

// Runs finds runs of an explicit system. No paths are stored: it notes in which order the
// transitions of post* are added, one entry for up to 64 of them, and of what made a
// transition it looks for one that is older. That ends.
type Runs struct {
	reachable *Reachable
	explicit  *Explicit
	births    *births

	byHead  heads // the rules, by the head that they rewrite
	made    heads // those that replace, by the head that they make
	pushing heads // those that push, by the number of the lower that they leave
	lowers  heads // the lowers by symbol
}

// births is a log of additions. The place of an entry is its time.
type births struct {
	entries          []birth
	last, lastSilent []uint32 // by word of sets, or of silent: its last entry + 1
}

// birth is the addition of members to a word.
type birth struct {
	bits     uint64
	previous uint32 // entry of the same word, + 1
	head     uint32 // of a silent transition: what was popped
}

func (b *births) note(last *[]uint32, word uint32, bits uint64, head uint32) {
	for int(word) >= len(*last) {
		*last = append(*last, make([]uint32, int(word)+1)...)
	}
	b.entries = append(b.entries, birth{bits, (*last)[word], head})
	(*last)[word] = uint32(len(b.entries))
}

// never is the time of what is not added.
const never = math.MaxInt

// of returns when a member was added to a set, and the head that was noted with it.
func (b *births) of(sets *wordSets, last []uint32, set, member uint32) (time int, head uint32) {
	word, ok := sets.find(set, member>>6)
	if !ok || int(word) >= len(last) {
		return never, 0
	}
	for e := last[word]; e != 0; e = b.entries[e-1].previous {
		if b.entries[e-1].bits>>(member&63)&1 != 0 {
			return int(e - 1), b.entries[e-1].head
		}
	}
	return never, 0
}

// NewRuns prepares a system: it saturates it as Reach does, in about twice the time and
// memory.
func NewRuns(ctx context.Context, s *Explicit) (*Runs, error) {
	b := &births{}
	r, err := reach(ctx, s, b)
	if err != nil {
		return nil, err
	}
	x := &r.system
	w := &Runs{reachable: r, explicit: s, births: b}
	rules := len(s.Rules)
	w.byHead = group(rules, x.heads, func(i int) int { return int(x.head(s.Rules[i].From, s.Rules[i].Top)) })
	w.made = group(rules, x.heads, func(i int) int {
		if r := &s.Rules[i]; r.Push == 1 {
			return int(x.head(r.To, r.Upper))
		}
		return -1
	})
	mids := numberMids(s)
	w.pushing = group(rules, len(x.lowers), func(i int) int {
		if r := &s.Rules[i]; r.Push == 2 {
			return int(x.indexed(r, mids).lower)
		}
		return -1
	})
	w.lowers = group(len(x.lowers), s.Symbols, func(i int) int { return int(x.lowers[i].symbol) })
	return w, nil
}

// group lists numbers from 0 to count-1 by their group; of is -1 for none.
func group(count, groups int, of func(int) int) heads {
	h := heads{first: make([]uint32, groups+1)}
	for i := range count {
		if g := of(i); g >= 0 {
			h.first[g]++
		}
	}
	h.all = make([]uint32, sumUp(h.first))
	for i := count - 1; i >= 0; i-- {
		if g := of(i); g >= 0 {
			h.first[g]--
			h.all[h.first[g]] = uint32(i)
		}
	}
	return h
}

// fact is a transition of a head or lower to a state.
type fact struct{ set, state uint32 }

func (w *Runs) time(f fact) int {
	t, _ := w.births.of(&w.reachable.sets, w.births.last, f.set, f.state)
	return t
}

// To returns a run from the initial configuration to another one, as the numbers of its
// rules; nil if there is none. It fails with ErrRun if the run is too long, or if the context
// is done.
func (w *Runs) To(ctx context.Context, control uint32, stack ...uint32) ([]int, error) {
	path := w.path(control, stack)
	if path == nil {
		return nil, nil
	}
	slices.Reverse(path) // the top last
	run := []int{}
	for len(run) <= maxRun {
		if len(run)&4095 == 0 {
			if err := limit.Pay(ctx, 4096*limit.Transition); err != nil {
				return nil, err
			}
		}
		if len(path) == 1 && w.time(path[0]) == 0 {
			slices.Reverse(run)
			return run, nil
		}
		rule, before, ok := w.undo(path)
		if !ok {
			return nil, fmt.Errorf("internal error: nothing has made the transition %v", path[len(path)-1])
		}
		run, path = append(run, rule), before
	}
	return nil, ErrRun
}

// path returns the transitions that accept a configuration with a stack that is not empty.
func (w *Runs) path(control uint32, stack []uint32) []fact {
	if len(stack) == 0 {
		return nil
	}
	x := &w.reachable.system
	type step struct {
		fact
		previous int
	}
	layer := []step{}
	members(&w.reachable.sets, x.head(control, stack[0]), func(state uint32) {
		layer = append(layer, step{fact{x.head(control, stack[0]), state}, -1})
	})
	layers := [][]step{layer}
	for _, symbol := range stack[1:] {
		var next []step
		seen := map[uint32]bool{}
		for i, at := range layer {
			for l := x.ofMid[at.state]; at.state != x.final && l < x.ofMid[at.state+1]; l++ {
				if x.lowers[l].symbol == symbol {
					members(&w.reachable.sets, uint32(x.heads)+l, func(state uint32) {
						if !seen[state] {
							seen[state] = true
							next = append(next, step{fact{uint32(x.heads) + l, state}, i})
						}
					})
				}
			}
		}
		layer = next
		layers = append(layers, layer)
	}
	at := slices.IndexFunc(layer, func(s step) bool { return s.state == x.final })
	if at < 0 {
		return nil
	}
	path := make([]fact, len(layers))
	for i := len(layers) - 1; i >= 0; i-- {
		path[i], at = layers[i][at].fact, layers[i][at].previous
	}
	return path
}

// undo takes the last rule of a run to a configuration back: its number, and the
// transitions that accept the configuration before, which are older. The top is last. Of
// several ways it takes the one whose transitions are oldest, for short runs.
func (w *Runs) undo(path []fact) (rule int, before []fact, ok bool) {
	x := &w.reachable.system
	top, rest := path[len(path)-1], path[:len(path)-1]
	if len(rest) > 0 {
		// It was pushed, if it is the head with which the state begins.
		lower := rest[len(rest)-1]
		rule, from := w.oldest(w.pushing.of(lower.set-uint32(x.heads)), lower.state, w.time(lower),
			func(r *ExplicitRule) bool {
				return x.head(r.To, r.Upper) == top.set
			})
		if rule >= 0 {
			return rule, append(rest[:len(rest)-1], from), true
		}
	}
	born := w.time(top)
	rule, from := w.oldest(w.made.of(top.set), top.state, born, func(*ExplicitRule) bool { return true })
	if rule >= 0 {
		born = w.time(from) + 1
	}
	if popping, lower, popped, ok := w.unpop(top, born); ok {
		return popping, append(rest, lower, popped), true
	}
	return rule, append(rest, from), rule >= 0
}

// oldest returns, of the rules that are wanted, the one whose head had a transition to the
// state first, with that transition; -1 if none had one before a time.
func (w *Runs) oldest(rules []uint32, state uint32, before int, want func(*ExplicitRule) bool) (rule int, from fact) {
	rule = -1
	for _, i := range rules {
		r := &w.explicit.Rules[i]
		f := fact{w.reachable.system.head(r.From, r.Top), state}
		if t := w.time(f); t < before && want(r) {
			rule, from, before = int(i), f, t
		}
	}
	return rule, from
}

// unpop undoes the popping of what was above the top: it returns the rule, the lower
// transition that came up, and what was popped, if both were there before a time.
func (w *Runs) unpop(top fact, before int) (rule int, lower, popped fact, ok bool) {
	x := &w.reachable.system
	control, symbol := top.set/x.symbols, top.set%x.symbols
	for _, l := range w.lowers.of(symbol) {
		mid := x.lowers[l].mid
		below := fact{uint32(x.heads) + l, top.state}
		gone, head := w.births.of(&w.reachable.silent, w.births.lastSilent, mid, control)
		if t := max(gone, w.time(below)); t < before {
			before, ok = t, true
			lower, popped = below, fact{head, mid}
		}
	}
	for _, i := range w.byHead.of(popped.set) {
		if r := &w.explicit.Rules[i]; ok && r.Push == 0 && r.To == control {
			return int(i), lower, popped, true
		}
	}
	return 0, lower, popped, false
}

// Follow takes rules from the initial configuration, and returns where they lead.
func (s *Explicit) Follow(run []int) (control uint32, stack []uint32, err error) {
	control, stack = s.Initial[0], []uint32{s.Initial[1]} // the top last
	for n, i := range run {
		r := &s.Rules[i]
		if len(stack) == 0 || control != r.From || stack[len(stack)-1] != r.Top {
			return 0, nil, fmt.Errorf("step %d: rule %d does not apply", n, i)
		}
		stack = stack[:len(stack)-1]
		switch r.Push {
		case 2:
			stack = append(stack, r.Lower, r.Upper)
		case 1:
			stack = append(stack, r.Upper)
		}
		control = r.To
	}
	slices.Reverse(stack)
	return control, stack, nil
}
