package patterns

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/empire-go/empire-go/dynamic/predict/explore"
	"github.com/empire-go/empire-go/dynamic/predict/order"
	"github.com/empire-go/empire-go/dynamic/predict/random"
	"github.com/empire-go/empire-go/dynamic/predict/segment"
	"github.com/empire-go/empire-go/scenarios"
)

// unit is all that a thread does to variables.
type unit struct {
	thread uint32
	steps  []int
	until  []int // of reads that matter for a while: the place of the step from which on they do not; else 0
}

// TestEnumeration compares the patterns of two units with all interleavings in which reads keep their writes but for
// the last event of each unit, enumerated.
func TestEnumeration(t *testing.T) {
	matched, pairs := 0, 0
	for seed := range random.Seeds(1000) {
		r := rand.New(rand.NewPCG(seed, 31))
		s := random.Any(r, 10)
		s.Variables = 1 + r.IntN(2)
		steps := random.Run(r, s)
		o, h := random.NewOracle(steps), order.New()
		for i, s := range steps {
			if err := h.Add(s.Thread, s.Op, s.Object, uint32(i)); err != nil {
				t.Fatal(err)
			}
		}
		h.Finished = true
		var all []unit
		for th, own := range o.Threads {
			u := unit{thread: uint32(th)}
			for _, i := range own {
				if random.Reads(steps[i]) || random.Writes(steps[i]) {
					u.steps = append(u.steps, i)
				}
			}
			for i, step := range u.steps {
				until := 0
				if later := len(u.steps) - i - 1; later > 0 && random.Reads(steps[step]) && r.IntN(3) == 0 {
					until = i + 1 + r.IntN(later)
				}
				u.until = append(u.until, until)
			}
			if len(u.steps) > 0 {
				all = append(all, u)
			}
		}
		for i := range all {
			for j := range i {
				pairs++
				got := map[string]bool{}
				p := New(h, scenarios.Table, Bounds{}, itself, func(m *Match) { got[name(m)] = true })
				p.End(all[j].block(h, o), "", 0, isAtomic(h, all[j].block(h, o)))
				p.End(all[i].block(h, o), "", 0, isAtomic(h, all[i].block(h, o)))
				fields := map[string]bool{}
				p = New(h, scenarios.Table, Bounds{}, itself, func(m *Match) { fields[fieldsOf(m)] = true })
				p.End(all[j].block(h, o), "a", 0, false)
				p.End(all[i].block(h, o), "b", 0, false)
				want, wantFields := enumerate(o, h, all[i], all[j])
				matched += len(want)
				if !maps.Equal(fields, wantFields) {
					t.Fatalf("seed %d: of named units %v\nwant %v\n%v", seed, slices.Sorted(maps.Keys(fields)),
						slices.Sorted(maps.Keys(wantFields)), steps)
				}
				if !maps.Equal(got, want) {
					t.Fatalf("seed %d: %v\nwant %v\n%v", seed, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)), steps)
				}
			}
		}
	}
	t.Logf("%d pairs of units, %d matches", pairs, matched)
}

func (u unit) block(h *order.History, o *random.Oracle) *segment.Block {
	b := &segment.Block{Thread: h.Thread(u.thread), Until: u.until}
	for _, i := range u.steps {
		b.Accesses = append(b.Accesses, int32(o.Place[i]+1))
	}
	return b
}

func itself(variable uint32) uint32 { return variable }

// isAtomic is an answer from elsewhere, with which fewer choices are tried.
func isAtomic(h *order.History, b *segment.Block) bool {
	s := segment.Of(h, b)
	return explore.Search(h, b, &s, explore.Options{}).Verdict == explore.Atomic
}

// fieldsOf is what one match is enough for in named units.
func fieldsOf(m *Match) string {
	return fmt.Sprint(m.Scenario.Number, slices.Sorted(slices.Values(m.Vars)))
}

func name(m *Match) string {
	return fmt.Sprint(m.Scenario.Number, m.Pattern, m.Units[0].Thread, m.Units[1].Thread, m.Vars)
}

// enumerate runs all interleavings, and matches the patterns on what the two units do in each: all, and what is alike
// in named units.
func enumerate(o *random.Oracle, h *order.History, a, b unit) (found, fields map[string]bool) {
	found, fields = map[string]bool{}, map[string]bool{}
	none := &random.Block{Thread: 1 << 30, Has: map[int]bool{}}
	known := map[string]bool{}
	var visit func(s *random.State)
	visit = func(s *random.State) {
		key := s.Key()
		for _, i := range s.Run { // the order of what the units do decides what is matched
			if slices.Contains(a.steps, i) || slices.Contains(b.steps, i) {
				key += fmt.Sprint(" ", i)
			}
		}
		if known[key] {
			return
		}
		known[key] = true
		end := true
		for th, own := range o.Threads {
			if s.Done[th] < len(own) && o.Can(s, own[s.Done[th]]) {
				end = false
				visit(o.Step(s, none, own[s.Done[th]]))
			}
		}
		if !end {
			return
		}
		var run []int
		for _, i := range s.Run {
			if slices.Contains(a.steps, i) || slices.Contains(b.steps, i) {
				run = append(run, i)
			}
		}
		for _, sc := range scenarios.Table {
			for _, p := range sc.Patterns {
				match(o, h, run, sc, p, a, b, found, fields)
				match(o, h, run, sc, p, b, a, found, fields)
			}
		}
	}
	visit(o.Begin())
	return found, fields
}

