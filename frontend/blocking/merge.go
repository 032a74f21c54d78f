package blocking

import (
	"fmt"
	"go/constant"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A goroutine is evaluated along each of its ways by itself, as long as there are few. Once a place is reached in more
// states than maxVisits, the numbers that differ most are forgotten there. Once it has moreVisits others even so, all
// that differ are, but for what loops count their rounds by, and after as many again that, too, so that counting comes
// to an end: a sum of what others have left takes nothing from what is known of the rounds. Where a goroutine has too
// many states even so, fewer are told apart at each place, in a new round of evaluation: from then on what comes there
// is joined, and what is not the same in all states is not known, as in any data-flow analysis (Kildall, POPL 1973).
// That is so until there are few enough: see learned.visits.
//
// Within a round, a place is evaluated again whenever something is forgotten there, and what was known before stays a
// state of the goroutine. At last each place has one state: what all have in common that came there in former rounds is
// where the next round begins, until a round has room for all places. Their number is that of the program.
//
// What a function has just found out, as whether something is closed, is told apart as long as there is room for that
// (trace partitioning, Mauborgne and Rival, ESOP 2005): a place counts as several then, by the truth values at hand. So
// is how often goroutines were started in a round: else all would have been by the next one. And the head of a loop is
// two places, one for who comes there first: what is done at least once is not joined with what is done any number of
// times, so that a loop of which it is known that it runs is not left at once.

// maxVisits is how many states of one place are told apart at first, fewestVisits at last. With these, maxAgain bounds
// the rounds that begin with what is joined.
const (
	maxVisits    = 70
	moreVisits   = 10
	fewestVisits = 1
	maxAgain     = 12
)

// largeModel is how many times the states of one goroutine a model may have in all, once states are joined.
const largeModel = 3

// visits is the states that were met at one place.
type visits struct {
	n     int
	more  int // new ones since there were too many
	first *state
	some  []*state        // of the first maxVisits, as long as numbers that differ are told apart
	loose map[placed]bool // the numbers that have differed most in these; nil: not known yet
	all   *state          // what all have in common that came when there were too many; nil: none has come
}

// placed is where a state has a value: in a cell, by its key, or in a register of a function on the stack.
type placed struct {
	cell     uint64
	function int // -1 for a cell
	register ssa.Value
}

// counts tells whether it is what a loop counts its rounds by, or is given to a function, as how often it is to do
// something.
func (p placed) counts() bool {
	switch r := p.register.(type) {
	case *ssa.Phi, *ssa.Parameter:
		return true
	case *ssa.BinOp:
		_, isRound := r.X.(*ssa.Phi)
		_, isStep := r.Y.(*ssa.Const)
		return isRound && isStep
	}
	return false
}

// sampled is of how many states one is looked at for what differs most.
const sampled = 4

// widen forgets of a state what tells it from too many others at the place.
func (b *builder) widen(s *state, place string) *state {
	if b.known.visits == fewestVisits {
		return b.known.join(b.p.key+"\n"+place, s)
	}
	v := b.visits[place]
	if v == nil {
		b.visits[place] = &visits{n: 1, first: s.clone()}
		return s
	}
	if v.n++; v.n <= b.known.visits {
		if b.known.visits == maxVisits && v.n%sampled == 0 {
			v.some = append(v.some, s.clone())
		}
		return s
	}
	if b.known.visits == maxVisits {
		if v.loose == nil {
			v.loose, v.some = mostDiffering(v.some), nil
		}
		forgetNumbers(s, v.first, func(at placed) bool {
			return v.more >= 2*moreVisits || v.more >= moreVisits && !at.counts() || v.loose[at]
		})
		return s
	}
	if v.all == nil {
		v.all = s.clone()
		return s
	}
	v.all.joinWith(s)
	return v.all.clone()
}

// join returns what a state has in common with all others that came to the place, in this round and in former ones.
func (k *learned) join(place string, s *state) *state {
	all := k.joined[place]
	if all == nil {
		k.joined[place] = s.clone()
		return s
	}
	all.joinWith(s)
	return all.clone()
}

// noteJoined notes which state is joined at a place, and whether that is another one than before.
func (k *learned) noteJoined(place, key string) {
	k.isJoining = k.isJoining || k.joinedKeys[place] != key
	k.joinedKeys[place] = key
}

// beginJoining begins to join states anew, those with different truth values, too.
func (k *learned) beginJoining() {
	k.again, k.isSplit = 0, false
	k.joined, k.joinedKeys = map[string]*state{}, map[string]string{}
}

// beginRound begins another round: goroutines get other numbers.
func (k *learned) beginRound() {
	k.changed, k.isJoining = false, false
	for _, s := range k.joined {
		s.started = nil
		if k.isSplit {
			s.counts = nil
		}
	}
}

// placeOf names the place that a state is at. Before and after the first start of a goroutine are two: the memory that
// others see is kept in different ways.
func (b *builder) placeOf(s *state) string {
	var place strings.Builder
	for _, a := range s.stack {
		fmt.Fprintf(&place, "%s %d.%d/", a.name, a.block.Index, a.at)
		for _, d := range a.defers {
			fmt.Fprintf(&place, "%d,", d.at.Pos())
		}
		a.writeAfter(&place)
	}
	fmt.Fprint(&place, b.isAlone(s), s.top().isAgain)
	if b.known.visits == fewestVisits && b.known.isSplit {
		b.writeTruths(&place, s)
	}
	return place.String()
}

// writeTruths writes which truth values the function that is running has at hand.
func (b *builder) writeTruths(place *strings.Builder, s *state) {
	for i, r := range b.order(s.top()) {
		if is, ok := asBool(s.top().regs[r]); ok {
			fmt.Fprintf(place, " %d %t", i, is)
		}
	}
}

// forgetNumbers forgets those numbers of a state that are others than those of the first state at its place.
func forgetNumbers(s, first *state, those func(placed) bool) {
	forgets := func(at placed, x, y value) bool { return isNumber(x) && !same(x, y) && those(at) }
	for i := range s.stack {
		a := s.own(i)
		for r, x := range a.regs {
			if forgets(placed{function: i, register: r}, x, first.stack[i].regs[r]) {
				a.regs[r] = nil
			}
		}
		a.guessed = true
	}
	eachDifference(first, s, func(key uint64, was, is *stored) {
		if forgets(placed{cell: key, function: -1}, is.value, was.value) {
			s.put(is.at, nil)
		}
	})
}

// isNumber tells whether a value is a number, or a text, that is known or has bounds.
func isNumber(x value) bool {
	n, is := x.(number)
	_, isSome := x.(bounded)
	return isSome || is && n.Kind() != constant.Bool
}

// eachDifference calls do for the cells that hold something else in the second state than in the first one, which may
// have nothing there.
func eachDifference(first, s *state, do func(key uint64, was, is *stored)) {
	differences(first.store, s.store, func(key uint64, was, is *stored) {
		if is == nil {
			return
		}
		if was == nil {
			was = &stored{}
		}
		do(key, was, is)
	})
}

// mostDiffering returns where states have more different numbers than elsewhere, but for what loops count by.
func mostDiffering(all []*state) map[placed]bool {
	texts := map[placed]map[string]bool{}
	note := func(at placed, x value) {
		if !isNumber(x) || at.counts() {
			return
		}
		if texts[at] == nil {
			texts[at] = map[string]bool{}
		}
		var text strings.Builder
		writeValue(&text, x)
		texts[at][text.String()] = true
	}
	for _, s := range all {
		for i, a := range s.stack {
			for r, x := range a.regs {
				note(placed{function: i, register: r}, x)
			}
		}
		eachDifference(all[0], s, func(key uint64, _, is *stored) { note(placed{cell: key, function: -1}, is.value) })
	}
	most := 0
	for _, differ := range texts {
		most = max(most, len(differ))
	}
	loose := map[placed]bool{}
	for at, differ := range texts {
		if len(differ) == most {
			loose[at] = true
		}
	}
	return loose
}

// joinWith forgets what is not the same in another state at the same place.
func (s *state) joinWith(t *state) {
	for i, b := range t.stack {
		if s.stack[i] == b && b.guessed {
			continue
		}
		a := s.own(i)
		if a.assumed != b.assumed {
			a.assumed = nil
		}
		for r, x := range a.regs {
			a.regs[r] = joined(x, b.regs[r])
		}
		for r := range b.regs {
			if _, ok := a.regs[r]; !ok {
				a.regs[r] = nil
			}
		}
		for k := range a.defers {
			a.defers[k].fn = joined(a.defers[k].fn, b.defers[k].fn)
			args := make([]value, len(a.defers[k].args))
			for j := range args {
				args[j] = joined(a.defers[k].args[j], b.defers[k].args[j])
			}
			a.defers[k].args = args
		}
		a.guessed = true
	}
	differences(s.store, t.store, func(_ uint64, x, y *stored) {
		switch {
		case x == nil && y.at.path == spoilt:
			s.put(y.at, y.value)
		case x == nil:
			s.put(y.at, nil)
		case x.at.path == spoilt, x.value == nil:
		case y == nil:
			s.put(x.at, nil)
		case !same(x.value, y.value):
			s.put(x.at, joined(x.value, y.value))
		}
	})
	differences(s.made, t.made, func(key uint64, x, y **object) {
		if x == nil {
			s.made = s.made.with(key, *y)
		}
	})
	differences(s.counts, t.counts, func(key uint64, x, y *int) {
		if y != nil && (x == nil || *x < *y) {
			s.counts = s.counts.with(key, *y)
		}
	})
	for _, p := range t.started {
		s.noteStarted(p)
	}
}

// joined is what is known of a value that is one of two.
func joined(x, y value) value {
	if x == nil || y == nil {
		return nil
	}
	if same(x, y) {
		return x
	}
	if isPositive(x) && isPositive(y) {
		return bounded{1, unbounded}
	}
	switch x := x.(type) {
	case nothing:
		if _, ok := y.(nothing); ok {
			return nothing{}
		}
	case boxed:
		if y, ok := y.(boxed); ok && x.dynamic == y.dynamic {
			return boxed{x.dynamic, x.name, joined(x.value, y.value)}
		}
	case closure:
		if y, ok := y.(closure); ok && x.fn == y.fn {
			return closure{x.fn, x.name, joinedAll(x.bindings, y.bindings)}
		}
	case several:
		if y, ok := y.(several); ok && len(x) == len(y) {
			return several(joinedAll(x, y))
		}
	}
	return nil
}

func joinedAll(some, others []value) []value {
	all := slices.Clone(some)
	for i := range all {
		all[i] = joined(all[i], others[i])
	}
	return all
}
