package hook

import (
	"slices"
	"testing"
)

// matchAlike carries out a run twice, and lets its accesses be left out in the second one: the same has to match. It
// returns what that is, and how many accesses are left.
func (s *sample) matchAlike(t *testing.T, acts []act) (full []string, kept uint64) {
	t.Helper()
	full, _, _ = s.matches(t, s.perform(t, acts, false))
	reduced, kept, isWhole := s.matches(t, s.perform(t, acts, true))
	if !slices.Equal(full, reduced) || !isWhole {
		t.Errorf("in the whole run there is %q, in the reduced one %q", full, reduced)
	}
	return full, kept
}

// inOneCycle lets no cycle of the collector begin during a test, which asks often for its number.
func inOneCycle(t *testing.T) {
	plainCycle = func() uint32 { return 1 }
	t.Cleanup(func() { plainCycle = nil })
}

// step is an act of the first function.
func step(g int, what string, field, sort, kind int) act {
	return act{g: g, what: what, function: 1, field: field, sort: sort, kind: kind}
}

// inConflict is how two goroutines begin that use one object at the same time.
func inConflict() []act {
	return []act{{what: "go", object: 1}, step(0, "begin", 0, 0, 0), step(0, "access", 0, 0, 1),
		step(1, "begin", 0, 0, 0), step(1, "access", 0, 0, 1), step(0, "access", 0, 0, 1)}
}

// TestRemembered has a goroutine go on with a unit behind a critical section: what another one has found out in an
// earlier one of the same lock, that nobody uses the object, does not hold any more.
func TestRemembered(t *testing.T) {
	inOneCycle(t)
	defer func(n int) { rememberAfter = n }(rememberAfter)
	rememberAfter = 1
	section := func(g int, last string) []act {
		return []act{{g: g, what: "lock"}, {g: g, what: "access", function: 1, kind: 1}, {g: g, what: last}}
	}
	unit := func(g int, sections ...[]act) []act {
		begin, end := []act{{g: g, what: "begin", function: 1}}, []act{{g: g, what: "end"}}
		return slices.Concat(begin, slices.Concat(sections...), end)
	}
	two := unit(0, section(0, "unlock"), section(0, "unlocklast"))
	whole := unit(1, section(1, "unlocklast"))
	acts := slices.Concat([]act{{what: "go", object: 1}}, whole, whole, two[:4], whole, two[4:])
	s := newSample(true)
	if full, _ := s.matchAlike(t, acts); len(full) == 0 {
		t.Error("nothing matches")
	}
}

// TestDisturbed has a goroutine that has recorded what it does read a field again that somebody else has written whose
// records are still soft.
func TestDisturbed(t *testing.T) {
	inOneCycle(t)
	step := func(g int, what string, kind int) act { return step(g, what, 0, 0, kind) }
	acts := []act{{what: "go", object: 1}, {what: "go", object: 2}, step(0, "begin", 0), step(0, "access", 1),
		step(2, "begin", 0), step(2, "access", 1), step(2, "end", 0), step(0, "access", 1), step(0, "access", 0),
		step(1, "begin", 0), step(1, "access", 1), step(0, "access", 0), step(1, "end", 0), step(0, "end", 0)}
	s := newSample(false)
	if full, _ := s.matchAlike(t, acts); len(full) == 0 {
		t.Error("nothing matches")
	}
}

// TestSeldom has a unit come between two reads of another one only after many rounds in which there was but one: units
// like both have been recorded often, and yet neither may be left out.
func TestSeldom(t *testing.T) {
	inOneCycle(t)
	step := func(g int, what string, kind int) act { return step(g, what, 0, 0, kind) }
	round := []act{step(0, "begin", 0), step(0, "access", 0), step(1, "begin", 0), step(1, "access", 1),
		step(1, "end", 0)}
	s := newSample(false)
	once := []act{{what: "go", object: 1}}
	for range 100 {
		once = slices.Concat(once, round, []act{step(0, "end", 0)})
	}
	if full, _, _ := s.matches(t, s.perform(t, once, false)); len(full) > 0 {
		t.Fatalf("one read is in %q", full)
	}
	acts := slices.Concat(once, round, []act{step(0, "access", 0), step(0, "end", 0)})
	if full, _ := s.matchAlike(t, acts); len(full) == 0 {
		t.Error("nothing matches")
	}
}

