package cpds

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// Hold is a hold on a lock, exclusive or shared.
type Hold struct {
	Lock   int
	Shared bool
}

// Stand says where an instance stands, and what it has not given back.
type Stand struct {
	esl.Instance
	Ended           bool   // it has returned from its entry function; else it is before the statement
	Function, Index int    // of the statement
	Holds           []Hold // it holds at least these
	Running         bool   // it has been started and has not executed Done
}

// Stop is where instances of a process may stop: before a statement that can wait, or at their end.
type Stop struct {
	Ended           bool
	Function, Index int
	Stmt            esl.Stmt
	Holds           []Hold // what they may hold there
}

// stops are the places at which instances of a process may stop.
type stops struct {
	at    map[position]*Stop
	ended Stop
}

func (s *stops) see(at position, h Hold, stmt esl.Stmt, held counts) {
	switch stmt.Op {
	case esl.LockOp, esl.RLock, esl.Join:
	default:
		return
	}
	if s.at == nil {
		s.at = map[position]*Stop{}
	}
	if s.at[at] == nil {
		s.at[at] = &Stop{Function: at.function, Index: at.index, Stmt: stmt}
	}
	s.at[at].add(h, held)
}

func (s *stops) ends(h Hold, held counts) {
	s.ended.Ended = true
	s.ended.add(h, held)
}

func (s *Stop) add(h Hold, held counts) {
	if held&^1 != 0 && !slices.Contains(s.Holds, h) {
		s.Holds = append(s.Holds, h)
	}
}

// Stops returns where instances of a process may stop, the end last. Of a program without locks that is nothing.
func (m *Model) Stops(process int) (all []Stop) {
	s := m.holds.stops[process]
	for _, one := range s.at {
		all = append(all, *one)
	}
	slices.SortFunc(all, func(a, b Stop) int {
		return cmp.Or(cmp.Compare(a.Function, b.Function), cmp.Compare(a.Index, b.Index))
	})
	if s.ended.Ended {
		all = append(all, s.ended)
	}
	return all
}

// OwnsLocks tells whether only who holds a lock releases it, so that a hold belongs to an instance.
func (m *Model) OwnsLocks() bool { return !slices.Contains(m.holds.strangers, true) }

// StandSystem builds the system that has a common word just if all of the stands can be true at once. There is one at
// most for each instance, and each lock has its owner: see OwnsLocks.
//
// That an instance holds a lock in the end is told in its own control: at one of its acquisitions it decides that this
// hold stays, and from there on it does not release it. So no other component takes part in what it does with the
// lock, and lock histories decide the system exactly where locks are nested and all else is monotone.
func (m *Model) StandSystem(stands []Stand) *System {
	bd := m.newBuilder("instances that stand still", m.everything(), noWatcher{})
	for _, st := range stands {
		at := slices.Index(bd.threads, st.Instance)
		c := bd.system.Components[at]
		k := newKeeper(bd, c, st)
		k.rules()
		k.finals(m.symbolsAt(st))
		if st.Running {
			bd.finalRunning(st.Instance)
		}
	}
	return bd.system
}

// everything is the scope of all instances.
func (m *Model) everything() Scope {
	var s Scope
	for _, p := range m.Program.Processes {
		s.copies = append(s.copies, p.Copies)
	}
	return s
}

// noWatcher shows nothing.
type noWatcher struct{}

func (noWatcher) watch(esl.Instance, label) (label, bool) { return label{}, false }

func (noWatcher) within(_, _ esl.Instance, _ []esl.UnitName) (u esl.UnitName, ok bool) {
	return u, false
}

// symbolsAt returns the stack symbols of a process at a statement.
func (m *Model) symbolsAt(st Stand) (symbols []int) {
	if st.Ended {
		return []int{symbolEnd}
	}
	for _, e := range m.codes[st.Process].edges {
		if e.step.Function == st.Function && e.step.Index == st.Index && !slices.Contains(symbols, e.from) {
			symbols = append(symbols, e.from)
		}
	}
	return symbols
}

