package steer

import "math/rand/v2"

// attempts yields ways to follow a script, the likeliest first: by the letter, with any
// goroutine in the roles, with the first occurrences of the events skipped; then seeded: with
// any number of occurrences skipped, as many as there were in earlier runs, with noise, and
// choices that only prefer the sites of the events. It is endless, and the same for a seed.
type attempts struct {
	random *rand.Rand
	seed   uint64
	n      int
	seen   [2]int // occurrences of the first event of each role in earlier runs, at most
	longer int    // how many times as many points a run may have
}

// muchLonger bounds longer.
const muchLonger = 25

func newAttempts(seed uint64) *attempts {
	return &attempts{random: rand.New(rand.NewPCG(seed, 12)), seed: seed, longer: 1}
}

// first is what is tried first.
var first = []Attempt{
	{Mode: Follow},
	{Mode: Follow, Lenient: true},
	{Mode: Follow, Forward: true}, {Mode: Follow, Late: true}, {Mode: Follow, Eager: true},
	{Mode: Follow, Forward: true, Late: true, Skip: [2]int{1, 0}},
	{Mode: Follow, Forward: true, Late: true, Skip: [2]int{0, 1}},
	{Mode: Follow, Reserve: true, Late: true, Young: true, Mix: 20},
	{Mode: Follow, Skip: [2]int{1, 0}}, {Mode: Follow, Skip: [2]int{0, 1}}, {Mode: Follow, Skip: [2]int{1, 1}},
	{Mode: Follow, Skip: [2]int{1, 0}, Lenient: true}, {Mode: Follow, Skip: [2]int{0, 1}, Lenient: true},
}

// note takes in what a run has shown, and whether no run has come to the site of some event.
func (a *attempts) note(l runLog, isIncomplete bool) {
	for role, n := range l.Seen {
		a.seen[role] = max(a.seen[role], n)
	}
	if l.End == outOfPoints && isIncomplete && a.longer < muchLonger {
		a.longer *= 5
		a.n-- // the same again
	}
}

// next returns the next attempt.
func (a *attempts) next() Attempt {
	a.n++
	if a.n <= len(first) {
		return first[a.n-1]
	}
	t := Attempt{Mode: Follow, Seed: a.seed*1_000_000 + uint64(a.n), Late: a.coin(), Eager: a.coin(), Young: a.coin()}
	switch a.random.IntN(3) {
	case 0:
		t.Forward = true
	case 1:
		t.Reserve = true
	}
	switch a.n % 6 {
	case 0:
		t.Mode = Roam
	case 1:
		t.Noise = 20
	case 2:
		t.Lenient, t.Noise = true, 60
		t.Skip = a.skip()
	case 3:
		t.Mix = 300
	case 4:
		t.Mix = 60
		t.Skip = a.skip()
	default:
		t.Skip = a.skip()
	}
	return t
}

func (a *attempts) coin() bool { return a.random.IntN(2) == 0 }

// skip returns how many first events are skipped: none as often as any other number.
func (a *attempts) skip() [2]int {
	var n [2]int
	for role := range n {
		if a.random.IntN(2) == 0 {
			n[role] = a.random.IntN(max(4, a.seen[role]+1))
		}
	}
	return n
}
