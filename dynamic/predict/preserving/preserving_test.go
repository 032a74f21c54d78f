package preserving

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/empire-go/empire-go/dynamic/predict/order"
	"github.com/empire-go/empire-go/dynamic/predict/random"
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

// nested is a run of threads that take locks while they hold others.
func nested(r *rand.Rand) []random.Step {
	if r.IntN(4) == 0 {
		return random.Run(r, random.Any(r, 14))
	}
	threads := make([][]random.Step, 2+r.IntN(3))
	locks := 2 + r.IntN(2)
	for t := range threads {
		var section func(depth int)
		add := func(op order.Op, object int) {
			threads[t] = append(threads[t], random.Step{Thread: uint32(t), Op: op, Object: uint32(object)})
		}
		held := map[int]bool{}
		section = func(depth int) {
			if r.IntN(3) == 0 {
				add([]order.Op{order.OpRead, order.OpWrite, order.OpUpdate}[r.IntN(3)], r.IntN(2))
			}
			lock := r.IntN(locks)
			if depth == 3 || held[lock] {
				return
			}
			take, release := order.OpAcquire, order.OpRelease
			if r.IntN(5) == 0 {
				take, release = order.OpReadAcquire, order.OpReadRelease
			}
			held[lock] = true
			add(take, lock)
			for range 1 + r.IntN(2) {
				section(depth + 1)
			}
			held[lock] = false
			add(release, lock)
		}
		for range 1 + r.IntN(2) {
			section(0)
		}
	}
	m := random.NewMachine(0)
	var all []random.Step
	for {
		var ready []int
		for t, steps := range threads {
			if len(steps) > 0 && m.Can(steps[0]) {
				ready = append(ready, t)
			}
		}
		if len(ready) == 0 || len(all) == 22 {
			return all
		}
		t := ready[r.IntN(len(ready))]
		for range 1 + r.IntN(4) {
			if len(threads[t]) > 0 && m.Can(threads[t][0]) {
				m.Do(threads[t][0])
				all = append(all, threads[t][0])
				threads[t] = threads[t][1:]
			}
		}
	}
}

// TestDeadlocks: what is found in a trace is what an enumeration of all of its sync-preserving reorderings finds, by
// threads, locks and what is held, and each run that is told leads there by the definition.
func TestDeadlocks(t *testing.T) {
	found, beyond, with, of := 0, 0, 0, 0
	for seed := range random.Seeds(1500) {
		steps := nested(rand.New(rand.NewPCG(seed, 24)))
		h, o := history(t, steps), random.NewOracle(steps)
		want := circles(o, true)
		got := map[string]bool{}
		Deadlocks(h, func(order.ID) bool { return false }, Defaults, func(d Deadlock) {
			var waits []int
			for _, id := range d.Waits {
				waits = append(waits, int(h.Find(id).Ref))
			}
			got[abstractOf(o, waits)] = true
			s := replay(t, seed, o, h, d.Run)
			for i, w := range waits {
				if a := o.Steps[w]; o.Threads[a.Thread][s.Done[a.Thread]] != w || !isHeldBy(o, s, w, waits[(i+1)%len(waits)]) {
					t.Fatalf("seed %d: %v does not wait after %v\n%v", seed, w, s.Run, steps)
				}
			}
		})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d: (-enumeration +closure)\n%s\n%v", seed, diff, steps)
		}
		found += len(want)
		with += min(1, len(want))
		of++
		beyond += len(circles(o, false)) - len(want)
	}
	t.Logf("%d deadlocks in %d of %d traces; %d more in reorderings in which critical sections change places", found, with,
		of, beyond)
}

// replay runs a run by the definition.
func replay(t *testing.T, seed uint64, o *random.Oracle, h *order.History, run []order.ID) *random.State {
	t.Helper()
	s := o.Begin()
	m := random.NewMachine(2)
	for _, id := range run {
		i := int(h.Find(id).Ref)
		if !o.Can(s, i) {
			t.Fatalf("seed %d: step %d cannot be run after %v\n%v", seed, i, s.Run, o.Steps)
		}
		m.Do(o.Steps[i])
		if s = o.Step(s, &random.Block{}, i); s.Broken(i) {
			t.Fatalf("seed %d: step %d reads something else after %v\n%v", seed, i, s.Run, o.Steps)
		}
	}
	return s
}

func takes(s random.Step) bool { return s.Op == order.OpAcquire || s.Op == order.OpReadAcquire }

// isHeldBy tells whether a step waits for a lock that the thread of another one holds.
func isHeldBy(o *random.Oracle, s *random.State, step, other int) bool {
	return slices.ContainsFunc(s.Holders(o.Steps[step].Object), func(a int) bool {
		return o.Steps[a].Thread == o.Steps[other].Thread &&
			(o.Steps[a].Op == order.OpAcquire || o.Steps[step].Op == order.OpAcquire)
	})
}

// circles are the deadlocks that an enumeration finds.
func circles(o *random.Oracle, preserving bool) map[string]bool {
	all := map[string]bool{}
	o.Reorderings(preserving, func(s *random.State) {
		var next []int
		for t, steps := range o.Threads {
			if s.Done[t] < len(steps) && takes(o.Steps[steps[s.Done[t]]]) && o.Ready(s, steps[s.Done[t]]) {
				next = append(next, steps[s.Done[t]])
			}
		}
		var extend func(path []int)
		extend = func(path []int) {
			last := path[len(path)-1]
			if len(path) > 1 && isHeldBy(o, s, last, path[0]) {
				all[abstractOf(o, path)] = true
			}
			for _, n := range next {
				if n > path[0] && !slices.Contains(path, n) && isHeldBy(o, s, last, n) {
					extend(append(slices.Clip(path), n))
				}
			}
		}
		for _, n := range next {
			extend([]int{n})
		}
	})
	return all
}

