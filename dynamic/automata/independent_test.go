package automata_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/dynamic/automata"
	"github.com/empire-go/empire-go/scenarios"
)

// What the papers print, typed in once more: u's events have no prime. The package itself reads
// the patterns off the table of scenarios.
var papers = []string{
	"R(1) W'(1) W(1)", "R(1) W'(1) R(1)", "W(1) R'(1) W(1)", "W(1) W'(1) R(1)", "W(1) W'(1) W(1)",
	"W(1) W'(1) W'(2) W(2)", "W(1) W'(2) W'(1) W(2)", "W(1) W'(2) W(2) W'(1)",
	"W(1) R'(1) R'(2) W(2)", "W(1) R'(2) R'(1) W(2)", "R(1) W'(1) W'(2) R(2)", "R(1) W'(2) W'(1) R(2)",
	"R(1) W'(2) R(2) W'(1)", "W(1) R'(2) W(2) R'(1)",
}

// happening is a step of a trace of whole units; an access unless told otherwise.
type happening struct {
	unit   int
	access automata.Access
	end    bool
	fork   bool // of goroutine child
	join   bool
	child  uint32
}

// trace is a random trace of units that follow each other in their goroutines.
type trace struct {
	goroutine []uint32 // by unit
	parent    []int    // unit that has forked its goroutine, or -1
	steps     []happening
}

func randomTrace(r *rand.Rand) *trace {
	tr := &trace{}
	goroutines, fields := 2+r.IntN(3), 1+r.IntN(3)
	open, parents, over := make([]int, goroutines), make([]int, goroutines), make([]bool, goroutines)
	for g := range open {
		open[g], parents[g] = -1, -1
	}
	forgetful, indivisible := r.IntN(2) == 0, r.IntN(2) == 0
	for index := uint64(1); index < 30; index++ {
		g := r.IntN(goroutines)
		if over[g] {
			continue
		}
		if open[g] < 0 {
			open[g] = len(tr.goroutine)
			tr.goroutine, tr.parent = append(tr.goroutine, uint32(g+1)), append(tr.parent, parents[g])
		}
		u := open[g]
		switch k := r.IntN(16); {
		case k < 2:
			tr.steps = append(tr.steps, happening{unit: u, end: true})
			open[g] = -1
		case k == 2:
			c := r.IntN(goroutines)
			if c != g && parents[c] < 0 && !slices.Contains(tr.goroutine, uint32(c+1)) {
				parents[c] = u
				tr.steps = append(tr.steps, happening{unit: u, fork: true, child: uint32(c + 1)})
			}
		case k == 3:
			for c := range goroutines {
				if parents[c] == u && !over[c] && c != g {
					if open[c] >= 0 {
						tr.steps = append(tr.steps, happening{unit: open[c], end: true})
					}
					over[c] = true
					tr.steps = append(tr.steps, happening{unit: u, join: true, child: uint32(c + 1)})
					break
				}
			}
		default:
			a := automata.Access{Location: automata.Location{Object: 1, Field: uint16(r.IntN(fields))},
				Kind: automata.Kind(r.IntN(2)), Index: index}
			if indivisible && r.IntN(4) == 0 {
				a.Kind = automata.RMW
			}
			if forgetful {
				if a.Kind == automata.Read && r.IntN(2) == 0 {
					a.Token = uint8(1 + r.IntN(2))
				}
				if r.IntN(4) == 0 {
					a.Forgets = 2 << r.IntN(2)
				}
			}
			tr.steps = append(tr.steps, happening{unit: u, access: a})
		}
	}
	return tr
}

// naive is every match, by looking at all tuples of events: pattern, u, u', l1, l2. It is true
// if it has been completed while both units were alive.
func (tr *trace) naive() (found map[string]bool, cycles map[string]bool) {
	found, cycles = map[string]bool{}, map[string]bool{}
	for n, text := range papers {
		pattern := strings.Fields(text)
		tr.extend(pattern, nil, func(at []int) {
			name := tr.name(n+1, at, pattern)
			found[name] = found[name] || tr.alive(at)
		})
	}
	// A conflict cycle: op_u(1) before op_u'(1), op_u'(2) before op_u(2), a write in each.
	for i := range tr.steps {
		for j := i + 1; j < len(tr.steps); j++ {
			if !tr.conflict(i, j) {
				continue
			}
			for k := range tr.steps {
				for l := k + 1; l < len(tr.steps); l++ {
					a, b, c, d := &tr.steps[i], &tr.steps[j], &tr.steps[k], &tr.steps[l]
					if tr.conflict(k, l) && a.unit == d.unit && b.unit == c.unit && a.access.Location != c.access.Location {
						at := []int{i, j, k, l}
						slices.Sort(at)
						if tr.counts(at, a.unit, b.unit) {
							cycles[pair(a.unit, b.unit)] = cycles[pair(a.unit, b.unit)] || tr.alive(at)
						}
					}
				}
			}
		}
	}
	return found, cycles
}

