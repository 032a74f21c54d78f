package automata

import (
	"math/rand/v2"
	"testing"

	"github.com/empire-go/empire-go/scenarios"
)

// BenchmarkAccess measures events of typical traces: goroutines that take turns at shared
// objects, in units of a few accesses, some of which overlap.
func BenchmarkAccess(b *testing.B) {
	for _, bench := range []struct {
		name       string
		goroutines int
		length     int // accesses of a unit
		objects    int
		overlap    int // one of so many units is open while others run; 0: none
	}{
		{"taking turns", 4, 6, 1, 0},
		{"some overlap", 4, 6, 1, 10},
		{"many objects", 8, 6, 100, 10},
		{"all at once", 8, 20, 1, 1},
		{"long units", 2, 1000, 1, 1},
	} {
		b.Run(bench.name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			e, err := New(scenarios.Table, func(*Match) {})
			if err != nil {
				b.Fatal(err)
			}
			e.Wanted = func(*Pattern, *Unit, *Unit, Location, Location) bool { return false }
			e.Code = func(*Unit) uint32 { return 1 }
			type open struct {
				unit   *Unit
				object uint32
				left   int
			}
			now := make([]open, bench.goroutines)
			g := 0
			for n := range b.N {
				o := &now[g]
				if o.left == 0 {
					if o.unit != nil {
						e.End(o.unit)
					}
					*o = open{e.Begin(uint32(g+1), nil), uint32(1 + r.IntN(bench.objects)), bench.length}
				}
				o.left--
				a := Access{Location: Location{Object: o.object, Field: uint16(n % 3)}, Kind: Kind(n / 3 % 2), Index: uint64(n + 1)}
				e.Access(o.unit, a)
				if o.left == 0 || bench.overlap > 0 && n%bench.overlap == 0 {
					if o.left == 0 && bench.overlap == 0 {
						e.End(o.unit)
						o.unit = nil
					}
					g = r.IntN(bench.goroutines)
				}
			}
		})
	}
}
