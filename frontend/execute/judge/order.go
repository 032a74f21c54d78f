package judge

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
)

// Event is an execution of an instruction: from where control comes to it to its end; of a
// call, all that is called is in between. With End it is the end alone.
type Event struct {
	At  ssa.Instruction
	In  Scope
	End bool
}

func (e Event) String() string {
	if e.End {
		return "the end of " + where(e.At)
	}
	return where(e.At)
}

// Ordered claims that all events of one kind happen before all of another one. It is refuted by
// two that happen in another order, or overlap, and by two that could in a run that differs from
// this one only in the order of what does not depend on one another. Both have to end.
type Ordered struct{ A, B Event }

func (f Ordered) String() string { return fmt.Sprintf("%s happens before %s", f.A, f.B) }

func (f Ordered) watch(r *run, c *claim) {
	clocks := r.needClocks()
	happened := false
	var at execute.Activation // of a B
	begun := map[execute.Activation]int{}
	var ended []moment
	r.onBefore(f.A.At, f.A.In, func(a execute.Activation) {
		if !f.A.End {
			begun[a]++
		}
		if happened {
			c.holds(fmt.Sprintf("it happens, in %v, after the other has, in %v", a, at))
		}
	})
	r.onAfter(f.A.At, f.A.In, func(a execute.Activation) {
		delete(begun, a)
		ended = append(ended, clocks.now(a.Goroutine()))
	})
	ask := r.onBefore
	if f.B.End {
		ask = r.onAfter
	}
	ask(f.B.At, f.B.In, func(b execute.Activation) {
		happened, at = true, b
		why := ""
		for a := range begun {
			why = fmt.Sprintf("it goes on, in %v, when the other happens, in %v", a, b)
		}
		for _, m := range ended {
			if why == "" && !clocks.isBefore(m, b.Goroutine()) {
				why = fmt.Sprintf("they are in no order, in goroutine %d and in %v", m.g, b)
			}
		}
		c.holds(why)
	})
}

// Apart claims that executions of one instruction in one goroutine, and of another or the same in
// another goroutine, do not overlap, in whichever order.
type Apart struct{ A, B Event }

func (f Apart) String() string { return fmt.Sprintf("%s and %s do not overlap", f.A, f.B) }

func (f Apart) watch(r *run, c *claim) {
	open := [2]map[execute.Activation]bool{{}, {}}
	for k, e := range []Event{f.A, f.B} {
		r.onBefore(e.At, e.In, func(a execute.Activation) {
			why := ""
			for other := range open[1-k] {
				if other.Goroutine() != a.Goroutine() {
					why = fmt.Sprintf("they do, in %v and in %v", other, a)
				}
			}
			open[k][a] = true
			c.holds(why)
		})
		r.onAfter(e.At, e.In, func(a execute.Activation) { delete(open[k], a) })
		r.onLeave(e.At.Parent(), e.In, func(a execute.Activation) { delete(open[k], a) })
	}
}

// clocks is the order in which things depend on one another in a run: what one goroutine does,
// what starts it, and accesses to one place of which one changes it, synchronisation included.
// What is not in this order can happen in the other one (Mazurkiewicz, trace theory, 1986).
type clocks struct {
	of     map[int]clock // by goroutine
	synced bool          // only operations of synchronisation count
	places map[execute.Place]*marks
}

// clock counts the steps of each goroutine.
type clock []int

// marks is the latest write of a place, and the reads and writes.
type marks struct{ write, all clock }

// moment is a step of a goroutine.
type moment struct{ g, step int }

func (r *run) needClocks() *clocks {
	if r.clocks == nil {
		r.clocks = newClocks(false)
	}
	return r.clocks
}

// needSynchronisation is the same where only synchronisation makes an order.
func (r *run) needSynchronisation() *clocks {
	if r.synced == nil {
		r.synced = newClocks(true)
	}
	return r.synced
}

func newClocks(synced bool) *clocks {
	return &clocks{map[int]clock{}, synced, map[execute.Place]*marks{}}
}

func (c clock) join(d clock) clock {
	for len(c) < len(d) {
		c = append(c, 0)
	}
	for i, n := range d {
		c[i] = max(c[i], n)
	}
	return c
}

func (k *clocks) start(by, started execute.Goroutine) {
	if by != (execute.Goroutine{}) {
		k.of[started.Number()] = clock(nil).join(k.of[by.Number()])
	}
	k.step(started.Number())
}

func (k *clocks) step(g int) int {
	k.of[g] = k.of[g].join(make(clock, g+1))
	k.of[g][g]++
	return k.of[g][g]
}

// now is the moment of what a goroutine has just done.
func (k *clocks) now(g execute.Goroutine) moment {
	n := g.Number()
	m := moment{n, k.of[n].join(make(clock, n+1))[n]}
	k.step(n)
	return m
}

// isBefore tells whether what a goroutine does next depends on the moment.
func (k *clocks) isBefore(m moment, g execute.Goroutine) bool {
	c := k.of[g.Number()]
	return m.g < len(c) && c[m.g] >= m.step
}

func (k *clocks) access(g execute.Goroutine, p execute.Place, kind int) {
	if !p.Object().IsShared() || k.synced && kind != execute.ReadModifyWrite && !isSynchronisation(p) {
		return
	}
	n := g.Number()
	for _, leaf := range p.Leaves() {
		m := k.places[leaf]
		if m == nil {
			m = &marks{}
			k.places[leaf] = m
		}
		if kind == execute.Read {
			k.of[n] = k.of[n].join(m.write)
			m.all = m.all.join(k.of[n])
			continue
		}
		k.of[n] = k.of[n].join(m.all)
		m.write, m.all = clock(nil).join(k.of[n]), clock(nil).join(k.of[n])
	}
	k.step(n)
}