// alive says whether the units of some events are alive at the last one.
func (tr *trace) alive(at []int) bool {
	return !slices.ContainsFunc(tr.steps[:at[len(at)-1]], func(s happening) bool {
		return s.end && slices.ContainsFunc(at, func(i int) bool { return tr.steps[i].unit == s.unit })
	})
}

func pair(u, v int) string { return fmt.Sprint(min(u, v), " ", max(u, v)) }

func (tr *trace) isAccess(i int) bool {
	s := tr.steps[i]
	return !s.end && !s.fork && !s.join
}

// conflict says whether two steps are accesses of units of two goroutines to one location, with a write.
func (tr *trace) conflict(i, j int) bool {
	a, b := &tr.steps[i], &tr.steps[j]
	return tr.isAccess(i) && tr.isAccess(j) && a.access.Location == b.access.Location &&
		tr.goroutine[a.unit] != tr.goroutine[b.unit] &&
		(a.access.Kind != automata.Read || b.access.Kind != automata.Read)
}

// extend extends a beginning of a pattern by every event that fits.
func (tr *trace) extend(pattern []string, at []int, yield func([]int)) {
	if len(at) == len(pattern) {
		u, v := -1, -1
		for i, p := range pattern {
			if strings.Contains(p, "'") {
				v = tr.steps[at[i]].unit
			} else {
				u = tr.steps[at[i]].unit
			}
		}
		if tr.counts(at, u, v) {
			yield(at)
		}
		return
	}
	from := 0
	if len(at) > 0 {
		from = at[len(at)-1] + 1
	}
	for i := from; i < len(tr.steps); i++ {
		if tr.fits(pattern, at, i) {
			tr.extend(pattern, append(at[:len(at):len(at)], i), yield)
		}
	}
}

// fits says whether a step can be the next event of a pattern.
func (tr *trace) fits(pattern []string, at []int, i int) bool {
	s, p := tr.steps[i], pattern[len(at)]
	if !tr.isAccess(i) || s.access.Kind == automata.Read && p[0] == 'W' || s.access.Kind == automata.Write && p[0] == 'R' {
		return false
	}
	for k, q := range pattern[:len(at)] {
		other := tr.steps[at[k]]
		if same := strings.Contains(p, "'") == strings.Contains(q, "'"); same != (s.unit == other.unit) ||
			!same && tr.goroutine[s.unit] == tr.goroutine[other.unit] {
			return false
		}
		if (p[len(p)-2] == q[len(q)-2]) != (s.access.Location == other.access.Location) {
			return false
		}
	}
	return true
}

// counts says whether no read is forgotten before the last event, and whether neither unit was
// forked in the other and joined before an event of that one.
func (tr *trace) counts(at []int, u, v int) bool {
	last := at[len(at)-1]
	for _, i := range at {
		s := tr.steps[i]
		if s.access.Token == 0 {
			continue
		}
		for j := i + 1; j <= last; j++ {
			if later := tr.steps[j]; tr.isAccess(j) && later.unit == s.unit && later.access.Forgets>>s.access.Token&1 != 0 {
				return false
			}
		}
	}
	for j, s := range tr.steps[:last] {
		if !s.join {
			continue
		}
		for _, i := range at {
			if i > j && tr.steps[i].unit == s.unit &&
				(s.unit == u && s.child == tr.goroutine[v] || s.unit == v && s.child == tr.goroutine[u]) {
				return false
			}
		}
	}
	return true
}

// name is how a match is compared.
func (tr *trace) name(number int, at []int, pattern []string) string {
	var u, v int
	locations := map[byte]uint16{}
	for i, p := range pattern {
		s := tr.steps[at[i]]
		if strings.Contains(p, "'") {
			v = s.unit
		} else {
			u = s.unit
		}
		locations[p[len(p)-2]] = s.access.Location.Field
	}
	return matchName(number, u, v, locations['1'], locations['2'], len(locations))
}

func matchName(number, u, v int, l1, l2 uint16, locations int) string {
	if locations == 1 {
		return fmt.Sprintf("pattern %d: u%d u%d l%d", number, u, v, l1)
	}
	return fmt.Sprintf("pattern %d: u%d u%d l%d l%d", number, u, v, l1, l2)
}

