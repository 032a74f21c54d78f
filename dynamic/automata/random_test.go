package automata

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/scenarios"
)

// The property: on random traces the engine reports what a matcher that looks at every
// tuple of events finds.

// step is a step of a trace.
type step struct {
	op    string // "access", "end", "join"
	units []int  // of the events; or the one that ends or joins
	Access
	child uint32 // of join
}

// randomTrace is a trace with the goroutine of each unit.
type randomTrace struct {
	goroutine []uint32
	parent    []int // by unit: the unit in which its goroutine was started, -1 if none
	steps     []step
	families  []int // of units: units of one family access different parts of field 2
}

// generate returns a random trace.
func generate(r *rand.Rand) *randomTrace {
	tr := &randomTrace{}
	goroutines := 2 + r.IntN(3)
	open := make([][]int, goroutines) // the units of each goroutine, one or two (unitfor)
	parent := make([]int, goroutines)
	family := make([]int, goroutines)
	over := make([]bool, goroutines)
	for g := range parent {
		parent[g], family[g] = -1, r.IntN(2)*r.IntN(2)
	}
	objects, fields := 1+r.IntN(2), 1+r.IntN(3)
	forgetful, counting := r.IntN(2) == 0, r.IntN(4) == 0
	end := func(g int) {
		for _, u := range open[g] {
			tr.steps = append(tr.steps, step{op: "end", units: []int{u}})
		}
		open[g] = nil
	}
	for range 4 + r.IntN(24) {
		g := r.IntN(goroutines)
		if over[g] {
			continue
		}
		if len(open[g]) == 0 {
			for range 1 + r.IntN(8)/7 {
				open[g] = append(open[g], len(tr.goroutine))
				tr.goroutine = append(tr.goroutine, uint32(g+1))
				tr.parent = append(tr.parent, parent[g])
				tr.families = append(tr.families, family[g])
			}
		}
		switch r.IntN(12) {
		case 0, 1:
			end(g)
			continue
		case 2: // a child of g that has done nothing yet
			c := r.IntN(goroutines)
			if c != g && parent[c] < 0 && !slices.Contains(tr.goroutine, uint32(c+1)) && r.IntN(2) == 0 {
				parent[c] = open[g][0]
				tr.steps = append(tr.steps, step{op: "fork", units: open[g][:1], child: uint32(c + 1)})
			}
			continue
		case 3: // joins a child
			for c, p := range parent {
				if p == open[g][0] && !over[c] && c != g {
					end(c)
					over[c] = true
					tr.steps = append(tr.steps, step{op: "join", units: open[g][:1], child: uint32(c + 1)})
					break
				}
			}
			continue
		}
		a := Access{Location: Location{Object: uint32(1 + r.IntN(objects)), Field: uint16(r.IntN(fields))},
			Kind: Kind(r.IntN(2)), Index: uint64(len(tr.steps) + 1)}
		if r.IntN(8) == 0 {
			a.Kind = RMW
		}
		if counting && r.IntN(3) > 0 {
			a.Kind = Increment
		}
		if forgetful && a.Kind != Write && r.IntN(2) == 0 {
			a.Token = uint8(1 + r.IntN(3))
		}
		if forgetful && r.IntN(3) == 0 {
			a.Forgets = 2 << r.IntN(3)
		}
		units := open[g]
		if len(units) == 2 && r.IntN(2) == 0 {
			units = units[:1]
		}
		tr.steps = append(tr.steps, step{op: "access", units: slices.Clone(units), Access: a})
	}
	return tr
}

func (tr *randomTrace) apart(u, v int, l Location) bool {
	return tr.families[u] == 1 && tr.families[v] == 1 && l.Field == 2
}

// completion is that a pattern was completed by an event of a unit, as one of the two of
// the pattern, for locations, with some other unit: for the first time at index.
type completion struct {
	pattern  string
	last     int
	isSecond bool
	l1, l2   Location
}

func (tr *randomTrace) String() string {
	var b strings.Builder
	for i, s := range tr.steps {
		fmt.Fprintf(&b, "%d: %s %v", i+1, s.op, s.units)
		for _, u := range s.units {
			fmt.Fprintf(&b, " g%d", tr.goroutine[u])
		}
		if s.op == "access" {
			fmt.Fprintf(&b, " %s %d.%d token %d forgets %b", [...]string{"R", "W", "RMW", "INC"}[s.Kind], s.Location.Object,
				s.Location.Field, s.Token, s.Forgets)
		}
		fmt.Fprintf(&b, " %d\n", s.child)
	}
	return b.String()
}

