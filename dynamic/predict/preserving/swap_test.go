package preserving

import (
	"math/rand/v2"
	"testing"

	"github.com/empire-go/empire-go/dynamic/predict/order"
	"github.com/empire-go/empire-go/dynamic/predict/random"
)

// TestSwaps: a write that comes before an access which it came after, and an access that comes before a write which has
// not been done yet, are possible by the definition: the run that is told can be run, and leads there. Where critical
// sections keep them apart, too.
func TestSwaps(t *testing.T) {
	swapped, early, behind, of := 0, 0, 0, 0
	for seed := range random.Seeds(1500) {
		r := rand.New(rand.NewPCG(seed, 27))
		steps := random.Run(r, random.Any(r, 16))
		if seed%3 != 0 {
			steps = nested(r)
		}
		h, o := history(t, steps), random.NewOracle(steps)
		for n := range h.Len() {
			for m := range n {
				w, a := h.Event(n), h.Event(m)
				if !w.Kind.Writes() || w.Kind.Reads() || !a.Kind.IsAccess() || a.Object != w.Object || a.Thread == w.Thread {
					continue
				}
				of++
				if found, ok := Swapped(h, w.ID, a.ID); ok {
					swapped++
					if w.Held != nil && a.Held != nil && w.Held.Excludes(a.Held) {
						behind++
					}
					leads(t, seed, o, h, found, a.ID)
					if !found.Has(w.ID) || found.Has(a.ID) {
						t.Fatalf("seed %d: the run has %v and not %v: %v", seed, a.ID, w.ID, found.Run)
					}
				}
				if !a.Kind.Writes() {
					continue
				}
				if found, ok := Early(h, w.ID, a.ID); ok {
					early++
					leads(t, seed, o, h, found, w.ID)
					if found.Has(a.ID) {
						t.Fatalf("seed %d: the run has %v: %v", seed, a.ID, found.Run)
					}
				}
			}
		}
	}
	t.Logf("%d of %d pairs can be swapped, %d of them where both hold a lock; %d come before the other one", swapped, of,
		behind, early)
	if swapped == 0 || behind == 0 || early == 0 {
		t.Error("nothing was tried")
	}
}

// leads tells whether a run can be run, and an event is next behind it.
func leads(t *testing.T, seed uint64, o *random.Oracle, h *order.History, found Swap, next order.ID) {
	t.Helper()
	s := replay(t, seed, o, h, found.Run)
	i := int(h.Find(next).Ref)
	if a := o.Steps[i]; o.Threads[a.Thread][s.Done[a.Thread]] != i || !o.Ready(s, i) {
		t.Fatalf("seed %d: %v is not next after %v\n%v", seed, next, s.Run, o.Steps)
	}
}
