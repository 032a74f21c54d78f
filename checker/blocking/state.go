package blocking

import (
	"encoding/binary"
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// state is a state of the program: where the instances are, and what the objects are. The layout says where.
type state []int32

// layout says where the parts of a state are.
type layout struct {
	program *esl.Program

	instances, done, locks, flags, queues, counters, variables, exited, size int

	channelAt []int
}

// The parts of a lock, and of a channel.
const (
	held = iota
	readers
	pending
	lockSize

	count       = 0
	closed      = 1
	channelSize = 2 // and then the values in it
)

func newLayout(p *esl.Program) layout {
	n := len(p.Instances())
	l := layout{instances: n, done: n, locks: 2 * n, program: p}
	l.flags = l.locks + lockSize*len(p.Locks)
	l.queues = l.flags + len(p.Flags)
	for _, c := range p.Channels {
		l.channelAt = append(l.channelAt, l.queues)
		l.queues += channelSize + c.Capacity
	}
	l.counters = l.queues + n*len(p.Conditions)
	l.variables = l.counters + len(p.Groups)
	l.exited = l.variables + len(p.Variables)
	l.size = l.exited + 1
	return l
}

func (l *layout) lock(i int) int    { return l.locks + lockSize*i }
func (l *layout) channel(i int) int { return l.channelAt[i] }

// queue is the instances in the queue of a condition, as their numbers plus 1; then zeros.
func (l *layout) queue(s state, condition int) state {
	at := l.queues + l.instances*condition
	return s[at : at+l.instances]
}

// key returns a text that is the same for equal states only.
func (s state) key(room []byte) []byte {
	room = room[:0]
	for _, n := range s {
		room = binary.AppendVarint(room, int64(n))
	}
	return room
}

// status is whether an operation can be executed.
type status uint8

const (
	waits status = iota
	can
	crashes // it can, and that ends the program
)

// status tells whether an instance can execute a statement by itself. Meetings at unbuffered channels are left out.
func (l *layout) status(s state, i int, stmt esl.Stmt) status {
	is := func(ok bool) status {
		if ok {
			return can
		}
		return waits
	}
	unless := func(bad bool) status {
		if bad {
			return crashes
		}
		return can
	}
	switch stmt.Op {
	case esl.Choice:
		return waits // it has no target
	case esl.LockOp:
		k := s[l.lock(stmt.Arg):]
		return is(k[held] == 0 && k[readers] == 0)
	case esl.RLock, esl.Intend:
		k := s[l.lock(stmt.Arg):]
		return is(k[held] == 0 && k[pending] == 0)
	case esl.Unlock:
		return unless(s[l.lock(stmt.Arg)+held] == 0)
	case esl.RUnlock:
		return unless(s[l.lock(stmt.Arg)+readers] == 0)
	case esl.Join:
		return is(l.areDone(s, stmt.Arg))
	case esl.Set, esl.AwaitUnset:
		return is(s[l.flags+stmt.Arg] == 0)
	case esl.Await:
		return is(s[l.flags+stmt.Arg] != 0)
	case esl.Send, esl.Receive, esl.ReceiveClosed, esl.CloseChannel:
		return l.channelStatus(s, stmt)
	case esl.Awake:
		return is(!slices.Contains(l.queue(s, stmt.Arg), int32(i+1)))
	case esl.Add:
		return unless(int(s[l.counters+stmt.Arg])+stmt.Count < 0)
	case esl.WaitZero:
		return is(s[l.counters+stmt.Arg] == 0)
	case esl.Test, esl.Swap:
		return is(int(s[l.variables+stmt.Arg]) == stmt.Count)
	}
	return can
}

func (l *layout) channelStatus(s state, stmt esl.Stmt) status {
	c, capacity := s[l.channel(stmt.Arg):], int32(l.program.Channels[stmt.Arg].Capacity)
	ready := false
	switch stmt.Op {
	case esl.Send, esl.CloseChannel:
		if c[closed] != 0 {
			return crashes
		}
		ready = stmt.Op == esl.CloseChannel || c[count] < capacity
	case esl.Receive:
		ready = c[count] > 0 && c[channelSize] == int32(stmt.Value)
	case esl.ReceiveClosed:
		ready = c[closed] != 0 && c[count] == 0
	}
	if ready {
		return can
	}
	return waits
}

// areDone tells whether all copies of a process that are started are done.
func (l *layout) areDone(s state, process int) bool {
	first, copies := l.copies(process)
	for i := first; i < first+copies; i++ {
		if control(s[i]) != notStarted && s[l.done+i] == 0 {
			return false
		}
	}
	return true
}

// copies returns where the instances of a process are.
func (l *layout) copies(process int) (first, n int) {
	for _, p := range l.program.Processes[:process] {
		first += p.Copies
	}
	return first, l.program.Processes[process].Copies
}

// change does what a statement does to the objects; it can be executed.
func (l *layout) change(s state, i int, stmt esl.Stmt) {
	switch stmt.Op {
	case esl.LockOp:
		k := s[l.lock(stmt.Arg):]
		k[held], k[pending] = 1, 0
	case esl.Unlock:
		s[l.lock(stmt.Arg)+held] = 0
	case esl.RLock:
		s[l.lock(stmt.Arg)+readers]++
	case esl.RUnlock:
		s[l.lock(stmt.Arg)+readers]--
	case esl.Intend:
		s[l.lock(stmt.Arg)+pending] = 1
	case esl.Done:
		s[l.done+i] = 1
	case esl.Set:
		s[l.flags+stmt.Arg] = 1
	case esl.Send:
		c := s[l.channel(stmt.Arg):]
		c[channelSize+c[count]] = int32(stmt.Value)
		c[count]++
	case esl.Receive:
		c := s[l.channel(stmt.Arg):]
		c[count]--
		copy(c[channelSize:channelSize+c[count]], c[channelSize+1:])
		c[channelSize+c[count]] = 0
	case esl.CloseChannel:
		s[l.channel(stmt.Arg)+closed] = 1
	case esl.Enlist:
		q := l.queue(s, stmt.Arg)
		q[slices.Index(q, 0)] = int32(i + 1)
	case esl.Signal:
		q := l.queue(s, stmt.Arg)
		copy(q, q[1:])
		q[len(q)-1] = 0
	case esl.Broadcast:
		clear(l.queue(s, stmt.Arg))
	case esl.Add:
		s[l.counters+stmt.Arg] += int32(stmt.Count)
	case esl.Assign, esl.Swap:
		s[l.variables+stmt.Arg] = int32(stmt.Value)
	case esl.Exit:
		s[l.exited] = 1
	}
}