// abstractOf is the abstract pattern of some acquires: it begins with the least.
func abstractOf(o *random.Oracle, path []int) string {
	var parts []string
	for _, i := range path {
		a := o.Steps[i]
		held := map[string]bool{}
		for _, j := range o.Threads[a.Thread][:o.Place[i]] {
			switch b := o.Steps[j]; b.Op {
			case order.OpAcquire, order.OpReadAcquire:
				held[fmt.Sprint(b.Object, b.Op == order.OpReadAcquire)] = true
			case order.OpRelease, order.OpReadRelease:
				delete(held, fmt.Sprint(b.Object, b.Op == order.OpReadRelease))
			}
		}
		parts = append(parts, fmt.Sprint(a, held))
	}
	least := slices.Index(parts, slices.Min(parts))
	return strings.Join(append(slices.Clone(parts[least:]), parts[:least]...), " ")
}

// TestRaces: the same for data races, by threads, variables and kinds of access.
func TestRaces(t *testing.T) {
	found, beyond, with, of := 0, 0, 0, 0
	for seed := range random.Seeds(1500) {
		r := rand.New(rand.NewPCG(seed, 25))
		steps := random.Run(r, random.Any(r, 16))
		if seed%3 == 0 {
			steps = nested(r)
		}
		h, o := history(t, steps), random.NewOracle(steps)
		want := pairs(o, true)
		got := map[string]bool{}
		Races(h, func(order.ID) bool { return false }, Defaults, func(race Race) {
			i, j := int(h.Find(race.Accesses[0]).Ref), int(h.Find(race.Accesses[1]).Ref)
			got[pairOf(o, i, j)] = true
			s := replay(t, seed, o, h, race.Run)
			for _, k := range []int{i, j} {
				if a := o.Steps[k]; o.Threads[a.Thread][s.Done[a.Thread]] != k || !o.Ready(s, k) {
					t.Fatalf("seed %d: %v is not next after %v\n%v", seed, k, s.Run, steps)
				}
			}
		})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d: (-enumeration +closure)\n%s\n%v", seed, diff, steps)
		}
		found += len(want)
		with += min(1, len(want))
		of++
		beyond += len(pairs(o, false)) - len(want)
	}
	t.Logf("%d races in %d of %d traces; %d more in reorderings in which critical sections change places", found, with,
		of, beyond)
}

// pairs are the races that an enumeration finds.
func pairs(o *random.Oracle, preserving bool) map[string]bool {
	all := map[string]bool{}
	isAccess := func(s random.Step) bool { return random.Reads(s) || random.Writes(s) }
	o.Reorderings(preserving, func(s *random.State) {
		var next []int
		for t, steps := range o.Threads {
			if s.Done[t] < len(steps) && isAccess(o.Steps[steps[s.Done[t]]]) && o.Ready(s, steps[s.Done[t]]) {
				next = append(next, steps[s.Done[t]])
			}
		}
		for _, i := range next {
			for _, j := range next {
				a, b := o.Steps[i], o.Steps[j]
				if i < j && a.Object == b.Object && (random.Writes(a) || random.Writes(b)) {
					all[pairOf(o, i, j)] = true
				}
			}
		}
	})
	return all
}

// TestWindows: what is found in small windows of a run is found in all of it.
func TestWindows(t *testing.T) {
	some, all := 0, 0
	for seed := range random.Seeds(600) {
		steps := nested(rand.New(rand.NewPCG(seed, 26)))
		o := random.NewOracle(steps)
		look := func(h *order.History, found map[string]bool) {
			ref := func(id order.ID) int { return int(h.Find(id).Ref) }
			Deadlocks(h, func(order.ID) bool { return false }, Defaults, func(d Deadlock) {
				var waits []int
				for _, id := range d.Waits {
					waits = append(waits, ref(id))
				}
				found["deadlock "+abstractOf(o, waits)] = true
			})
			Races(h, func(order.ID) bool { return false }, Defaults, func(r Race) {
				found["race "+pairOf(o, ref(r.Accesses[0]), ref(r.Accesses[1]))] = true
			})
		}
		want, got := map[string]bool{}, map[string]bool{}
		look(history(t, steps), want)
		h := order.New()
		for i, s := range steps {
			if err := h.Add(s.Thread, s.Op, s.Object, uint32(i)); err != nil {
				t.Fatal(err)
			}
			if h.Len() == 8 {
				look(h, got)
				h.Slide(h.Start() + 4)
			}
		}
		look(h, got)
		for key := range got {
			if !want[key] {
				t.Fatalf("seed %d: only in a window: %s\n%v", seed, key, steps)
			}
		}
		some, all = some+len(got), all+len(want)
	}
	t.Logf("%d of %d found in windows of eight events", some, all)
}

func pairOf(o *random.Oracle, i, j int) string {
	text := func(s random.Step) string { return fmt.Sprint(s.Thread, s.Object, random.Writes(s)) }
	a, b := text(o.Steps[i]), text(o.Steps[j])
	return min(a, b) + " " + max(a, b)
}