// run returns what an engine finds that knows of moves from earlier traces.
func (tr *randomTrace) run(t *testing.T, patterns []scenarios.Scenario, known *memo) map[completion]uint64 {
	all := map[completion]uint64{}
	number := map[*Unit]int{}
	now := uint64(0)
	e, err := New(patterns, func(m *Match) {
		u, v := number[m.Units[0]], number[m.Units[1]]
		c := completion{pattern: m.Pattern.Pattern.String(), l1: m.Locations[0]}
		if len(m.Locations) > 1 {
			c.l2 = m.Locations[1]
		}
		lastEvent := m.Pattern.Events[len(m.Pattern.Events)-1]
		c.last, c.isSecond = u, lastEvent.Unit == scenarios.V
		if c.isSecond {
			c.last = v
		}
		if _, ok := all[c]; !ok {
			all[c] = now
		}
		if !tr.holds(m, u, v) {
			t.Errorf("the events %+v are no match of %v by units %d and %d in\n%v", m.Events, m.Pattern.Pattern, u, v, tr)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	e.memo, e.Code = *known, func(*Unit) uint32 { return 1 }
	defer func() { *known = e.memo }()
	units := map[int]*Unit{}
	e.Apart = func(u, v *Unit, l Location) bool { return tr.apart(number[u], number[v], l) }
	for _, s := range tr.steps {
		for _, x := range s.units {
			if units[x] == nil {
				units[x] = e.Begin(tr.goroutine[x], x)
				number[units[x]] = x
			}
			u := units[x]
			switch s.op {
			case "access":
				now = s.Index
				e.Access(u, s.Access)
			case "end":
				e.End(u)
			case "fork":
				e.Fork(u, s.child)
			case "join":
				e.Join(u, s.child)
			}
		}
	}
	for x, u := range units {
		if !slices.ContainsFunc(tr.steps, func(s step) bool { return s.op == "end" && s.units[0] == x }) {
			e.End(u)
		}
	}
	if e.count != 0 || len(e.objects) != 0 {
		t.Errorf("%d tuples and %d objects are left in\n%v", e.count, len(e.objects), tr)
	}
	return all
}

// holds tells whether the events that a match names are one.
func (tr *randomTrace) holds(m *Match, u, v int) bool {
	if len(m.Events) != len(m.Pattern.Events) {
		return false
	}
	var at []int
	for _, e := range m.Events {
		at = append(at, int(e.Index)-1)
	}
	locations := append(slices.Clone(m.Locations), Location{})
	for k, e := range m.Pattern.Events {
		if k > 0 && at[k] <= at[k-1] || !tr.matches(e, at[k], [2]int{u, v}, locations) {
			return false
		}
	}
	return tr.counts(m.Pattern.Pattern, at, u, v, locations[:m.Pattern.Locations()])
}

func (tr *randomTrace) matches(e scenarios.Event, at int, units [2]int, locations []Location) bool {
	s := tr.steps[at]
	return s.op == "access" && slices.Contains(s.units, units[e.Unit]) && s.Location == locations[e.Loc-1] &&
		s.Kind.matches(e.Kind)
}

// brute finds all completions by looking at every tuple of events.
func (tr *randomTrace) brute(patterns []scenarios.Scenario) map[completion]uint64 {
	all := map[completion]uint64{}
	var places []Location
	for _, s := range tr.steps {
		if s.op == "access" && !slices.Contains(places, s.Location) {
			places = append(places, s.Location)
		}
	}
	for _, s := range patterns {
		for _, p := range s.Patterns {
			for u := range tr.goroutine {
				for v := range tr.goroutine {
					if tr.goroutine[u] == tr.goroutine[v] {
						continue
					}
					for _, l1 := range places {
						for _, l2 := range places {
							if l1 != l2 && p.Locations() == 2 {
								tr.tuples(p, u, v, []Location{l1, l2}, nil, all)
							}
						}
						if p.Locations() == 1 {
							tr.tuples(p, u, v, []Location{l1}, nil, all)
						}
					}
				}
			}
		}
	}
	return all
}

func (tr *randomTrace) tuples(p scenarios.Pattern, u, v int, locations []Location, at []int,
	all map[completion]uint64) {
	k := len(at)
	if k == len(p.Events) {
		if !tr.counts(p, at, u, v, locations) {
			return
		}
		c := completion{pattern: p.String(), l1: locations[0]}
		if len(locations) > 1 {
			c.l2 = locations[1]
		}
		c.isSecond = p.Events[k-1].Unit == scenarios.V
		c.last = [2]int{u, v}[p.Events[k-1].Unit]
		if first, ok := all[c]; !ok || tr.steps[at[k-1]].Index < first {
			all[c] = tr.steps[at[k-1]].Index
		}
		return
	}
	from := 0
	if k > 0 {
		from = at[k-1] + 1
	}
	for i := from; i < len(tr.steps); i++ {
		if tr.matches(p.Events[k], i, [2]int{u, v}, locations) {
			tr.tuples(p, u, v, locations, append(at[:k:k], i), all)
		}
	}
}

// counts tells whether none of the exceptions applies to a tuple of events.
func (tr *randomTrace) counts(p scenarios.Pattern, at []int, u, v int, locations []Location) bool {
	last := at[len(at)-1]
	units := [2]int{u, v}
	for k, e := range p.Events[:len(at)-1] {
		if e.Kind != scenarios.Read || tr.steps[at[k]].Token == 0 {
			continue
		}
		for i := at[k] + 1; i <= last; i++ {
			s := tr.steps[i]
			if s.op == "access" && slices.Contains(s.units, units[e.Unit]) && s.Forgets&(1<<tr.steps[at[k]].Token) != 0 {
				return false
			}
		}
	}
	for _, l := range locations {
		if tr.apart(u, v, l) {
			return false
		}
		plain := false
		for i := 0; i <= last; i++ {
			s := tr.steps[i]
			plain = plain || s.op == "access" && s.Location == l && s.Kind != Increment &&
				(slices.Contains(s.units, u) || slices.Contains(s.units, v))
		}
		if !plain {
			return false
		}
	}
	for _, s := range tr.steps[:last] {
		if s.op == "join" && (s.units[0] == u && s.child == tr.goroutine[v] ||
			s.units[0] == v && s.child == tr.goroutine[u]) {
			return false
		}
	}
	return true
}

func TestAgainstEveryTuple(t *testing.T) {
	count, seed := 2000, uint64(1)
	if os.Getenv("EMPIRE_LONG") != "" {
		count = 100_000
	}
	if n, err := strconv.ParseUint(os.Getenv("EMPIRE_SEED"), 10, 64); err == nil {
		seed = n
	}
	total, spans := 0, map[string]int{}
	warm := &memo{}
	for i := range count {
		from := rand.NewPCG(seed, uint64(i))
		if i == 0 {
			from = rand.NewPCG(21, 89661) // here one in a hundred thousand has found a mistake
		}
		tr := generate(rand.New(from))
		want := tr.brute(canonical())
		for _, known := range []*memo{warm, {resting: math.MaxInt}} { // with moves that were noted, and without
			got := tr.run(t, scenarios.Table, known)
			for c, at := range want {
				if got[c] != at {
					t.Errorf("trace %d: %+v is completed at %d, and the engine says %d:\n%v", i, c, at, got[c], tr)
				}
			}
			for c, at := range got {
				if _, ok := want[c]; !ok {
					t.Errorf("trace %d: the engine finds %+v at %d, which is not there:\n%v", i, c, at, tr)
				}
			}
		}
		for c := range want {
			spans[c.pattern]++
		}
		total += len(want)
		if t.Failed() {
			return
		}
	}
	if len(spans) != 32 && !t.Failed() {
		t.Errorf("only %d patterns occurred", len(spans))
	}
	t.Logf("%d traces, %d occurrences", count, total)
}

// canonical returns the table without the patterns that differ from others in names only.
func canonical() []scenarios.Scenario {
	var list []scenarios.Scenario
	seen := map[string]bool{}
	for _, s := range scenarios.Table {
		kept := s
		kept.Patterns = nil
		for _, p := range s.Patterns {
			f := p.Events[0]
			key := ""
			for _, e := range p.Events {
				key += fmt.Sprint(e.Kind, e.Unit == f.Unit, e.Loc == f.Loc, " ")
			}
			if !seen[key] {
				seen[key] = true
				kept.Patterns = append(kept.Patterns, p)
			}
		}
		list = append(list, kept)
	}
	return list
}
