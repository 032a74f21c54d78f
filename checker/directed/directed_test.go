package directed_test

import (
	"testing"

	"github.com/empire-go/empire-go/checker/directed"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/esl/random"
	"github.com/empire-go/empire-go/internal/testmain"
)

// TestDirected looks for what occurs in random programs, by the interpreter: most of it is found, and the interpreter
// accepts what is found. EMPIRE_LONG=n multiplies the programs.
func TestDirected(t *testing.T) {
	n := testmain.Count(200)
	occurring, found, wrong, races, foundRaces := 0, 0, 0, 0, 0
	for seed := range uint64(n) {
		p := random.Program(seed+31_000_000, random.Shape{Plain: seed%2 == 0})
		x := interp.Explore(t.Context(), p, interp.Bounds{States: 20_000, Depth: 4})
		search := directed.New(t.Context(), p, nil, nil)
		for _, f := range x.Occurrences {
			occurring++
			units := [2]directed.Unit{{Instance: f.U.Instance, UnitName: f.U.UnitName},
				{Instance: f.V.Instance, UnitName: f.V.UnitName}}
			at := [2]int{f.Locations[0], -1}
			copy(at[:], f.Locations)
			steps, matched, ok := search.Pattern(f.Pattern, units, at)
			switch {
			case !ok:
			case interp.Accepts(t.Context(), p, steps, f.Pattern, f.U.Instance, f.V.Instance, f.V.Object, f.Locations,
				matched) != nil:
				wrong++
			default:
				found++
			}
		}
		for _, r := range x.Races {
			races++
			steps, accesses, ok := search.Race(r.A, r.B, r.Location)
			if !ok {
				continue
			}
			s, err := interp.Replay(t.Context(), p, steps)
			if err != nil || !isEnabled(s, accesses[0]) || !isEnabled(s, accesses[1]) {
				t.Fatalf("seed %d: the accesses %v are not enabled after %v: %v", seed, accesses, steps, err)
			}
			foundRaces++
		}
	}
	t.Logf("%d of %d occurrences are found, for %d there is a run that is none; %d of %d races", found, occurring, wrong,
		foundRaces, races)
	if found < occurring/2 || foundRaces < races/2 {
		t.Error("too few are found")
	}
}

func isEnabled(s *interp.State, step esl.Step) bool {
	for _, e := range interp.Enabled(s) {
		if e == step {
			return true
		}
	}
	return false
}
