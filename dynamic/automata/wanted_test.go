package automata

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/empire-go/empire-go/scenarios"
)

// kindOfMatch is what is wanted once.
type kindOfMatch struct {
	pattern string
	codes   [2]uint32
	fields  [2]uint16
	isOther bool // the locations are of two objects
}

// codeOf numbers what a unit of a random trace does.
func codeOf(x int) uint32 { return uint32(x%3) + 1 }

// TestWanted holds an engine that is told of what is not wanted any more to one that reports all: each kind of match is
// reported by both, and only as often as it is wanted by the first one.
func TestWanted(t *testing.T) {
	count, seed := 600, uint64(1)
	if os.Getenv("EMPIRE_LONG") != "" {
		count = 50_000
	}
	if n, err := strconv.ParseUint(os.Getenv("EMPIRE_SEED"), 10, 64); err == nil {
		seed = n
	}
	total := 0
	for i := range count {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		tr := generate(r)
		for range 6 { // what is known not to be wanted matters to units that come later
			tr.append(generate(r), uint16(r.IntN(3)))
		}
		all, wanted := tr.kinds(t, false), tr.kinds(t, true)
		for k := range all {
			if wanted[k] == 0 {
				t.Errorf("trace %d: %+v is lost in\n%v", i, k, tr)
			}
		}
		for k, n := range wanted {
			if n != 1 || all[k] == 0 {
				t.Errorf("trace %d: %+v is reported %d times, and %d times in all in\n%v", i, k, n, all[k], tr)
			}
		}
		total += len(all)
		if t.Failed() {
			return
		}
	}
	t.Logf("%d traces, %d kinds of matches", count, total)
}

// append appends another trace, of other goroutines, at other fields unless shift is 0.
func (tr *randomTrace) append(other *randomTrace, shift uint16) {
	units, steps, goroutines := len(tr.goroutine), uint64(len(tr.steps)), uint32(0)
	for _, g := range tr.goroutine {
		goroutines = max(goroutines, g)
	}
	goroutines += 8
	for x, g := range other.goroutine {
		parent := other.parent[x]
		if parent >= 0 {
			parent += units
		}
		tr.goroutine, tr.parent = append(tr.goroutine, g+goroutines), append(tr.parent, parent)
		tr.families = append(tr.families, other.families[x])
	}
	for _, s := range other.steps {
		of := make([]int, len(s.units))
		for i, x := range s.units {
			of[i] = x + units
		}
		s.units, s.Index = of, s.Index+steps
		s.Location.Field += 4 * shift
		if s.op == "fork" || s.op == "join" {
			s.child += goroutines
		}
		tr.steps = append(tr.steps, s)
	}
}

// kinds counts the kinds of matches that the engine reports: all of them, or those that are wanted.
func (tr *randomTrace) kinds(t *testing.T, once bool) map[kindOfMatch]int {
	seen := map[kindOfMatch]int{}
	number := map[*Unit]int{}
	kindOf := func(p *Pattern, u, v *Unit, l1, l2 Location) kindOfMatch {
		k := kindOfMatch{fmt.Sprint(p.Scenario.Number), [2]uint32{codeOf(number[u]), codeOf(number[v])},
			[2]uint16{l1.Field, l2.Field}, l1.Object != l2.Object}
		if k.codes[0] > k.codes[1] {
			k.codes[0], k.codes[1] = k.codes[1], k.codes[0]
		}
		return k
	}
	e, err := New(scenarios.Table, func(m *Match) {
		seen[kindOf(&m.Pattern, m.Units[0], m.Units[1], m.Locations[0], m.Locations[len(m.Locations)-1])]++
		if !tr.holds(m, number[m.Units[0]], number[m.Units[1]]) {
			t.Errorf("the events %+v are no match of %v in\n%v", m.Events, m.Pattern.Pattern, tr)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	e.Apart = func(u, v *Unit, l Location) bool { return tr.apart(number[u], number[v], l) }
	e.Name = func(u *Unit) uint32 { return codeOf(number[u]) }
	if once {
		e.Code = e.Name
		e.Wanted = func(p *Pattern, u, v *Unit, l1, l2 Location) bool {
			return seen[kindOf(p, u, v, l1, l2)] == 0
		}
	}
	units := map[int]*Unit{}
	for _, s := range tr.steps {
		for _, x := range s.units {
			if units[x] == nil {
				units[x] = e.Begin(tr.goroutine[x], x)
				number[units[x]] = x
			}
			switch u := units[x]; s.op {
			case "access":
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
	return seen
}
