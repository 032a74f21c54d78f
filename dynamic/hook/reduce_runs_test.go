package hook

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// The random runs of TestReduced.

// act is a step of a goroutine in a run.
type act struct {
	g        int
	what     string
	function int
	object   int
	field    int
	sort     int
	kind     int // 0 read, 1 write, 2 both at once, 3 a compare-and-swap that fails, 4 an atomic write
	splits   int // bits: the sets of whose frames a new stretch begins
	third    bool
	whole    bool // all fields are accessed
	lock     int  // only one goroutine has it at a time; 2: or several for looks
	looks    bool // it is taken, or given up, for looks
}

func (a act) String() string {
	return fmt.Sprintf("g%d %s f%d o%d %c sort %d kind %d splits %d third %t whole %t lock %d looks %t", a.g, a.what,
		a.function, a.object, 'a'+rune(a.field), a.sort, a.kind, a.splits, a.third, a.whole, a.lock, a.looks)
}

// randomRun is a random run.
func randomRun(r *rand.Rand) []act {
	goroutines, objects, plain := 2+r.IntN(3), 1+r.IntN(3), r.IntN(3) > 0
	steps := 10 + r.IntN(90)
	if r.IntN(8) == 0 { // more than there is room for at an object
		goroutines, objects, steps = maxUsers+3, 1, steps+100
		if r.IntN(3) == 0 {
			goroutines, steps = goroutines+maxMore, steps+200
		}
	}
	stacks, locked, rests := make([][]int, goroutines), make([]int, goroutines), make([]bool, goroutines)
	started := []int{0}
	held, made := 0, false // held: by whom, 0: nobody
	var all []act
	for range steps {
		g := started[r.IntN(len(started))]
		stack := stacks[g]
		a := act{g: g, object: r.IntN(objects), field: r.IntN(2) + r.IntN(2), kind: r.IntN(2)}
		if !plain {
			a.sort = r.IntN(sorts)
		}
		if r.IntN(40) == 0 {
			a.kind = 2
		}
		if made && r.IntN(2) == 0 {
			a.object = 3
		}
		if r.IntN(3) == 0 {
			a.object = others + r.IntN(2)
		}
		x := r.IntN(100)
		switch {
		case rests[g]: // its innermost function accesses nothing more until it ends, or begins anew
			rests[g] = false
			last := len(stack) - 1
			if a.function = stack[last]; (a.function == 2 || a.function == 3) && x < 30 {
				a.what, a.splits = "split", 3
				break
			}
			a.what, stacks[g] = "end", stack[:last]
		case len(stack) == 0 && x < 70 || x < 8 && len(stack) < 3:
			a.what, a.function = "begin", r.IntN(len("mmddnx"))
			if r.IntN(3) > 0 {
				a.function = r.IntN(4)
			}
			if a.function == 5 {
				if made {
					continue
				}
				a.function, made = 6, true
				all = append(all, a)
				a.what, a.object = "make", 3
			}
			stacks[g] = append(stack, a.function)
		case (x < 10 || x < 20 && goroutines > maxUsers) && len(started) < goroutines:
			a.what, a.object = "go", len(started)
			started = append(started, len(started))
		case x < 12:
			a.what = "send"
		case x < 13 && len(stack) > 0:
			a.what, a.function = "with", stack[len(stack)-1]
		case x < 18 && len(stack) > 0:
			a.what, a.function = "split", stack[len(stack)-1]
			if a.splits = 1 + r.IntN(3); a.function != 2 && a.function != 3 {
				if a.splits = 2; a.function != 0 {
					continue
				}
			}
		case x < 24 && held == 0:
			a.what, held, locked[g] = "lock", g+1, 1
		case x < 34 && held == g+1:
			a.what, held = "unlock", 0
			if len(stack) > 0 && r.IntN(2) == 0 {
				a.what, rests[g] = "unlocklast", true
			}
		case x < 48 && len(stack) > 0:
			a.what, stacks[g] = "end", stack[:len(stack)-1]
		case len(stack) > 0:
			a.what, a.function = "access", stack[len(stack)-1]
			if r.IntN(8) == 0 {
				a.function = 5
			}
			for range r.IntN(3) { // again, and in turn with another field
				all = append(all, a)
				if r.IntN(2) == 0 {
					b := a
					b.field, b.kind = r.IntN(3), r.IntN(2)
					all = append(all, b)
				}
			}
		default:
			continue
		}
		all = append(all, a)
	}
	for g, stack := range stacks {
		for range stack {
			if r.IntN(3) > 0 {
				all = append(all, act{g: g, what: "end"})
			}
		}
	}
	return all
}

