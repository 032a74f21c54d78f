// Package random makes small runs for tests: steps of threads that could have happened in this order, with all
// operations of package order, and tells whether another order of them could have happened, too.
package random

import (
	"math/rand/v2"
	"slices"

	"github.com/empire-go/empire-go/dynamic/predict/order"
)

// Step is an event.
type Step struct {
	Thread uint32
	Op     order.Op
	Object uint32
}

// Shape says what runs are like.
type Shape struct {
	Threads, Length, Variables, Locks, Channels int
	Sync                                        int  // of 100 steps: that many are no accesses
	Writes                                      int  // of 100 accesses
	Locked                                      bool // synchronisation is locks only, and all threads are there
	Sections                                    bool // one thread does much, the others little, much of it in sections
}

// Any is some shape of runs with so many steps at most.
func Any(r *rand.Rand, most int) Shape {
	if r.IntN(3) == 0 {
		return Shape{Threads: 2 + r.IntN(3), Length: most - r.IntN(most/3), Variables: 2 + r.IntN(3), Locks: 1 + r.IntN(2),
			Writes: 50, Sections: true}
	}
	if r.IntN(2) == 0 {
		return Shape{Threads: 2 + r.IntN(2), Length: most - r.IntN(most/3), Variables: 1 + r.IntN(2), Locks: 1 + r.IntN(2),
			Sync: 30 + r.IntN(30), Writes: 30 + r.IntN(50), Locked: true}
	}
	return Shape{Threads: 2 + r.IntN(3), Length: 4 + r.IntN(most-3), Variables: 1 + r.IntN(3), Locks: 1 + r.IntN(2),
		Channels: 1 + r.IntN(2), Sync: r.IntN(80), Writes: 30 + r.IntN(50)}
}

// Run makes a run.
func Run(r *rand.Rand, s Shape) []Step {
	if s.Sections {
		return sections(r, s)
	}
	m := NewMachine(r.IntN(3))
	var all []Step
	forked := 1 + r.IntN(s.Threads)
	if s.Locked {
		forked = s.Threads
	}
	for tries := 0; len(all) < s.Length && tries < 50*s.Length; tries++ {
		t := uint32(r.IntN(forked))
		if p := m.pending[t]; p != nil && r.IntN(4) > 0 {
			if m.Can(*p) {
				m.Do(*p)
				all = append(all, *p)
			}
			continue
		}
		step := Step{Thread: t}
		switch {
		case r.IntN(100) >= s.Sync:
			step = s.access(r, t)
		case forked < s.Threads && r.IntN(3) == 0:
			step.Op, step.Object = order.OpFork, uint32(forked)
		default:
			step.Op = operations[r.IntN(len(operations))]
			if s.Locked {
				step.Op = lockOps[r.IntN(len(lockOps))]
			}
			step.Object = uint32(r.IntN(s.Locks))
			if step.Op == order.OpJoin {
				step.Object = uint32(r.IntN(forked))
			}
			if step.Op >= order.OpSend && step.Op <= order.OpLook {
				step.Object = uint32(r.IntN(s.Channels))
			}
		}
		if m.pending[t] != nil || !m.Can(step) {
			continue
		}
		m.Do(step)
		if step.Op == order.OpFork {
			forked++
		}
		all = append(all, step)
	}
	return all
}

// access is a random access by a thread.
func (s Shape) access(r *rand.Rand, thread uint32) Step {
	step := Step{Thread: thread, Op: order.OpRead, Object: uint32(r.IntN(s.Variables))}
	if r.IntN(100) < s.Writes {
		step.Op = order.OpWrite
	} else if r.IntN(5) == 0 {
		step.Op = order.OpUpdate
	}
	return step
}

