package judge

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
)

// OncePer claims that a function is entered at most once for each object that an instruction makes:
// by the activation that makes it, or a goroutine that this starts, before it makes the next one.
type OncePer struct {
	Function *ssa.Function
	Site     ssa.Instruction
}

func (f OncePer) String() string {
	return fmt.Sprintf("%s is entered at most once for each object of %s", f.Function, where(f.Site))
}

func (f OncePer) watch(r *run, c *claim) {
	type object struct {
		maker  execute.Activation
		number int
	}
	made := map[execute.Activation]int{}
	started := map[execute.Goroutine]map[execute.Activation]int{} // what was made then
	seen := map[object]bool{}
	r.onAfter(f.Site, nil, func(a execute.Activation) { made[a]++ })
	r.starts = append(r.starts, func(g execute.Goroutine) {
		started[g] = map[execute.Activation]int{}
		for a, n := range made {
			started[g][a] = n
		}
	})
	r.onEnter(f.Function, nil, func(a execute.Activation) {
		then := made
		for a.Function() != f.Site.Parent() {
			caller, ok := a.Caller()
			if !ok {
				then = started[a.Goroutine()]
				caller, _, ok = a.Goroutine().By()
			}
			if !ok {
				return
			}
			a = caller
		}
		key, why := object{a, then[a]}, ""
		if seen[key] {
			why = fmt.Sprintf("it is entered again for number %d of %v", key.number, a)
		}
		seen[key] = true
		c.holds(why)
	})
}

// StaysTrue claims that places that have been true stay so.
type StaysTrue struct {
	Is   func(execute.Place) bool
	Name string // of the places, in words
}

func (f StaysTrue) String() string { return f.Name + " stays true when it has become so" }

func (f StaysTrue) watch(r *run, c *claim) {
	was := map[execute.Place]bool{}
	r.access = append(r.access, func(g execute.Goroutine, p execute.Place, kind int) {
		if c.isOver() || !f.Is(p) {
			return
		}
		now := p.Value().IsTrue()
		why := ""
		if was[p] && !now {
			why = fmt.Sprintf("%v is not true any more, when goroutine %d comes", p, g.Number())
		}
		was[p] = now
		c.holds(why)
	})
}