// varied makes some accesses of a run others to the third set, and some messages offers that are declined.
func varied(r *rand.Rand, acts []act) []act {
	if r.IntN(2) == 0 {
		return acts
	}
	for i := range acts {
		a := &acts[i]
		switch a.what {
		case "access":
			a.third = a.object < 3 && r.IntN(3) == 0
		case "send":
			if r.IntN(2) == 0 {
				a.what = "decline"
			}
		}
	}
	return acts
}

// withWhole makes some accesses of a run ones to all fields of a set.
func withWhole(r *rand.Rand, acts []act) []act {
	if r.IntN(2) == 0 {
		return acts
	}
	for i := range acts {
		a := &acts[i]
		a.whole = a.what == "access" && a.kind < 2 && r.IntN(4) == 0
	}
	return acts
}

// withExact makes some accesses of a run atomic, and some of these increments.
func withExact(r *rand.Rand, acts []act) []act {
	if r.IntN(2) == 0 {
		return acts
	}
	rare := 1 << r.IntN(4)
	for i := range acts {
		a := &acts[i]
		if a.what != "access" || a.whole || r.IntN(rare) > 0 {
			continue
		}
		if a.kind = 2; r.IntN(4) == 0 {
			a.kind += r.IntN(3)
		}
		if r.IntN(3) == 0 {
			a.sort, a.kind = counts, 2
		}
	}
	return acts
}

// again has goroutines do once more what they have done in an outermost frame, mostly several times, directly behind
// that or later.
func again(r *rand.Rand, acts []act) []act {
	if r.IntN(2) == 0 {
		return acts
	}
	depth, units := map[int]int{}, map[int][]act{}
	for i := 0; i < len(acts) && len(acts) < 600; i++ {
		a := acts[i]
		if depth[a.g] == 0 && a.what == "begin" && r.IntN(2) == 0 {
			units[a.g] = nil
		}
		if depth[a.g] > 0 || a.what == "begin" {
			units[a.g] = append(units[a.g], a)
		}
		switch a.what {
		case "begin":
			depth[a.g]++
		case "end":
			depth[a.g]--
		}
		if depth[a.g] > 0 || len(units[a.g]) > 30 || r.IntN(3) == 0 {
			continue
		}
		if more := slices.Insert(slices.Clone(acts), i+1, units[a.g]...); isRun(more) {
			acts = more
			if r.IntN(4) > 0 { // not once more behind that
				i += len(units[a.g])
			}
		}
	}
	return acts
}

// withMessages has goroutines send messages, or offer some, where their innermost function accesses nothing more.
func withMessages(r *rand.Rand, acts []act) []act {
	for i := 0; i < len(acts); i++ {
		a := acts[i]
		if a.what != "unlocklast" || r.IntN(2) == 0 {
			continue
		}
		next := i + 1
		for next < len(acts) && acts[next].g != a.g {
			next++
		}
		for range 1 + r.IntN(2) {
			next = i + 1 + r.IntN(next-i)
			acts = slices.Insert(acts, next, act{g: a.g, what: []string{"send", "decline"}[r.IntN(2)]})
		}
	}
	return acts
}

// isMessage tells whether a step is one of withMessages.
func (a act) isMessage() bool { return a.what == "send" || a.what == "decline" }

// disciplined leaves most accesses out of a run that are made without the lock.
func disciplined(r *rand.Rand, acts []act) []act {
	if r.IntN(2) == 0 {
		return acts
	}
	held, rare := -1, 4<<r.IntN(4)
	if maker := r.IntN(7); maker != 5 { // what makes an object need not be its constructor
		for i := range acts {
			if acts[i].function == 6 {
				acts[i].function = maker
			}
		}
	}
	return slices.DeleteFunc(acts, func(a act) bool {
		switch a.what {
		case "lock":
			held = a.g
		case "unlock", "unlocklast":
			held = -1
		}
		return a.what == "access" && held != a.g && r.IntN(rare) > 0
	})
}