// engine is what the automata find.
func (tr *trace) engine(t *testing.T) (found, cycles map[string]bool) {
	found, cycles = map[string]bool{}, map[string]bool{}
	e, err := automata.New(scenarios.Table, func(m *automata.Match) {
		u, v := m.Units[0].Data.(int), m.Units[1].Data.(int)
		if m.Pattern.Number == 0 {
			cycles[pair(u, v)] = true
			return
		}
		l2 := uint16(0)
		if len(m.Locations) > 1 {
			l2 = m.Locations[1].Field
		}
		name := matchName(m.Pattern.Number, u, v, m.Locations[0].Field, l2, len(m.Locations))
		if found[name] {
			t.Errorf("%s is reported twice", name)
		}
		found[name] = true
	})
	if err != nil {
		t.Fatal(err)
	}
	units := map[int]*automata.Unit{}
	for _, s := range tr.steps {
		u := units[s.unit]
		if u == nil {
			u = e.Begin(tr.goroutine[s.unit], s.unit)
			units[s.unit] = u
		}
		switch {
		case s.end:
			e.End(u)
		case s.fork:
			e.Fork(u, s.child)
		case s.join:
			e.Join(u, s.child)
		default:
			e.Access(u, s.access)
		}
	}
	return found, cycles
}

// role is a match without the unit that may have ended before it was completed. Units that have ended
// and have the same prefixes with another one are one to the engine.
func role(name string) string {
	var n int
	var u, v string
	fmt.Sscanf(name, "pattern %d: %s %s", &n, &u, &v)
	rest := strings.SplitN(name, " ", 5)[4]
	if events := strings.Fields(papers[n-1]); strings.Contains(events[len(events)-1], "'") {
		return fmt.Sprint(n, " by ", v, "' ", rest)
	}
	return fmt.Sprint(n, " by ", u, " ", rest)
}

// TestPapers compares the automata with the papers' text, event tuple by event tuple.
func TestPapers(t *testing.T) {
	matches, onlyCycles := 0, 0
	count := uint64(3000)
	if os.Getenv("EMPIRE_LONG") != "" {
		count = 100_000
	}
	for seed := range count {
		tr := randomTrace(rand.New(rand.NewPCG(seed, 23)))
		want, wantCycles := tr.naive()
		got, gotCycles := tr.engine(t)
		roles := map[string]bool{} // what is reported, without the unit that does not end it
		for name := range got {
			if _, ok := want[name]; !ok {
				t.Fatalf("seed %d:\n%s\n%s is made up", seed, tr, name)
			}
			roles[role(name)] = true
		}
		for name, alive := range want {
			if !got[name] && (alive || !roles[role(name)]) {
				t.Fatalf("seed %d:\n%s\n%s is missed", seed, tr, name)
			}
		}
		explained := map[string]bool{}
		for name := range want {
			var n, u, v int
			fmt.Sscanf(name, "pattern %d: u%d u%d", &n, &u, &v)
			explained[pair(u, v)] = true
		}
		for p := range wantCycles {
			if !explained[p] {
				onlyCycles++
			}
			if !explained[p] && !gotCycles[p] && wantCycles[p] {
				t.Fatalf("seed %d:\n%s\na conflict cycle of units %s is missed", seed, tr, p)
			}
		}
		for p := range gotCycles {
			if _, ok := wantCycles[p]; !ok {
				t.Fatalf("seed %d:\n%s\na conflict cycle of units %s is made up", seed, tr, p)
			}
		}
		matches += len(want)
	}
	if matches < 10_000 || onlyCycles < 20 {
		t.Errorf("%d matches, %d pairs of units with nothing but a conflict cycle: too few to say much", matches, onlyCycles)
	}
}

func (tr *trace) String() string {
	var b strings.Builder
	for i, s := range tr.steps {
		switch {
		case s.end:
			fmt.Fprintf(&b, "%d u%d ends\n", i, s.unit)
		case s.fork:
			fmt.Fprintf(&b, "%d u%d forks g%d\n", i, s.unit, s.child)
		case s.join:
			fmt.Fprintf(&b, "%d u%d joins g%d\n", i, s.unit, s.child)
		default:
			fmt.Fprintf(&b, "%d u%d (g%d) %s l%d", i, s.unit, tr.goroutine[s.unit], []string{"R", "W", "RMW"}[s.access.Kind],
				s.access.Location.Field)
			if s.access.Token != 0 {
				fmt.Fprintf(&b, " token %d", s.access.Token)
			}
			fmt.Fprintf(&b, " forgets %b\n", s.access.Forgets)
		}
	}
	return b.String()
}
