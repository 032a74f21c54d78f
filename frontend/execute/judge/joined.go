package judge

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
)

// Joined claims that whoever has waited goes on only when the goroutines that were started at some
// instructions have said that they are done: they do nothing any more to what says so, a wait group or
// a channel; or nothing at all, if that is not given.
type Joined struct {
	Starts []Event            // go statements, and calls of what starts the goroutine
	Wait   Event              // it ends when they are done; or, if that is not set:
	Edge   [2]*ssa.BasicBlock // control goes from one block to the other when they are
	In     Scope
	Signal Path // to what says so, for whoever has waited: all that the same instruction makes
}

func (f Joined) String() string {
	done := "are done"
	if f.Signal.Root != nil {
		done = "have said that they are done"
	}
	var starts []string
	for _, s := range f.Starts {
		starts = append(starts, s.String())
	}
	if f.Wait.At == nil {
		from := f.Edge[0]
		return fmt.Sprintf("behind block %d of %s, the goroutines of %s %s",
			from.Index, from.Parent().Name(), strings.Join(starts, ", "), done)
	}
	return fmt.Sprintf("after %s the goroutines of %s %s", f.Wait, strings.Join(starts, ", "), done)
}

func (f Joined) watch(r *run, c *claim) {
	type wait struct {
		by     execute.Activation
		signal execute.Object
	}
	over := map[execute.Goroutine][]wait{}
	waited := func(a execute.Activation) {
		c.holds("")
		signal, _ := f.Signal.object(a)
		for _, g := range a.Goroutine().Others() {
			if f.started(g) {
				over[g] = append(over[g], wait{a, signal})
			}
		}
	}
	if f.Wait.At != nil {
		r.onAfter(f.Wait.At, f.Wait.In, waited)
	} else {
		r.onBefore(first(f.Edge[1]), f.In, func(a execute.Activation) {
			if a.From() == f.Edge[0] {
				waited(a)
			}
		})
	}
	r.access = append(r.access, func(g execute.Goroutine, p execute.Place, kind int) {
		for _, w := range over[g] {
			if f.Signal.Root == nil || p.Object().Site() == w.signal.Site() && kind == execute.ReadModifyWrite {
				c.holds(fmt.Sprintf("goroutine %d accesses %v when %v has waited", g.Number(), p, w.by))
			}
		}
	})
}

// started tells whether the goroutine is one of those: the go statement may be in what is called.
func (f Joined) started(g execute.Goroutine) bool {
	a, site, ok := g.By()
	for ok && site != nil {
		for _, s := range f.Starts {
			if s.At == ssa.Instruction(site) && s.In.has(a) {
				return true
			}
		}
		site = a.Call()
		a, ok = a.Caller()
	}
	return false
}

// Settled claims that what an instruction reads, where others can reach it, does not change from then
// on.
type Settled struct {
	At      ssa.Instruction
	In      Scope
	Address Path
	Of      func(execute.Place) bool // the claim is about some places only; nil: all
}

func (f Settled) String() string {
	return fmt.Sprintf("what %s reads, at %s, does not change from then on", where(f.At), f.Address)
}

func (f Settled) watch(r *run, c *claim) {
	read := map[execute.Place]execute.Activation{}
	r.onAfter(f.At, f.In, func(a execute.Activation) {
		v, ok := f.Address.At(a)
		if !ok {
			return
		}
		if place, ok := v.Place(); ok && place.Object().IsShared() && (f.Of == nil || f.Of(place)) {
			for _, leaf := range place.Leaves() {
				read[leaf] = a
			}
			c.holds("")
		}
	})
	r.access = append(r.access, func(g execute.Goroutine, p execute.Place, kind int) {
		if kind == execute.Read || len(read) == 0 {
			return
		}
		for _, leaf := range p.Leaves() {
			if a, ok := read[leaf]; ok {
				c.holds(fmt.Sprintf("goroutine %d writes %v, which %v has read", g.Number(), leaf, a))
			}
		}
	})
}

// Uncontended claims that what an instruction accesses, nobody else accesses, one of the two writing,
// but before or after it in an order that synchronisation makes.
type Uncontended struct {
	At ssa.Instruction
	In Scope
	Of func(execute.Place) bool // the claim is about some places only; nil: all
}

func (f Uncontended) String() string {
	return fmt.Sprintf("nobody interferes with the access of %s", where(f.At))
}

func (f Uncontended) watch(r *run, c *claim) {
	clocks := r.needSynchronisation()
	type access struct {
		moment
		write, meant bool
	}
	past := map[execute.Place][]access{}
	r.access = append(r.access, func(g execute.Goroutine, p execute.Place, kind int) {
		a, ok := g.Top()
		if !ok || isSynchronisation(p) || !p.Object().IsShared() {
			return
		}
		meant := a.Instruction() == f.At && f.In.has(a) && (f.Of == nil || f.Of(p))
		now := access{clocks.now(g), kind != execute.Read, meant}
		if now.meant {
			c.holds("")
		}
		for _, leaf := range p.Leaves() {
			for _, earlier := range past[leaf] {
				conflict := earlier.g != g.Number() && (earlier.write || now.write)
				if conflict && (earlier.meant || meant) && !clocks.isBefore(earlier.moment, g) {
					c.holds(fmt.Sprintf("goroutines %d and %d access %v in no order", earlier.g, g.Number(), leaf))
				}
			}
			past[leaf] = append(past[leaf], now)
			if n := len(past[leaf]); n > maxPast {
				past[leaf] = past[leaf][n-maxPast:]
			}
		}
	})
}

// maxPast bounds the accesses to one place that are remembered.
const maxPast = 12

// isSynchronisation tells whether the place is a channel, or part of package sync.
func isSynchronisation(p execute.Place) bool {
	t := p.Type()
	if t == nil {
		return p.IsChannel()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && strings.HasPrefix(n.Obj().Pkg().Path(), "sync")
}