// finalRunning makes it final that an instance has been started and is not done.
func (b *builder) finalRunning(in esl.Instance) {
	running := 1 // see life
	if b.model.Program.Processes[in.Process].Initial {
		running = 0
	}
	name := b.instance(in) + " life"
	for _, c := range b.system.Components[len(b.threads):] {
		if c.Kind == Lock && c.Name == name && len(c.Symbols) == 3 {
			c.Final = append(c.Final, Final{Stack: []int{running}})
		}
	}
}

// keeper lets a thread keep holds: its control tells of each hold whether it has been decided on, and, of a shared
// one, how often the lock has been taken since.
type keeper struct {
	builder   *builder
	component *Component
	stand     Stand
	values    []int // of the control, by hold
}

const kept = 1 // the value of a hold from where it stays; before it is 0

func newKeeper(b *builder, c *Component, st Stand) *keeper {
	k := &keeper{builder: b, component: c, stand: st}
	for _, h := range st.Holds {
		values := kept + 1
		if h.Shared {
			values += maxHolds
		}
		k.values = append(k.values, values)
	}
	return k
}

// control returns the number of a control.
func (k *keeper) control(values []int) (n int) {
	for i, v := range values {
		n = n*k.values[i] + v
	}
	return n
}

// all returns the controls, in the order of their numbers.
func (k *keeper) all() [][]int {
	all := [][]int{nil}
	for _, values := range k.values {
		var next [][]int
		for _, before := range all {
			for v := range values {
				next = append(next, append(slices.Clip(before), v))
			}
		}
		all = next
	}
	return all
}

// rules copies the rules of the thread for each control.
func (k *keeper) rules() {
	if len(k.values) == 0 {
		return
	}
	once := k.component.Rules
	k.component.Rules, k.component.Controls = nil, nil
	for n, values := range k.all() {
		k.component.Controls = append(k.component.Controls, fmt.Sprintf("q%d", n))
		for _, r := range once {
			for _, to := range k.after(values, r) {
				copied := r
				copied.From, copied.To = n, k.control(to)
				k.component.Rules = append(k.component.Rules, copied)
			}
		}
	}
}

// after returns the values of the control after a rule.
func (k *keeper) after(values []int, r Rule) [][]int {
	if r.Action == Tau {
		return [][]int{values}
	}
	e := k.builder.events[r.Action]
	i := slices.IndexFunc(k.stand.Holds, func(h Hold) bool {
		return e.by == k.stand.Instance && h.Lock == e.arg && (e.op == esl.RLock || e.op == esl.RUnlock) == h.Shared
	})
	isTake, isRelease := e.op == esl.LockOp || e.op == esl.RLock, e.op == esl.Unlock || e.op == esl.RUnlock
	if i < 0 || !isTake && !isRelease {
		return [][]int{values}
	}
	with := func(v int) []int {
		next := slices.Clone(values)
		next[i] = v
		return next
	}
	v, most := values[i], k.values[i]-1
	switch {
	case v == 0 && isTake:
		return [][]int{values, with(kept)}
	case v == 0:
		return [][]int{values}
	case isTake && v == most:
		return [][]int{values} // of an exclusive lock: it waits for itself here
	case isTake:
		return [][]int{with(v + 1)}
	case v == kept:
		return nil // it stays
	case v == most:
		return [][]int{values, with(v - 1)} // or more than that
	}
	return [][]int{with(v - 1)}
}

// finals makes it final that all holds are kept, with one of the symbols on top.
func (k *keeper) finals(symbols []int) {
	for n, values := range k.all() {
		if slices.Contains(values, 0) {
			continue
		}
		for _, s := range symbols {
			k.component.Final = append(k.component.Final, Final{Control: n, Stack: []int{s}, Open: !k.stand.Ended})
		}
	}
}
