package hook

import (
	"math/rand/v2"
	"slices"
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Loops of which each round begins units anew, and does nothing else but to read one field: rounds like those before
// are left out in the program itself, see package instrument.

// withRounds makes some reads loops, of several rounds, with what others do in between.
func withRounds(r *rand.Rand, acts []act) []act {
	var all []act
	due := map[int]act{} // the round that a goroutine may be in
	for _, a := range acts {
		if a.what != "access" || r.IntN(2) == 0 { // else the loop comes again, behind an access
			delete(due, a.g)
		}
		if a.isRead() && a.function|1 == 3 && r.IntN(3) == 0 {
			a.what, a.splits = "round", 1+r.IntN(3)
			due[a.g] = a
		}
		all = append(all, a)
		for g := range 8 {
			if round, ok := due[g]; ok && r.IntN(2) == 0 {
				all = append(all, round)
			}
		}
	}
	return all
}

// isRead tells whether the act is a read of one field.
func (a act) isRead() bool { return a.what == "access" && a.kind == 0 && !a.whole }

// rounds is a loop that a goroutine is in.
type rounds struct {
	act
	seen Seen
}

// round carries out a round of a loop, the first one if l is nil. It returns the loop.
func (s *sample) round(g *Goroutine, l *rounds, a act, p unsafe.Pointer, ref Ref) *rounds {
	if l == nil {
		l = &rounds{act: a}
	}
	if field := (*int64)(p); !Same(g, field, &l.seen) {
		s.split(g, a)
		Sees(g, uint8(trace.Read), field, ref, &l.seen)
	}
	return l
}

// split begins the next stretches of the units of a function.
func (s *sample) split(g *Goroutine, a act) {
	if a.splits&1 != 0 {
		g.Split(s.frames[a.function])
	}
	if a.splits&2 != 0 {
		g.Split(s.second[a.function])
		if a.function == 3 {
			g.Split(s.third[a.function])
		}
	}
}

// leaves ends the loop that a goroutine is in, if its next act is none of its rounds. Those come one after the other.
func (s *sample) leaves(g *Goroutine, in map[int]*rounds, a act) {
	if l := in[a.g]; l != nil && l.act != a {
		s.split(g, l.act)
		delete(in, a.g)
	}
}

// isInFunction tells whether an act of a function comes where that is the innermost one.
func (a act) isInFunction(stack []int) bool {
	inside := slices.Contains([]string{"split", "round"}, a.what)
	return !inside || len(stack) > 0 && stack[len(stack)-1] == a.function
}
