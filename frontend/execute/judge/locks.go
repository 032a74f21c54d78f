package judge

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
)

// MustHold claims that whenever control comes to the instruction, the goroutine holds the
// lock at the end of the path, in that mode or a stronger one.
type MustHold struct {
	At   ssa.Instruction
	In   Scope
	Lock Path // to its address
	Mode execute.Mode
}

func (f MustHold) String() string {
	return fmt.Sprintf("at %s the lock %s is %s", where(f.At), f.Lock, f.Mode)
}

func (f MustHold) watch(r *run, c *claim) {
	r.onBefore(f.At, f.In, func(a execute.Activation) {
		v, ok := f.Lock.At(a)
		place, isPlace := v.Place()
		switch {
		case !ok || !isPlace:
			c.holds("the path leads nowhere, in " + a.String())
		case a.Goroutine().Holds(place) < f.Mode:
			c.holds(fmt.Sprintf("%v is %v, in %v", place, a.Goroutine().Holds(place), a))
		default:
			c.holds("")
		}
	})
}

// SameLocks claims that on all ways from one instruction to another one the goroutine takes so many
// more locks than it releases.
type SameLocks struct {
	From, To ssa.Instruction
	In       Scope
}

func (f SameLocks) String() string {
	return fmt.Sprintf("on all ways from %s to %s the same locks are taken and released", where(f.From), where(f.To))
}

func (f SameLocks) watch(r *run, c *claim) {
	held := map[execute.Activation]int{}
	known, taken := false, 0
	r.onBefore(f.To, f.In, func(a execute.Activation) {
		then, ok := held[a]
		delete(held, a)
		if !ok {
			return
		}
		now, why := a.Goroutine().Taken()-then, ""
		if known && now != taken {
			why = fmt.Sprintf("it has taken %d more in %v, and on another way %d", now, a, taken)
		}
		known, taken = true, now
		c.holds(why)
	})
	r.onAfter(f.From, f.In, func(a execute.Activation) { held[a] = a.Goroutine().Taken() })
}