// holders is who has the locks of a run, and for looks only.
type holders [4]map[int]bool

func (h *holders) can(a act) bool {
	_, has := h[a.lock][a.g]
	for _, looks := range h[a.lock] {
		has = has || !looks || !a.looks
	}
	return !has
}

// does carries an operation on a lock out, if that is one and can be. It tells whether it can be.
func (h *holders) does(a act) bool {
	if h[a.lock] == nil {
		h[a.lock] = map[int]bool{}
	}
	looks, has := h[a.lock][a.g]
	switch a.what {
	case "lock":
		if !h.can(a) {
			return false
		}
		h[a.lock][a.g] = a.looks
	case "unlock", "unlocklast":
		delete(h[a.lock], a.g)
		return has && looks == a.looks
	}
	return true
}

// nestedRun is a random run in which each object has a lock for each of its sets that is held at most accesses, and
// goroutines take locks while they have others.
func nestedRun(r *rand.Rand) []act {
	guards, h, locks := [6][3]int{}, holders{}, 2+r.IntN(3)
	for i := range guards {
		guards[i] = [3]int{r.IntN(locks), r.IntN(locks), r.IntN(locks)}
	}
	goroutines, rare, plain := 2+r.IntN(2), 8<<r.IntN(5), r.IntN(4) > 0
	all := []act{{what: "go", object: 1}, {what: "go", object: 2}}[:goroutines-1]
	stacks, held := make([][]int, goroutines), make([][]act, goroutines)
	for range 40 + r.IntN(120) {
		g := r.IntN(goroutines)
		stack := stacks[g]
		a := act{g: g, object: r.IntN(2), field: r.IntN(2) + r.IntN(2), kind: r.IntN(2), lock: r.IntN(locks)}
		if !plain {
			a.sort = r.IntN(sorts)
		}
		switch x := r.IntN(100); {
		case len(stack) == 0 && x < 70 || len(stack) < 3 && x < 10:
			a.what, a.function = "begin", r.IntN(5)
			stacks[g] = append(stack, a.function)
		case x < 18 && len(stack) > 0:
			a.what, stacks[g] = "end", stack[:len(stack)-1]
		case x < 40:
			a.what, a.looks = "lock", a.lock == 2 && r.IntN(2) == 0
			if !h.does(a) {
				continue
			}
			held[g] = append(held[g], a)
		case x < 52 && len(held[g]) > 0:
			i := len(held[g]) - 1
			if r.IntN(8) == 0 {
				i = r.IntN(len(held[g]))
			}
			a = held[g][i]
			a.what, held[g] = "unlock", slices.Delete(held[g], i, i+1)
			if len(stack) > 0 && r.IntN(2) == 0 {
				a.what = "unlocklast"
			}
			if h.does(a); a.what == "unlocklast" {
				all = append(all, a)
				a, stacks[g] = act{g: g, what: "end"}, stack[:len(stack)-1]
			}
		case x < 56 && len(stack) > 0 && stack[len(stack)-1]|1 == 3:
			a.what, a.function, a.splits = "split", stack[len(stack)-1], 1+r.IntN(3)
		case len(stack) > 0:
			a.what, a.function = "access", stack[len(stack)-1]
			isGuarded := false
			for range 4 {
				a.object, a.third = r.IntN(2), r.IntN(4) == 0
				set := 0
				switch {
				case r.IntN(4) == 0:
					a.object, a.third, set = others+r.IntN(2), false, 1
				case a.third:
					set = 2
				}
				looks, has := h[guards[a.object][set]][g]
				if isGuarded = has && !(looks && a.kind > 0); isGuarded {
					break
				}
			}
			if !isGuarded && r.IntN(rare) > 0 {
				continue
			}
		default:
			continue
		}
		all = append(all, a)
	}
	return all
}

