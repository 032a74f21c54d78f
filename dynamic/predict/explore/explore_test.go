package explore

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/empire-go/empire-go/dynamic/predict/order"
	"github.com/empire-go/empire-go/dynamic/predict/random"
	"github.com/empire-go/empire-go/dynamic/predict/segment"
)

// history is that of steps.
func history(t *testing.T, steps []random.Step) *order.History {
	t.Helper()
	h := order.New()
	for i, s := range steps {
		if err := h.Add(s.Thread, s.Op, s.Object, uint32(i)); err != nil {
			t.Fatalf("step %d of %v: %v", i, steps, err)
		}
	}
	h.Finished = true
	return h
}

// blocks are for each thread one of some steps in a row, with reads that matter for a while.
func blocks(r *rand.Rand, o *random.Oracle) []*random.Block {
	var all []*random.Block
	for t, steps := range o.Threads {
		if len(steps) < 2 {
			continue
		}
		from := r.IntN(len(steps) - 1)
		to := from + 2 + r.IntN(len(steps)-from-1)
		b := &random.Block{Thread: uint32(t), Has: map[int]bool{}, Until: map[int]int{}}
		for _, i := range steps[from:to] {
			if random.Reads(o.Steps[i]) || random.Writes(o.Steps[i]) {
				b.Has[i] = true
			}
		}
		if len(b.Has) > 1 {
			of := slices.Sorted(maps.Keys(b.Has))
			for i, step := range of[:len(of)-1] {
				if o.Steps[step].Op == order.OpRead && r.IntN(3) == 0 {
					b.Until[step] = of[i+1+r.IntN(len(of)-i-1)]
				}
			}
			all = append(all, b)
		}
	}
	return all
}

func blockOf(b *random.Block, h *order.History, o *random.Oracle) *segment.Block {
	s := &segment.Block{Thread: h.Thread(b.Thread)}
	for i := range o.Steps {
		if b.Has[i] {
			s.Accesses = append(s.Accesses, int32(o.Place[i]+1))
		}
	}
	for step, until := range b.Until {
		for len(s.Until) < len(s.Accesses) {
			s.Until = append(s.Until, 0)
		}
		at, _ := slices.BinarySearch(s.Accesses, int32(o.Place[step]+1))
		s.Until[at], _ = slices.BinarySearch(s.Accesses, int32(o.Place[until]+1))
	}
	return s
}

// TestEnumeration compares the answers with an enumeration of all interleavings.
func TestEnumeration(t *testing.T) {
	checked, violations, static, runs := 0, 0, 0, 0
	for seed := range random.Seeds(1500) {
		r := rand.New(rand.NewPCG(seed, 21))
		steps := random.Run(r, random.Any(r, 14))
		h, o := history(t, steps), random.NewOracle(steps)
		for _, b := range blocks(r, o) {
			want := o.Violated(b)
			of := blockOf(b, h, o)
			s := segment.Of(h, of)
			got := Search(h, of, &s, Options{})
			atomic := s.IsAtomic(h, of, nil)
			if got.Verdict != Atomic && got.Verdict != Violation || (got.Verdict == Violation) != want || atomic && want {
				t.Fatalf("seed %d: verdict %d, static %t, a violation: %t\n%v\nblock %v\nsegment %+v", seed, got.Verdict, atomic,
					want, steps, b, s)
			}
			checked++
			runs += got.Runs
			if atomic {
				static++
			}
			if want {
				violations++
				checkRun(t, seed, steps, o, h, b, &got)
			}
		}
	}
	t.Logf("%d blocks, %d violations, %d static proofs, %d runs tried", checked, violations, static, runs)
}

// checkRun runs a prediction by the definition, and on a machine that knows nothing of the partial order.
func checkRun(t *testing.T, seed uint64, steps []random.Step, o *random.Oracle, h *order.History,
	b *random.Block, got *Result) {
	t.Helper()
	s := o.Begin()
	seen := sees(steps)
	m := random.NewMachine(roomOf(steps))
	for _, id := range got.Run {
		i := int(h.Find(id).Ref)
		if !o.Can(s, i) {
			t.Fatalf("seed %d: step %d cannot be run after %v\n%v", seed, i, s.Run, steps)
		}
		if !m.Can(steps[i]) || m.Sees(steps[i]) != seen[i] {
			t.Fatalf("seed %d: no program can do step %d after %v\n%v", seed, i, s.Run, steps)
		}
		m.Do(steps[i])
		s = o.Step(s, b, i)
	}
	if !s.Found {
		t.Fatalf("seed %d: the run %v has no violation\n%v", seed, s.Run, steps)
	}
	for i, id := range got.Path[1:] {
		a, b := h.Find(got.Path[i]), h.Find(id)
		if a.Thread != b.Thread && (a.Object != b.Object || !a.Kind.Writes() && !b.Kind.Writes()) ||
			slices.Index(got.Run, a.ID) >= slices.Index(got.Run, b.ID) {
			t.Fatalf("seed %d: %v is no path", seed, got.Path)
		}
	}
}

