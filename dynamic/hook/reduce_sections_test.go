package hook

import "math/rand/v2"

// sections makes the steps of a goroutine whose critical sections lie in each other, each in one function, which calls
// others in it. Most functions are units for one set only: so some units end with a section while others go on.
type sections struct {
	r      *rand.Rand
	g      int
	locks  int
	guards *[6][3]int
	held   []int // in the order in which all take them
	acts   []act
}

// sectionsRun is a random run of such goroutines.
func sectionsRun(r *rand.Rand) []act {
	var guards [6][3]int
	locks := 2 + r.IntN(2)
	for i := range guards {
		guards[i] = [3]int{r.IntN(locks), r.IntN(locks), r.IntN(locks)}
	}
	all := []act{{what: "go", object: 1}}
	var left [2][]act
	for g := range left {
		s := sections{r: r, g: g, locks: locks, guards: &guards}
		for range 3 + r.IntN(4) {
			s.call(0)
		}
		left[g] = s.acts
	}
	h, g := holders{}, 0
	for len(left[0])+len(left[1]) > 0 {
		if len(left[g]) == 0 || r.IntN(4) == 0 || left[g][0].what == "lock" && !h.can(left[g][0]) {
			if g = 1 - g; len(left[g]) == 0 || left[g][0].what == "lock" && !h.can(left[g][0]) {
				continue
			}
		}
		h.does(left[g][0])
		all, left[g] = append(all, left[g][0]), left[g][1:]
	}
	return all
}

// call calls a function.
func (s *sections) call(depth int) {
	functions := []int{1, 4, 7, 8, 9}
	f := functions[s.r.IntN(len(functions))]
	s.add(act{what: "begin", function: f, object: s.r.IntN(3)})
	for range 1 + s.r.IntN(2) {
		s.section(f, depth)
	}
	if last := &s.acts[len(s.acts)-1]; last.what == "unlock" && s.r.IntN(2) == 0 {
		last.what = "unlocklast"
	}
	s.add(act{what: "end"})
}

// section is a critical section in a function, if there is a lock that comes behind those that are held.
func (s *sections) section(f, depth int) {
	lock := s.r.IntN(s.locks)
	if n := len(s.held); n > 0 {
		lock = s.held[n-1] + 1
	}
	isLocked := lock < s.locks
	if isLocked {
		s.add(act{what: "lock", lock: lock})
		s.held = append(s.held, lock)
	}
	for range 1 + s.r.IntN(3) {
		switch x := s.r.IntN(8); {
		case x < 2 && depth < 3:
			s.call(depth + 1)
		case x < 3 && isLocked:
			s.section(f, depth)
		default:
			s.access(f)
		}
	}
	if isLocked {
		s.add(act{what: "unlock", lock: lock})
		s.held = s.held[:len(s.held)-1]
	}
}

// access is one to an object whose lock is held, or seldom another one.
func (s *sections) access(f int) {
	a := act{what: "access", function: f, field: s.r.IntN(2), kind: s.r.IntN(2)}
	for range 8 {
		set := s.r.IntN(3)
		if a.object, a.third = s.r.IntN(2), set == 2; set == 1 {
			a.object += others
		}
		for _, lock := range s.held {
			if s.guards[a.object][set] == lock {
				s.add(a)
				return
			}
		}
	}
	if s.r.IntN(8) == 0 {
		s.add(a)
	}
}

func (s *sections) add(a act) {
	a.g = s.g
	s.acts = append(s.acts, a)
}