// sections makes a run of threads that do accesses and critical sections with some of them. About half of it is one
// thread's: in a run in which all do much, everything goes wrong in some way or other.
func sections(r *rand.Rand, s Shape) []Step {
	threads := make([][]Step, s.Threads)
	for length := 0; length < s.Length; {
		t := uint32(0)
		if r.IntN(2) == 0 {
			t = uint32(r.IntN(s.Threads))
		}
		steps := []Step{s.access(r, t)}
		if r.IntN(2) == 0 {
			if r.IntN(2) == 0 {
				steps = append(steps, s.access(r, t))
			}
			lock := uint32(r.IntN(s.Locks))
			steps = slices.Concat([]Step{{t, order.OpAcquire, lock}}, steps, []Step{{t, order.OpRelease, lock}})
		}
		threads[t] = append(threads[t], steps...)
		length += len(steps)
	}
	m := NewMachine(0)
	var all []Step
	for {
		var ready []uint32
		for t, steps := range threads {
			if len(steps) > 0 && m.Can(steps[0]) {
				ready = append(ready, uint32(t))
			}
		}
		if len(ready) == 0 || len(all) == s.Length {
			return all
		}
		t := ready[r.IntN(len(ready))]
		m.Do(threads[t][0])
		all = append(all, threads[t][0])
		threads[t] = threads[t][1:]
	}
}

// operations are those that are chosen from; locks come more often.
var operations = []order.Op{order.OpAcquire, order.OpRelease, order.OpAcquire, order.OpRelease, order.OpRelease,
	order.OpReadAcquire, order.OpReadRelease, order.OpPrewait, order.OpNotify, order.OpTryFailed, order.OpJoin,
	order.OpSend, order.OpReceive, order.OpSend, order.OpReceive, order.OpClose, order.OpPresend, order.OpLook,
	order.OpAdd, order.OpDone, order.OpWait, order.OpRan, order.OpHasRun, order.OpNothing}

// lockOps are the same for runs with locks only.
var lockOps = []order.Op{order.OpAcquire, order.OpAcquire, order.OpRelease, order.OpRelease, order.OpRelease,
	order.OpReadAcquire, order.OpReadRelease}

// Machine is what a program's locks, channels and so on are like at some point. It knows nothing of package order
// but the names.
type Machine struct {
	room    int // of channels
	locks   map[uint32][]holder
	chans   map[uint32]*channel
	waiters map[uint32][]uint32 // threads that wait, and were not woken
	woken   map[uint32]bool     // threads
	counts  map[uint32]int
	ran     map[uint32]bool
	joined  map[uint32]bool
	pending map[uint32]*Step // what a thread does next
}

type holder struct {
	thread uint32
	shared bool
}

type channel struct {
	queue    []uint32 // who has sent, each once for a message
	received map[uint32]bool
	closed   bool
}

// NewMachine is a program with channels that hold so many messages, or none.
func NewMachine(room int) *Machine {
	return &Machine{room: room, locks: map[uint32][]holder{}, chans: map[uint32]*channel{}, waiters: map[uint32][]uint32{},
		woken: map[uint32]bool{}, counts: map[uint32]int{}, ran: map[uint32]bool{}, joined: map[uint32]bool{},
		pending: map[uint32]*Step{}}
}

func (m *Machine) channel(n uint32) *channel {
	if m.chans[n] == nil {
		m.chans[n] = &channel{received: map[uint32]bool{}}
	}
	return m.chans[n]
}