// seenRun is a random run in which few goroutines access one object over and over, with and without a lock.
func seenRun(r *rand.Rand) []act {
	goroutines, fields, sort, objects := 2+r.IntN(2), 1+r.IntN(2), r.IntN(3), 1+r.IntN(2)
	all := []act{{what: "go", object: 1}, {what: "go", object: 2}}[:goroutines-1]
	rare, writes, h, open := 1<<r.IntN(6), 2+r.IntN(4), holders{}, make([]int, goroutines) // functions, from 1
	for range 30 + r.IntN(50) {
		a := act{g: r.IntN(goroutines), function: 1 + r.IntN(2), object: r.IntN(objects), field: r.IntN(fields)}
		a.sort, a.kind = r.IntN(1+sort), min(1, r.IntN(writes))
		if a.sort == 2 {
			a.sort = 3
		}
		_, has := h[0][a.g]
		switch x := r.IntN(100); {
		case open[a.g] == 0:
			a.what, open[a.g] = "begin", a.function+1
		case x < 6:
			a.what, open[a.g] = "end", 0
		case x < 9:
			a.what, a.function, a.splits = "split", open[a.g]-1, 3
			if a.function != 2 {
				continue
			}
		case x < 24:
			if a.what = "lock"; has {
				a.what = "unlock"
			}
			if !h.does(a) {
				continue
			}
		case x < 26:
			a.what = "send"
		case has || r.IntN(rare) == 0:
			a.what, a.function = "access", open[a.g]-1
		default:
			continue
		}
		all = append(all, a)
	}
	return all
}

// tokensRun is a random run in which units read a field in two ways, of which one is forgotten at accesses at which the
// other one is not: a read that is left out since there was one of the other way must not be the only one that stays.
func tokensRun(r *rand.Rand) []act {
	goroutines := 2 + r.IntN(2)
	all := []act{{what: "go", object: 1}, {what: "go", object: 2}}[:goroutines-1]
	fields, functions, open := 1+r.IntN(3), 1+r.IntN(4), make([]int, goroutines) // functions, from 1
	for range 12 + r.IntN(30) {
		a := act{g: r.IntN(goroutines), function: r.IntN(functions), field: r.IntN(fields), kind: r.IntN(2)}
		switch {
		case open[a.g] == 0:
			a.what, open[a.g] = "begin", a.function+1
		case r.IntN(10) == 0:
			a.what, open[a.g] = "end", 0
		default:
			a.what, a.function = "access", open[a.g]-1
			if a.sort = r.IntN(3); a.sort == 2 {
				a.sort = 3
			}
			if a.sort > 0 && r.IntN(2) == 0 { // and at once the other way, and what forgets one of the two
				a.kind = 0
				b, c := a, a
				b.sort, c.field, c.kind = 4-a.sort, r.IntN(fields), 1
				all = append(all, a, b)
				if a = c; r.IntN(2) == 0 {
					a.sort = b.sort
				}
			}
		}
		all = append(all, a)
	}
	return all
}

// isRun tells whether the steps are those of a program.
func isRun(acts []act) bool {
	started, stacks, locks, made := 1, map[int][]int{}, holders{}, false
	for i, a := range acts {
		stack := stacks[a.g]
		switch {
		case a.g >= started, a.object == 3 && !made && a.what != "make" && a.what != "go":
			return false
		case a.what == "go" && a.object != started, a.what == "end" && len(stack) == 0,
			!locks.does(a),
			!a.isInFunction(stack),
			a.what == "with" && len(stack) == 0, a.what == "access" && len(stack) == 0,
			a.what == "access" && a.function != 5 && stack[len(stack)-1] != a.function:
			return false
		case a.what == "unlocklast":
			next := slices.IndexFunc(acts[i+1:], func(b act) bool { return b.g == a.g && !b.isMessage() })
			if next < 0 || acts[i+1+next].what != "end" && acts[i+1+next].splits != 3 {
				return false
			}
		}
		switch a.what {
		case "go":
			started++
		case "make":
			made = true
		case "begin":
			stacks[a.g] = append(stack, a.function)
		case "end":
			stacks[a.g] = stack[:len(stack)-1]
		}
	}
	return true
}
