package std

import "fmt"

// holders are those who have a lock: one, which may have taken it several times, or some that read.
type holders struct {
	writer  uint32 // and 1
	line    int    // at which it took the lock
	times   int
	readers int
}

// lock follows an operation on a lock, and says why no run can have it there. That what is released is held is not
// looked at here.
func (u *Unended) lock(e Event) (why string) {
	for int(e.Operand) >= len(u.locks) {
		u.locks = append(u.locks, make([]holders, max(16, len(u.locks)))...)
	}
	l := &u.locks[e.Operand]
	switch e.Op {
	case Acquire, Postwait, ReadAcquire:
		if l.writer != 0 && l.writer != e.Thread+1 {
			return fmt.Sprintf("%s of a lock that another thread holds since line %d; write its rel before it", e.Op, l.line)
		}
		if e.Op == ReadAcquire {
			l.readers++
			return ""
		}
		if l.readers > 0 && l.readers > u.threads[e.Thread].count(ReadAcquire, e.Operand) {
			return fmt.Sprintf("%s of a lock that another thread holds for reading; write its rrel before it", e.Op)
		}
		if l.times == 0 {
			l.writer, l.line = e.Thread+1, e.Line
		}
		l.times++
	case Release, Prewait:
		if l.times > 0 {
			l.times--
		}
		if l.times == 0 {
			l.writer = 0
		}
	case ReadRelease:
		if l.readers > 0 {
			l.readers--
		}
	}
	return ""
}

// count is how often something was begun and not ended.
func (b begun) count(op Op, operand uint32) (n int) {
	for _, e := range b {
		if e.Op == op && e.Operand == operand {
			n++
		}
	}
	return n
}

// messages are what a channel has.
type messages struct {
	sent, received int
	closed         bool
	closedAt       int // line
}

// message follows an operation on a channel, and says why no run can have it there.
func (u *Unended) message(e Event) (why string) {
	for int(e.Operand) >= len(u.channels) {
		u.channels = append(u.channels, messages{})
	}
	c := &u.channels[e.Operand]
	switch e.Op {
	case Send, Presend:
		if c.closed {
			return fmt.Sprintf("%s on a channel that is closed; leave it out, or write the cls behind it", e.Op)
		}
		c.sent++
	case Receive:
		if c.sent == c.received && !c.closed {
			return "rcv on a channel with no message; leave it out, or write the snd before it"
		}
		c.received = min(c.received+1, c.sent)
	case Postsend:
		t := u.threads[e.Thread]
		if i := t.last(Presend, e.Operand); i >= 0 && t[i].message > c.received {
			return "postsnd before what was sent is received; write its rcv before it"
		}
	case Close:
		if c.closed {
			return fmt.Sprintf("cls of a channel that is closed since line %d; leave it out", c.closedAt)
		}
		c.closed, c.closedAt = true, e.Line
	}
	return ""
}
