package std

import "fmt"

// Unended follows what threads have begun and not ended: blocks, locks that they hold, waits and sends. A trace at
// whose end there is some may have been cut off there, and so may one whose last line has no line end; nobody can say
// that such a trace has no violation.
//
// Not every cut can be seen. The format has no end, so that a trace that was cut between two lines where no thread is
// within anything reads as a whole one; and a thread that was forked and has no event, or is never joined, may have
// done nothing more.
//
// It knows, too, which lines no run can have where they are; see Add.
type Unended struct {
	threads  []begun
	locks    []holders
	channels []messages
}

// begun are the lines with which a thread has begun what it has not ended.
type begun []beginning

type beginning struct {
	Event
	message int // that is sent, counted from 1
}

// beginnings are the operations that others end. A wait ends holding the lock, and its end begins that again.
var beginnings = [...]Op{End: Begin, Release: Acquire, ReadRelease: ReadAcquire, Prewait: Acquire, Postwait: Prewait,
	Postsend: Presend}

// Add takes the next event. The error, an *Error, says why no run can have it there: it ends what nobody has begun,
// takes a lock that another thread has, or receives what nobody has sent; then it counts as left out. A lock may be
// released by another thread than the one that holds it, as a sync.Mutex may, and be taken again by the one that does,
// as a monitor may.
func (u *Unended) Add(e Event) error {
	if e.Op == Read || e.Op == Write {
		return nil
	}
	for int(e.Thread) >= len(u.threads) {
		u.threads = append(u.threads, nil)
	}
	why := ""
	switch operands[e.Op] {
	case lock:
		why = u.lock(e)
	case channel:
		why = u.message(e)
	}
	t := &u.threads[e.Thread]
	if why == "" && int(e.Op) < len(beginnings) && beginnings[e.Op] != 0 && !t.end(beginnings[e.Op], e.Operand) {
		why = u.endElsewhere(e)
	}
	if why != "" {
		return &Error{e.Line, why}
	}
	switch e.Op {
	case Begin, Acquire, ReadAcquire, Prewait, Presend:
		b := beginning{Event: e}
		if e.Op == Presend {
			b.message = u.channels[e.Operand].sent
		}
		*t = append(*t, b)
	case Postwait:
		*t = append(*t, beginning{Event: Event{Acquire, e.Thread, e.Operand, e.Line}})
	}
	return nil
}

// endElsewhere ends what another thread has begun, if that may be.
func (u *Unended) endElsewhere(e Event) (why string) {
	switch begun := beginnings[e.Op]; e.Op {
	case Release, ReadRelease, Prewait:
		for i := range u.threads {
			if u.threads[i].end(begun, e.Operand) {
				return ""
			}
		}
		return fmt.Sprintf("%s of a lock that is not held; leave it out, or write its %s before it", e.Op, begun)
	case End:
		return "an end without a begin; leave it out, or write the begin of the block before it"
	default:
		return fmt.Sprintf("%s without a %s; leave it out, or write the %s before it", e.Op, begun, begun)
	}
}

// end ends what was begun last by an operation on something.
func (b *begun) end(op Op, operand uint32) bool {
	i := b.last(op, operand)
	if i >= 0 {
		*b = append((*b)[:i], (*b)[i+1:]...)
	}
	return i >= 0
}

// last is where something was begun last, or -1.
func (b begun) last(op Op, operand uint32) int {
	for i := len(b) - 1; i >= 0; i-- {
		if b[i].Op == op && (op == Begin || b[i].Operand == operand) {
			return i
		}
	}
	return -1
}

// Thread tells whether a thread has begun something.
func (u *Unended) Thread(thread uint32) bool {
	return int(thread) < len(u.threads) && len(u.threads[thread]) > 0
}

// Lock tells whether something is begun on a lock.
func (u *Unended) Lock(number uint32) bool {
	for _, t := range u.threads {
		for _, e := range t {
			if operands[e.Op] == lock && e.Operand == number {
				return true
			}
		}
	}
	return false
}

// Channel tells whether something is begun on a channel, or it is closed. If not, messages count from 1 again.
func (u *Unended) Channel(number uint32) bool {
	if int(number) >= len(u.channels) {
		return false
	}
	c := &u.channels[number]
	open := c.closed || c.sent > c.received
	for _, t := range u.threads {
		open = open || t.last(Presend, number) >= 0
	}
	if !open {
		*c = messages{}
	}
	return open
}

// Why says why a trace that a scanner has read to its end is not known to be whole; "" if nothing is open.
func (u *Unended) Why(s *Scanner) string {
	first := Event{}
	for _, t := range u.threads {
		if len(t) > 0 && (first.Op == 0 || t[0].Line < first.Line) {
			first = t[0].Event
		}
	}
	if first.Op == 0 {
		if s.torn {
			return fmt.Sprintf("line %d has no line end; write one if it is the last", s.line)
		}
		return ""
	}
	thread, on := s.Threads.Name(first.Thread), ""
	if names := s.names(first.Op); names != nil {
		on = names.Name(first.Operand)
	}
	switch first.Op {
	case Begin:
		return fmt.Sprintf("the block that %s begins at line %d has no end", thread, first.Line)
	case Prewait:
		return fmt.Sprintf("the wait of %s at line %d has no postwait(%s)", thread, first.Line, on)
	case Presend:
		return fmt.Sprintf("the send of %s at line %d has no postsnd(%s)", thread, first.Line, on)
	}
	return fmt.Sprintf("%s holds %s since line %d, and does not release it", thread, on, first.Line)
}