// match matches a pattern on a run of the accesses of two units.
func match(o *random.Oracle, h *order.History, run []int, s scenarios.Scenario, p scenarios.Pattern, u, v unit,
	found, fields map[string]bool) {
	vars := map[int]uint32{}
	var chosen []int
	// matters tells whether no read that was chosen is over when a step of its unit comes.
	matters := func(step int) bool {
		for event, read := range chosen {
			who := u
			if p.Events[event].Unit == scenarios.V {
				who = v
			}
			at := slices.Index(who.steps, read)
			if later := slices.Index(who.steps, step); later >= 0 && p.Events[event].Kind == scenarios.Read &&
				who.until[at] > 0 && later >= who.until[at] {
				return false
			}
		}
		return true
	}
	var next func(event, from int)
	next = func(event, from int) {
		if event == len(p.Events) {
			locations := []uint32{vars[1]}
			if p.Locations() == 2 {
				locations = append(locations, vars[2])
			}
			m := &Match{Scenario: s, Pattern: p, Vars: locations,
				Units: [2]*Unit{{Block: u.block(h, o)}, {Block: v.block(h, o)}}}
			found[name(m)], fields[fieldsOf(m)] = true, true
			return
		}
		e := p.Events[event]
		who := u
		if e.Unit == scenarios.V {
			who = v
		}
		for i := from; i < len(run); i++ {
			step := o.Steps[run[i]]
			fits := e.Kind == scenarios.Read && random.Reads(step) || e.Kind == scenarios.Write && random.Writes(step)
			loc, bound := vars[e.Loc]
			other, otherBound := vars[3-e.Loc]
			if step.Thread != who.thread || !fits || !matters(run[i]) || bound && loc != step.Object ||
				!bound && otherBound && other == step.Object {
				continue
			}
			if !bound {
				vars[e.Loc] = step.Object
			}
			chosen = append(chosen, run[i])
			next(event+1, i+1)
			chosen = chosen[:len(chosen)-1]
			if !bound {
				delete(vars, e.Loc)
			}
		}
	}
	next(0, 0)
}

// TestAllPatterns: each scenario is predicted in some run.
func TestAllPatterns(t *testing.T) {
	numbers := map[string]bool{}
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 32))
		steps := random.Run(r, random.Shape{Threads: 2, Length: 8, Variables: 2, Locks: 1, Channels: 1, Writes: 50,
			Locked: true})
		h := order.New()
		blocks := [2]*segment.Block{}
		for i, s := range steps {
			if err := h.Add(s.Thread, s.Op, s.Object, uint32(i)); err != nil {
				t.Fatal(err)
			}
			if b := &blocks[s.Thread]; *b == nil {
				*b = &segment.Block{Thread: h.Thread(s.Thread)}
			}
			blocks[s.Thread].Accesses = append(blocks[s.Thread].Accesses, h.Last(h.Thread(s.Thread)))
		}
		if blocks[0] == nil || blocks[1] == nil {
			continue
		}
		h.Finished = true
		p := New(h, scenarios.Table, Bounds{}, itself,
			func(m *Match) { numbers[fmt.Sprint(m.Scenario.Number, m.Pattern)] = true })
		p.End(blocks[0], "", 0, false)
		p.End(blocks[1], "", 0, false)
	}
	for _, s := range scenarios.Table {
		for _, p := range s.Patterns {
			if !numbers[fmt.Sprint(s.Number, p)] {
				t.Errorf("scenario %d: %v is never predicted", s.Number, p)
			}
		}
	}
}

// TestLong: the choices of events of long units are many times more than can be tried. With the bounds it ends, and
// says that it has not tried all.
func TestLong(t *testing.T) {
	const length = 3000
	h := order.New()
	blocks := [2]*segment.Block{}
	for i := range length {
		for thread := range uint32(2) {
			op := order.OpRead
			if (i+int(thread))%2 == 0 {
				op = order.OpWrite
			}
			if err := h.Add(thread, op, uint32(i%50), uint32(op)); err != nil {
				t.Fatal(err)
			}
			if blocks[thread] == nil {
				blocks[thread] = &segment.Block{Thread: h.Thread(thread)}
			}
			blocks[thread].Accesses = append(blocks[thread].Accesses, h.Last(h.Thread(thread)))
		}
	}
	h.Finished = true
	found := 0
	p := New(h, scenarios.Table, Defaults, func(uint32) uint32 { return 0 }, func(*Match) { found++ })
	p.End(blocks[0], "a", 0, false)
	p.End(blocks[1], "b", 0, false)
	if found == 0 || p.Given == 0 || p.Tried > 10_000 {
		t.Errorf("%d patterns found, %d choices tried, %d given up", found, p.Tried, p.Given)
	}
	t.Logf("%d patterns found, %d choices tried, %d given up", found, p.Tried, p.Given)
}
