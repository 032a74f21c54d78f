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

// HoldsAtMost claims that whenever control comes to the instruction, the goroutine holds no
// other locks than those for which May is true.
type HoldsAtMost struct {
	At  ssa.Instruction
	In  Scope
	May func(a execute.Activation, lock execute.Place) bool
	Set string // in words
}

func (f HoldsAtMost) String() string {
	return fmt.Sprintf("at %s no other lock is held than %s", where(f.At), f.Set)
}

func (f HoldsAtMost) watch(r *run, c *claim) {
	r.onBefore(f.At, f.In, func(a execute.Activation) {
		why := ""
		for _, lock := range a.Goroutine().Locks() {
			if !f.May(a, lock) {
				why = fmt.Sprintf("%v is held, in %v", lock, a)
			}
		}
		c.holds(why)
	})
}
