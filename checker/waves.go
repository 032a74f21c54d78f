package checker

import (
	"runtime"
	"slices"
	"sync"

	"github.com/empire-go/empire-go/limit"
)

// Guesses are asked about in waves. Where only a shortest violation matters, a scenario that is violated under a
// guess of an earlier wave is not asked about any more: most violations are found under many guesses, and it may take
// long to say of all others that they have none. Shorter ones are looked for when each scenario has its
// verdict. What a wave knows does not depend on the order within one, hence not on time.
//
// Where the work is limited, a guess that takes much of what is left is put off: the others
// come first, then it gets more. What is answered does not depend on which guesses were asked
// about at the same time: each has a meter of its own, and where their sum passes what is
// left, in the order of the guesses, no answer counts any more. What guesses share is paid once
// (limit.Ledger): by each that asks for it in the first wave in which it is needed, and then all but the
// first get back what they paid.

// maxWave is how many guesses a wave has at most.
const maxWave = 256

// nextWave returns the end of the wave that begins at a place.
func nextWave(begin, guesses int) (end int) { return min(guesses, begin+min(begin+1, maxWave)) }

// portions say which part of what is left one guess may take, from one pass to the next.
var portions = []limit.Work{64, 16, 4, 1}

// wasted is the part of what is left that guesses may take in a pass but the last that are put off. After that the
// others wait for the next one, with those that were put off behind them: where nothing is answered with so little,
// more is tried soon.
const wasted = 8

// inWaves asks about 0 to n-1 on all processors, until the context is done. It hands on what was
// found in each wave, in the order of the numbers: those of which nothing is known are not in it.
// What is found of a number again counts in the place of what was found before.
func inWaves[T any](c *check, n int, ask func(c *check, i int) T, found func(wave []int, found []T)) {
	open := make([]int, n)
	for i := range open {
		open[i] = i
	}
	for pass, portion := range portions {
		left, limited := limit.Left(c.ctx)
		waste, isLast := limit.Work(0), pass == len(portions)-1
		var putOff []int
		begin := 0
		for begin < len(open) && c.ctx.Err() == nil && (isLast || waste <= left/wasted) {
			end := nextWave(begin, len(open))
			if limited { // no wave takes more than may be wasted
				end = min(end, begin+max(2, int(portion/wasted)))
			}
			w := wave[T]{check: c, numbers: open[begin:end], most: left / portion, limited: limited, ask: ask}
			w.run()
			found(w.numbers[:len(w.found)], w.found)
			putOff = append(putOff, w.putOff...)
			waste += w.waste
			begin = end
		}
		if open = append(slices.Clone(open[begin:]), putOff...); len(open) == 0 || c.ctx.Err() != nil {
			return
		}
	}
}

// wave is the guesses that are asked about at the same time.
type wave[T any] struct {
	check   *check
	numbers []int
	most    limit.Work // for one of them
	limited bool
	ask     func(*check, int) T

	mu     sync.Mutex
	next   int
	asked  []asked[T]
	found  []T        // of the first ones: those that count
	putOff []int      // of these, the ones that took too much
	waste  limit.Work // by them
}

// asked is what came of one guess.
type asked[T any] struct {
	value T
	spent limit.Work // of which some may be given back
	least limit.Work // the part of it that is not
	paid  *limit.Ledger
	known bool // the work is, and the value counts
	isCut bool
}

func (w *wave[T]) run() {
	left, _ := limit.Left(w.check.ctx)
	w.asked = make([]asked[T], len(w.numbers))
	var workers sync.WaitGroup
	for range min(len(w.numbers), runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for {
				k, allowed, ok := w.take(left)
				if !ok {
					return
				}
				w.one(k, allowed)
			}
		})
	}
	workers.Wait()
	for k, a := range w.asked {
		switch {
		case !a.known:
			return
		case w.limited && a.spent > left:
			limit.Pay(w.check.ctx, left+1) // that it is no more
			return
		}
		spent := a.spent - a.paid.Settle()
		left -= spent
		limit.Pay(w.check.ctx, spent)
		w.found = append(w.found, a.value)
		if a.isCut {
			w.putOff = append(w.putOff, w.numbers[k])
			w.waste += spent
		}
	}
}

// take returns the place of the next guess to ask about, and the work that it may take: more has
// been spent before it than those took that have been answered.
func (w *wave[T]) take(left limit.Work) (k int, allowed limit.Work, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.next == len(w.numbers) || w.check.ctx.Err() != nil {
		return 0, 0, false
	}
	for _, a := range w.asked[:w.next] {
		left -= a.least
	}
	if w.limited && left <= 0 {
		return 0, 0, false
	}
	w.next++
	return w.next - 1, min(w.most, left), true
}

// one asks about one guess.
func (w *wave[T]) one(k int, allowed limit.Work) {
	own, meter, paid := *w.check, (*limit.Meter)(nil), (*limit.Ledger)(nil)
	if w.limited {
		own.ctx, meter = limit.Apart(w.check.ctx, allowed)
		defer meter.Stop()
		own.ctx, paid = limit.WithLedger(own.ctx)
	}
	value := w.ask(&own, w.numbers[k])
	a := asked[T]{value: value, spent: meter.Spent(), least: meter.Spent() - paid.Total(), paid: paid, known: true}
	if w.limited && meter.IsPassed() {
		a.isCut = true
		a.spent++ // so that it is too much where it was allowed all that is left
	}
	w.mu.Lock()
	w.asked[k] = a
	w.mu.Unlock()
}