// TestForgotten has a method read again and again what it forgets each time, in a conflict: of what it does not forget
// nothing is recorded twice.
func TestForgotten(t *testing.T) {
	inOneCycle(t)
	acts := inConflict()
	const rounds = 10
	for range rounds {
		acts = append(acts, step(0, "access", 0, 1, 0), step(0, "access", 0, 0, 0), step(0, "access", 1, 1, 1),
			step(0, "access", 1, 0, 0), step(0, "access", 2, 0, 0))
	}
	acts = append(acts, step(1, "access", 0, 0, 1), step(1, "end", 0, 0, 0), step(0, "end", 0, 0, 0))
	s := newSample(false)
	full, kept := s.matchAlike(t, acts)
	if len(full) == 0 {
		t.Error("nothing matches")
	}
	if most := uint64(2*rounds + 8); kept > most {
		t.Errorf("%d accesses are left, want at most %d", kept, most)
	}
}

// TestReadAgain has a method read again and again, in a conflict, what it forgets each time, and what one of its other
// reads stands for: each is recorded once.
func TestReadAgain(t *testing.T) {
	inOneCycle(t)
	acts := inConflict()
	const rounds = 10
	for range rounds {
		acts = append(acts, step(0, "access", 0, 1, 0), step(0, "access", 0, 3, 0))
	}
	for range rounds {
		acts = append(acts, step(0, "access", 1, 3, 0), step(0, "access", 2, 0, 0))
	}
	acts = append(acts, step(1, "access", 0, 0, 1), step(1, "access", 1, 0, 1), step(0, "access", 0, 1, 0),
		step(0, "access", 1, 3, 0), step(1, "end", 0, 0, 0), step(0, "end", 0, 0, 0))
	s := newSample(false)
	full, kept := s.matchAlike(t, acts)
	if len(full) == 0 {
		t.Error("nothing matches")
	}
	if most := uint64(10); kept > most {
		t.Errorf("%d accesses are left, want at most %d", kept, most)
	}
}

// TestReadElse has a method read, in a conflict, what looks like a read before and is none: it is forgotten by less, or
// somebody else has come in between. What it matches is found by the read that was made last, and by no other one.
func TestReadElse(t *testing.T) {
	inOneCycle(t)
	step := func(g int, what string, field, sort, kind int) act {
		a := step(g, what, field, sort, kind)
		a.function = g
		return a
	}
	begin := []act{{what: "go", object: 1}, step(0, "begin", 0, 0, 0), step(0, "access", 2, 0, 1),
		step(1, "begin", 0, 0, 0), step(1, "access", 2, 0, 1), step(0, "access", 2, 0, 1)}
	end := []act{step(0, "end", 0, 0, 0), step(1, "end", 0, 0, 0)}
	read := func(sort int) act { return step(0, "access", 0, sort, 0) }
	change, forget := step(1, "access", 0, 0, 1), step(0, "access", 1, 1, 1)
	elsewhere := []act{step(1, "access", 1, 0, 1), step(0, "access", 1, 0, 2)}
	s := newSample(false)
	for name, acts := range map[string][]act{
		"outlives":   {read(1), read(3), forget, change, read(0)},
		"in between": {read(1), change, read(1), change, read(0)},
		"forgotten":  {read(1), read(1), change, read(1)},
		"made anew":  slices.Concat([]act{read(1)}, elsewhere, []act{read(3), read(1), change}),
		"both":       {read(3), read(1), read(3), read(1), forget, change, read(1), change, read(3)},
	} {
		t.Run(name, func(t *testing.T) {
			full, _ := s.matchAlike(t, slices.Concat(begin, acts, end))
			t.Log(full)
		})
	}
}
