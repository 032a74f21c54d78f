package histories

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomSteps returns nested steps of a thread that begins with some locks.
func randomSteps(r *rand.Rand, begin []int8, locks, length int) (steps []lockUse, h history) {
	h = newHistory(begin)
	for range length {
		use := lockUse{int8(r.IntN(locks)), acquires}
		if held := h.held(); len(held) > 0 && r.IntN(2) == 0 {
			use = lockUse{held[len(held)-1], releases}
		}
		if next, ok := h.after(use); ok {
			steps, h = append(steps, use), next
		}
	}
	return steps, h
}

// possible tells whether the steps of threads that begin with disjoint sets of locks can
// be interleaved.
func possible(steps [][]lockUse, taken lockSet) bool {
	seen := map[string]bool{}
	var search func(at []int, taken lockSet) bool
	search = func(at []int, taken lockSet) bool {
		key := fmt.Sprint(at)
		if seen[key] {
			return false
		}
		seen[key] = true
		ends := true
		for i := range steps {
			if at[i] == len(steps[i]) {
				continue
			}
			ends = false
			use := steps[i][at[i]]
			if use.kind == acquires && taken>>use.lock&1 != 0 {
				continue
			}
			next := slices.Clone(at)
			next[i]++
			if search(next, taken^1<<use.lock) {
				return true
			}
		}
		return ends
	}
	return search(make([]int, len(steps)), taken)
}

// TestHistoriesDecide: steps of threads can be interleaved just if those of their
// histories can.
func TestHistoriesDecide(t *testing.T) {
	var count [2]int
	for seed := range uint64(20_000) {
		r := rand.New(rand.NewPCG(seed, 1))
		locks := 2 + r.IntN(3)
		threads := 2 + r.IntN(2)
		begin := make([][]int8, threads)
		var taken lockSet
		for l := range int8(locks) {
			if i := r.IntN(threads + 1); i < threads {
				begin[i] = append(begin[i], l)
				taken = taken.with(l)
			}
		}
		var real, canonical [][]lockUse
		for i := range threads {
			r.Shuffle(len(begin[i]), func(a, b int) { begin[i][a], begin[i][b] = begin[i][b], begin[i][a] })
			steps, h := randomSteps(r, begin[i], locks, 2+r.IntN(7))
			real, canonical = append(real, steps), append(canonical, h.uses())
			again := newHistory(begin[i])
			for _, use := range h.uses() {
				var ok bool
				if again, ok = again.after(use); !ok {
					t.Fatalf("seed %d: the steps %v of a history are none", seed, h.uses())
				}
			}
			if again.key() != h.key() {
				t.Fatalf("seed %d: the steps %v of %+v have the history %+v", seed, h.uses(), h, again)
			}
		}
		is := possible(real, taken)
		if is != possible(canonical, taken) {
			t.Fatalf("seed %d: %v from %v is possible: %v, but of the histories %v it is not so", seed, real, begin, is,
				canonical)
		}
		if is {
			count[1]++
		} else {
			count[0]++
		}
	}
	t.Logf("%d impossible, %d possible", count[0], count[1])
	if min(count[0], count[1]) < 2000 {
		t.Error("too few of one kind")
	}
}
