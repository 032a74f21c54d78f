package judge

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
)

// OwnElements claims that of the goroutines that an instruction starts no two access one element of
// arrays, one of them writing.
type OwnElements struct {
	Start Event
	Of    func(execute.Place) bool // the elements that are meant
}

func (f OwnElements) String() string {
	return fmt.Sprintf("each goroutine of %s accesses elements of its own", f.Start)
}

func (f OwnElements) watch(r *run, c *claim) {
	type access struct {
		by    execute.Goroutine
		write bool
	}
	past := map[execute.Place][]access{}
	r.access = append(r.access, func(g execute.Goroutine, p execute.Place, kind int) {
		if c.isOver() || !isStarted(g, f.Start) || !f.Of(p) {
			return
		}
		why, known := "", false
		now := access{g, kind != execute.Read}
		for _, other := range past[p] {
			known = known || other == now
			if other.by != g && (other.write || now.write) {
				why = fmt.Sprintf("goroutines %d and %d access %v", other.by.Number(), g.Number(), p)
			}
		}
		if !known {
			past[p] = append(past[p], now)
		}
		c.holds(why)
	})
}

// VisitedOnce claims that an instruction gives each object at most once from where control enters a
// loop to where it leaves it.
type VisitedOnce struct {
	At     ssa.Instruction
	In     Scope
	Header *ssa.BasicBlock
	Is     func(execute.Object) bool // the objects that are meant
}

func (f VisitedOnce) String() string {
	return fmt.Sprintf("in one loop, %s gives no object twice", where(f.At))
}

func (f VisitedOnce) watch(r *run, c *claim) {
	seen := map[execute.Activation]map[execute.Object]bool{}
	r.onBefore(first(f.Header), f.In, func(a execute.Activation) {
		if from := a.From(); from == nil || !f.Header.Dominates(from) {
			delete(seen, a)
		}
	})
	r.onAfter(f.At, f.In, func(a execute.Activation) {
		v, _ := a.Value(f.At.(ssa.Value))
		o, ok := v.Object()
		if !ok || !f.Is(o) {
			return
		}
		if seen[a] == nil {
			seen[a] = map[execute.Object]bool{}
		}
		why := ""
		if seen[a][o] {
			why = fmt.Sprintf("it gives %v again, in %v", o, a)
		}
		seen[a][o] = true
		c.holds(why)
	})
}

// Bounded claims that a loop has at most as many iterations as a value says.
type Bounded struct {
	Header *ssa.BasicBlock
	Bound  ssa.Value
	AtEnd  bool               // the bound is looked at when an iteration ends; else when one begins
	Exact  bool               // it has as many, when control has come to the edge that leaves it
	Exit   [2]*ssa.BasicBlock // the edge
}

func (f Bounded) String() string {
	return fmt.Sprintf("the loop at block %d of %s has %s iterations at most", f.Header.Index, f.Header.Parent().Name(),
		f.Bound.Name())
}

func (f Bounded) watch(r *run, c *claim) {
	rounds := map[execute.Activation]int64{}
	begun := int64(0)
	if f.AtEnd {
		begun = 1 // without a look at the bound
	}
	bound := func(a execute.Activation) (int64, bool) {
		v, ok := a.Value(f.Bound)
		n, isInt := v.Int()
		return n, ok && isInt
	}
	r.onBefore(first(f.Header), nil, func(a execute.Activation) {
		if from := a.From(); from == nil || !f.Header.Dominates(from) {
			rounds[a] = begun
			return
		}
		rounds[a]++
		if n, ok := bound(a); ok && rounds[a] > max(n, 0) {
			c.holds(fmt.Sprintf("it has %d, in %v", rounds[a], a))
			return
		}
		c.holds("")
	})
	if !f.Exact {
		return
	}
	r.onBefore(first(f.Exit[1]), nil, func(a execute.Activation) {
		n, ok := bound(a)
		if done, entered := rounds[a]; entered && ok && a.From() == f.Exit[0] {
			delete(rounds, a)
			why := ""
			if done != max(n, 0) {
				why = fmt.Sprintf("it had %d in place of %d, in %v", done, n, a)
			}
			c.holds(why)
		}
	})
}
