package execute

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Observer is told what happens in a run, while it happens: nothing else goes on in
// the meantime. It sees the program's state as it is at that moment, through the
// arguments. Without an observer, a run costs what it did without this interface.
type Observer interface {
	// Start: a goroutine starts another one. The first one is started by none.
	Start(by, started Goroutine)

	// Enter: an activation begins, with its parameters in their registers. Leave: it has
	// returned or panicked, its deferred calls have been run.
	Enter(a Activation)
	Leave(a Activation)

	// Before and After: an instruction is executed. Other goroutines may run between the
	// two: always if it is a call, else if it accesses memory that several can reach, or
	// synchronises; its effect comes after that, just before After. There is no After
	// for what ends a block, nor for what panics, and no Before for a phi.
	Before(a Activation, i ssa.Instruction)
	After(a Activation, i ssa.Instruction)

	// Access: a goroutine reads or writes memory, or operates on a synchronisation object:
	// ReadModifyWrite, at all times when that has an effect on others or shows what they
	// did. Two goroutines that access different places, or only read, do not affect one
	// another. It is called just before the effect.
	Access(g Goroutine, p Place, kind int)
}

// Ending is an observer that is also told that a run is over, why, and of all its goroutines: "" if the main
// function has returned, "deadlock" if none of them can go on. The state is that at the end. It is not told of runs
// that could not be carried out.
type Ending interface {
	End(why string, all []Goroutine)
}

// Nothing is an observer that does nothing, to be embedded.
type Nothing struct{}

func (Nothing) Start(Goroutine, Goroutine)         {}
func (Nothing) Enter(Activation)                   {}
func (Nothing) Leave(Activation)                   {}
func (Nothing) Before(Activation, ssa.Instruction) {}
func (Nothing) After(Activation, ssa.Instruction)  {}
func (Nothing) Access(Goroutine, Place, int)       {}

// Activation is an activation of a function. Two are == if they are the same.
type Activation struct{ fr *frame }

// Number is a number that no other activation of the run has.
func (a Activation) Number() int { return a.fr.number }

// Function returns what is activated.
func (a Activation) Function() *ssa.Function { return a.fr.fn.ssa }

// Goroutine returns the goroutine that the activation is of.
func (a Activation) Goroutine() Goroutine { return Goroutine{a.fr.g} }

// Caller returns the activation that is below on the stack.
func (a Activation) Caller() (caller Activation, ok bool) {
	return Activation{a.fr.caller}, a.fr.caller != nil
}

// Call returns the instruction that made the activation: a call or defer statement of the
// caller, or the go statement that started the goroutine. It is nil if a function that is
// built in has called back.
func (a Activation) Call() ssa.CallInstruction { return a.fr.call }

// Value returns what is in a register, or a constant, function or the address of a
// package variable; not ok before it is set.
func (a Activation) Value(v ssa.Value) (x Value, ok bool) {
	switch v := v.(type) {
	case *ssa.Const:
		return Value{constantOf(v)}, true
	case *ssa.Function:
		return Value{&closure{fn: v}}, true
	case *ssa.Global:
		c := a.fr.g.m.globals[v]
		return Value{c}, c != nil
	}
	n, ok := a.fr.fn.numbers[v]
	if !ok || a.fr.regs[n] == nil {
		return Value{}, false
	}
	return Value{a.fr.regs[n]}, true
}

// Set puts another value into a register, which has to have one of its type.
func (a Activation) Set(v ssa.Value, x Value) { a.fr.regs[a.fr.fn.numbers[v]] = x.v }

// Instruction returns what it executes.
func (a Activation) Instruction() ssa.Instruction { return a.fr.instr }

// From returns the block that control came from to the one that is executed, nil at the
// beginning.
func (a Activation) From() *ssa.BasicBlock {
	if a.fr.prev < 0 {
		return nil
	}
	return a.fr.fn.ssa.Blocks[a.fr.prev]
}

// Choices is how many scheduling points with a choice there were in the run so far.
func (a Activation) Choices() int { return a.fr.g.m.choices }

// Stop ends the run.
func (a Activation) Stop() { a.fr.g.m.over, a.fr.g.m.ended = true, "stopped" }

// String names the function, and what called it.
func (a Activation) String() string {
	var names []string
	for fr := a.fr; fr != nil; fr = fr.caller {
		names = append(names, fr.fn.ssa.Name())
	}
	return fmt.Sprintf("%s of goroutine %d", strings.Join(names, " in "), a.fr.g.id)
}

// Goroutine is a goroutine. Two are == if they are the same.
type Goroutine struct{ g *goroutine }

// Number is 0 for the first one of the run.
func (g Goroutine) Number() int { return g.g.id }

// Top returns what it executes; not ok outside all functions that have a body.
func (g Goroutine) Top() (top Activation, ok bool) { return Activation{g.g.top}, g.g.top != nil }