// Can tells whether a thread can do a step now.
func (m *Machine) Can(s Step) bool {
	if m.joined[s.Thread] {
		return false
	}
	held := m.locks[s.Object]
	has := func(shared bool) bool { return slices.Contains(held, holder{s.Thread, shared}) }
	c := m.channel(s.Object)
	switch s.Op {
	case order.OpAcquire:
		return len(held) == 0
	case order.OpReadAcquire:
		return len(held) == 0 || held[0].shared && !has(true)
	case order.OpRelease:
		return has(false)
	case order.OpPrewait:
		return has(false)
	case order.OpReadRelease:
		return has(true)
	case order.OpPostwait:
		return m.woken[s.Thread]
	case order.OpTryFailed:
		return len(held) > 0 && !has(false) && !has(true)
	case order.OpJoin:
		return s.Object != s.Thread && s.Object != 0 && !m.joined[s.Object] && m.pending[s.Object] == nil
	case order.OpSend:
		return m.room > 0 && len(c.queue) < m.room && !c.closed
	case order.OpPresend:
		return m.room == 0 && len(c.queue) == 0 && !c.closed
	case order.OpPostsend:
		return c.received[s.Thread]
	case order.OpReceive:
		return len(c.queue) > 0 || c.closed
	case order.OpClose:
		return !c.closed && !(m.room == 0 && len(c.queue) > 0)
	case order.OpDone:
		return m.counts[s.Object] > 0
	case order.OpWait:
		return m.counts[s.Object] == 0
	case order.OpRan:
		return !m.ran[s.Object]
	case order.OpHasRun:
		return m.ran[s.Object]
	}
	return true
}

// waiting tells whether a thread waits for a condition, woken or not.
func (m *Machine) waiting(thread, condition uint32) bool {
	return m.woken[thread] || slices.Contains(m.waiters[condition], thread)
}

// Sees is what a step sees of the state, apart from variables: in another order it must see the same.
func (m *Machine) Sees(s Step) (seen [2]int) {
	c := m.channel(s.Object)
	switch s.Op {
	case order.OpReceive:
		if len(c.queue) > 0 {
			return [2]int{1 + int(c.queue[0]), 0}
		}
	case order.OpLook:
		seen = [2]int{len(c.queue), 0}
		if c.closed {
			seen[1] = 1
		}
	}
	return seen
}

// Do does a step that can be done.
func (m *Machine) Do(s Step) {
	m.pending[s.Thread] = nil
	c := m.channel(s.Object)
	release := func(shared bool) {
		i := slices.Index(m.locks[s.Object], holder{s.Thread, shared})
		m.locks[s.Object] = slices.Delete(m.locks[s.Object], i, i+1)
	}
	switch s.Op {
	case order.OpAcquire, order.OpReadAcquire:
		m.locks[s.Object] = append(m.locks[s.Object], holder{s.Thread, s.Op == order.OpReadAcquire})
	case order.OpRelease, order.OpReadRelease:
		release(s.Op == order.OpReadRelease)
		if m.waiting(s.Thread, s.Object) {
			m.pending[s.Thread] = &Step{s.Thread, order.OpPostwait, s.Object}
		}
	case order.OpPrewait: // of the condition with the number of the lock
		m.waiters[s.Object] = append(m.waiters[s.Object], s.Thread)
		m.pending[s.Thread] = &Step{s.Thread, order.OpRelease, s.Object}
	case order.OpPostwait:
		m.woken[s.Thread] = false
		m.pending[s.Thread] = &Step{s.Thread, order.OpAcquire, s.Object}
	case order.OpNotify:
		if w := m.waiters[s.Object]; len(w) > 0 {
			m.woken[w[0]], m.waiters[s.Object] = true, w[1:]
		}
	case order.OpJoin:
		m.joined[s.Object] = true
	case order.OpSend:
		c.queue = append(c.queue, s.Thread)
	case order.OpPresend:
		c.queue = append(c.queue, s.Thread)
		c.received[s.Thread] = false
		m.pending[s.Thread] = &Step{s.Thread, order.OpPostsend, s.Object}
	case order.OpPostsend:
		c.received[s.Thread] = false
	case order.OpReceive:
		if len(c.queue) > 0 {
			c.received[c.queue[0]] = true
			c.queue = c.queue[1:]
		}
	case order.OpClose:
		c.closed = true
	case order.OpAdd:
		m.counts[s.Object]++
	case order.OpDone:
		m.counts[s.Object]--
	case order.OpRan:
		m.ran[s.Object] = true
	}
}
