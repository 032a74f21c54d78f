package std

import "fmt"

// Unended follows what threads have begun and not ended: blocks, locks that they hold, waits and sends. A trace at
// whose end there is some may have been cut off there, and so may one whose last line has no line end; nobody can say
// that such a trace has no violation.
//
// Not every cut can be seen. The format has no end, so that a trace that was cut between two lines where no thread is
// within anything reads as a whole one; and a thread that was forked and has no event, or is never joined, may have
// done nothing more.
type Unended struct {
	threads []begun
}

// begun are the lines with which a thread has begun what it has not ended.
type begun []Event

// beginnings are the operations that others end. A wait ends holding the lock, and its end begins that again.
var beginnings = [...]Op{End: Begin, Release: Acquire, ReadRelease: ReadAcquire, Prewait: Acquire, Postwait: Prewait,
	Postsend: Presend}

// Add takes the next event. It returns false if that ends what its thread has not begun.
func (u *Unended) Add(e Event) bool {
	if e.Op == Read || e.Op == Write {
		return true
	}
	for int(e.Thread) >= len(u.threads) {
		u.threads = append(u.threads, nil)
	}
	t, known := &u.threads[e.Thread], true
	if int(e.Op) < len(beginnings) && beginnings[e.Op] != 0 {
		known = t.end(beginnings[e.Op], e.Operand)
	}
	switch e.Op {
	case Begin, Acquire, ReadAcquire, Prewait, Presend:
		*t = append(*t, e)
	case Postwait:
		*t = append(*t, Event{Acquire, e.Thread, e.Operand, e.Line})
	}
	return known
}

// end ends what was begun last by an operation on something.
func (b *begun) end(op Op, operand uint32) bool {
	for i := len(*b) - 1; i >= 0; i-- {
		if e := (*b)[i]; e.Op == op && (op == Begin || e.Operand == operand) {
			*b = append((*b)[:i], (*b)[i+1:]...)
			return true
		}
	}
	return false
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

// Why says why a trace that a scanner has read to its end is not known to be whole; "" if nothing is open.
func (u *Unended) Why(s *Scanner) string {
	first := Event{}
	for _, t := range u.threads {
		if len(t) > 0 && (first.Op == 0 || t[0].Line < first.Line) {
			first = t[0]
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