// By returns the activation that started it, and the go statement; not ok for those that a
// function that is built in has started, and for the first one.
func (g Goroutine) By() (by Activation, site ssa.CallInstruction, ok bool) {
	return Activation{g.g.by}, g.g.site, g.g.site != nil
}

// Others returns the other goroutines that have not ended.
func (g Goroutine) Others() []Goroutine {
	var all []Goroutine
	for _, other := range g.g.m.goroutines {
		if other != g.g && !other.done {
			all = append(all, Goroutine{other})
		}
	}
	return all
}

// IsDone tells whether it has ended.
func (g Goroutine) IsDone() bool { return g.g.done }

// WaitsFor returns the lock that it waits for, or has released without its being held, which ended the run.
func (g Goroutine) WaitsFor() (lock Place, ok bool) { return Place{g.g.wants}, g.g.wants != nil }

// Locks returns the locks that it holds.
func (g Goroutine) Locks() (all []Place) {
	for c := range g.g.held {
		if g.Holds(Place{c}) != NotHeld {
			all = append(all, Place{c})
		}
	}
	slices.SortFunc(all, func(p, q Place) int { return strings.Compare(p.String(), q.String()) })
	return all
}

// Mode is how a lock is held.
type Mode int

const (
	NotHeld Mode = iota
	Reading
	Writing
)

func (m Mode) String() string { return [...]string{"not held", "held for reading", "held"}[m] }

// Holds tells how the goroutine holds the lock at a place: a sync.Mutex or RWMutex, or a variable
// that it has set, by package atomic, from zero to something else, or a struct that has one of
// them in it. One that another goroutine has released is not held.
func (g Goroutine) Holds(p Place) Mode {
	c, ok := p.p.(*cell)
	if !ok || c == nil {
		return NotHeld
	}
	mode := NotHeld
	switch s := c.state.(type) {
	case *spinState:
		if s.owner == g.g {
			mode = Writing
		}
	case *lockState:
		if s.owner == g.g {
			mode = Writing
		} else if slices.Contains(s.reading, g.g) {
			mode = Reading
		}
	}
	for _, part := range c.parts {
		mode = max(mode, g.Holds(Place{part}))
	}
	return mode
}

// setSpin notes who has set a variable from zero.
func (g *goroutine) setSpin(c *cell, v value) {
	if g.m.observer == nil {
		return
	}
	if empty := zero(c.typ); same(v, empty) {
		c.state = nil
	} else if same(c.get(), empty) {
		c.state = &spinState{g}
	}
}

// Taken returns how many more locks the goroutine has taken than it has released, be it locks that
// others have taken: what others release of its own does not count.
func (g Goroutine) Taken() int {
	sum := 0
	for _, n := range g.g.held {
		sum += n
	}
	return sum
}

// origin is where an object comes from.
type origin struct {
	number int
	site   ssa.Instruction
	frame  *frame
	global *ssa.Global // that it is
}

// origin returns that of an object which is made now; nil if nobody observes it.
func (g *goroutine) origin() *origin {
	if g.m.observer == nil {
		return nil
	}
	g.m.made++
	o := &origin{number: g.m.made, frame: g.top}
	if g.top != nil {
		o.site = g.top.instr
	}
	return o
}

// started tells the observer of a goroutine that is about to start.
func (m *machine) started(by, g *goroutine) {
	if m.observer != nil {
		m.observer.Start(Goroutine{by}, Goroutine{g})
	}
}

// tellEnd tells it that the run is over.
func (m *machine) tellEnd() {
	if to, ok := m.observer.(Ending); ok && m.err == nil {
		var all []Goroutine
		for _, g := range m.goroutines {
			all = append(all, Goroutine{g})
		}
		to.End(m.ended, all)
	}
}

// observe tells the observer of an access to a cell.
func (g *goroutine) observe(c *cell, kind int) {
	if g.m.observer != nil {
		g.m.observer.Access(Goroutine{g}, Place{c}, kind)
	}
}

// observeChannel tells the observer of an operation on a channel.
func (g *goroutine) observeChannel(c *channel) {
	if g.m.observer != nil && c != nil {
		g.m.observer.Access(Goroutine{g}, Place{c}, ReadModifyWrite)
	}
}

// observeLeave tells it that an activation has ended, unless the run has.
func (g *goroutine) observeLeave(fr *frame) {
	if !g.m.over {
		g.m.observer.Leave(Activation{fr})
	}
}

// observePhis tells it of the phis at the beginning of a block.
func (fr *frame) observePhis(b *block, n int) {
	if fr.g.m.observer == nil {
		return
	}
	for _, op := range b.ops[:n] {
		fr.instr = op.instr
		fr.g.m.observer.After(Activation{fr}, op.instr)
	}
}

// stopReading notes that the goroutine has released the lock: what another one has taken, if
// it has not taken it itself.
func (s *lockState) stopReading(g *goroutine) {
	at := len(s.reading) - 1
	for i, reader := range s.reading {
		if reader == g {
			at = i
		}
	}
	s.reading = append(s.reading[:at:at], s.reading[at+1:]...)
}