// sees is what each step has seen.
func sees(steps []random.Step) (all [][2]int) {
	m := random.NewMachine(roomOf(steps))
	for _, s := range steps {
		all = append(all, m.Sees(s))
		m.Do(s)
	}
	return all
}

// roomOf is the room that the channels of a run need, at least.
func roomOf(steps []random.Step) int {
	if slices.ContainsFunc(steps, func(s random.Step) bool { return s.Op == order.OpPresend }) {
		return 0
	}
	for room := 1; ; room++ {
		m, fine := random.NewMachine(room), true
		for _, s := range steps {
			if fine = fine && m.Can(s); fine {
				m.Do(s)
			}
		}
		if fine {
			return room
		}
	}
}

// TestTheorem enumerates interleavings and looks at all paths that are violations: none leaves the segment.
func TestTheorem(t *testing.T) {
	paths := 0
	for seed := range random.Seeds(1000) {
		r := rand.New(rand.NewPCG(seed, 22))
		steps := random.Run(r, random.Any(r, 9))
		h, o := history(t, steps), random.NewOracle(steps)
		for _, b := range blocks(r, o) {
			b.Until = nil
			s := segment.Of(h, blockOf(b, h, o))
			outside := func(i int) bool {
				id := order.ID{Thread: h.Thread(steps[i].Thread), Index: int32(o.Place[i] + 1)}
				return !s.Has(id)
			}
			var visit func(at *random.State)
			visit = func(at *random.State) {
				if at.Found {
					paths++
					last := at.Run[len(at.Run)-1]
					for _, i := range o.OnPaths(at, last) {
						if outside(i) {
							t.Fatalf("seed %d: step %d is outside of the segment %+v\n%v\nrun %v", seed, i, s, steps, at.Run)
						}
					}
				}
				for th, all := range o.Threads {
					if at.Done[th] < len(all) && o.Can(at, all[at.Done[th]]) {
						next := *at
						next.Found = false
						visit(o.Step(&next, b, all[at.Done[th]]))
					}
				}
			}
			visit(o.Begin())
		}
	}
	t.Logf("%d interleavings end with a violation", paths)
}

// TestWindow forgets a beginning of the run: what is found is a violation of the whole run, and what is
// proved is none.
func TestWindow(t *testing.T) {
	var verdicts [4]int
	for seed := range random.Seeds(3000) {
		r := rand.New(rand.NewPCG(seed, 23))
		steps := random.Run(r, random.Any(r, 14))
		o := random.NewOracle(steps)
		for _, b := range blocks(r, o) {
			h := order.New()
			first, last := len(steps), 0
			for i := range steps {
				if b.Has[i] {
					first, last = min(first, i), i
				}
			}
			until := last + 1 + r.IntN(len(steps)-last)
			for i, s := range steps[:until] {
				if err := h.Add(s.Thread, s.Op, s.Object, uint32(i)); err != nil {
					t.Fatal(err)
				}
				if r.IntN(4) == 0 {
					h.Slide(min(first, h.Start()+r.IntN(h.Len())))
				}
			}
			h.Finished = until == len(steps)
			of := blockOf(b, h, o)
			s := segment.Of(h, of)
			got := Search(h, of, &s, Options{})
			want := o.Violated(b)
			all := h.Unforked == history(t, steps).Unforked
			if got.Verdict == Violation && !want || want && all && (got.Verdict == Atomic || s.Whole && s.IsAtomic(h, of, nil)) {
				t.Fatalf("seed %d: verdict %d, a violation: %t\n%v\nblock %v, window %d to %d", seed, got.Verdict, want, steps, b,
					h.Start(), until)
			}
			verdicts[got.Verdict]++
		}
	}
	t.Logf("%d proved, %d violations, %d not known", verdicts[Atomic], verdicts[Violation], verdicts[Cut])
}

// TestSwitches asks for few context switches: what is found has no more, and a path through one other thread needs two.
func TestSwitches(t *testing.T) {
	found, missed := 0, 0
	for seed := range random.Seeds(500) {
		r := rand.New(rand.NewPCG(seed, 24))
		steps := random.Run(r, random.Any(r, 14))
		h, o := history(t, steps), random.NewOracle(steps)
		for _, b := range blocks(r, o) {
			of := blockOf(b, h, o)
			s := segment.Of(h, of)
			all := Search(h, of, &s, Options{})
			few := Search(h, of, &s, Options{Switches: 2})
			switch {
			case few.Verdict == Violation:
				found++
				checkRun(t, seed, steps, o, h, b, &few)
				x := &explorer{h: h, block: of}
				if n := x.switches(few.Run); n > 2 {
					t.Fatalf("seed %d: %d context switches", seed, n)
				}
			case all.Verdict == Violation && few.Verdict != Bounded, all.Verdict == Atomic && few.Verdict != Atomic:
				t.Fatalf("seed %d: verdict %d with a bound, %d without", seed, few.Verdict, all.Verdict)
			case all.Verdict == Violation:
				missed++
			}
		}
	}
	t.Logf("%d violations found with two context switches, %d not", found, missed)
}
