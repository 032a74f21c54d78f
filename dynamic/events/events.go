// Package events is what cooperability checking and prediction read: the events of a run, from a recorded
// trace (Recorded) or one in the STD format (STD), and the one table of which of them conflict (Table).
package events

import (
	"fmt"
	"io"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Event is one step of one thread.
type Event struct {
	Op     Op
	Joins  bool   // of a Receive: its partner is the last operation of its thread, so that it waits for its end
	Atomic bool   // of an access: it is one of package sync/atomic
	Thread uint32 // from 0
	Place  uint32 // where, see Source
	Room   uint32 // of a Send: how many messages the channel holds, 0 if that is not known
	Object uint64 // what it is on, among those of its kind; the other thread of a Fork or Join
	Number int    // of its line, or of its record, from 1
}

// Yields tells whether a yield comes before the event, written in the program or not.
func (e Event) Yields() bool { return Table[e.Op].Yields || e.Joins }

// Source is a trace that is read once, from its beginning to its end.
type Source interface {
	// Next is the next event, or io.EOF. Another error says what is wrong with the trace, in a line;
	// if it is a *CutError, all events that there are have been read.
	Next() (Event, error)
	// Place is where an event is, and in which function; both may be empty.
	Place(place uint32) Place
	// Thread names a thread.
	Thread(thread uint32) string
	// Text is an event as a reader of the trace sees it, without thread and place.
	Text(e Event) string
	// Unit is what an event's number counts: "line" or "event".
	Unit() string
}

// Place is a place in the source of a program.
type Place struct{ Pos, Function string }

// CutError says that a trace ends in the middle.
type CutError = trace.CutError

// FieldBits is how many bits of the number of a variable name its field, in a recorded trace; the rest is the
// object that has it.
const FieldBits = 24

// variable is the number of a field of an object.
func variable(object uint32, field uint32) uint64 { return uint64(object)<<FieldBits | uint64(field) }

// sends finds the partners of receives: the first message that was sent is the first one that is received.
type sends struct {
	channels map[uint64]*sent
}

type sent struct {
	sent, received int
	last           map[int]bool // by the number of a message: to send it was the last that its thread did
	closed         bool         // to close it was
}

func (s *sends) of(channel uint64) *sent {
	if s.channels == nil {
		s.channels = map[uint64]*sent{}
	}
	c := s.channels[channel]
	if c == nil {
		c = &sent{}
		s.channels[channel] = c
	}
	return c
}

// follow completes an event on a channel; last tells whether it is the last operation of its thread.
func (s *sends) follow(e *Event, last bool) {
	switch e.Op {
	case Send, Presend:
		c := s.of(e.Object)
		c.sent++
		if last {
			if c.last == nil {
				c.last = map[int]bool{}
			}
			c.last[c.sent] = true
		}
	case Close:
		s.of(e.Object).closed = last
	case Receive:
		c := s.of(e.Object)
		if c.received == c.sent {
			e.Joins = c.closed
			return
		}
		c.received++
		e.Joins = c.last[c.received]
		delete(c.last, c.received)
	}
}

// lasts are the last operations of threads: what a first reading of the trace is for.
type lasts struct {
	number  []int // by thread: of its last operation
	presend []int // by thread: of a Presend whose Postsend has not come
	events  []int // by thread: of its last event
}

// note takes in an event.
func (l *lasts) note(e Event) {
	for len(l.number) <= int(e.Thread) {
		l.number, l.presend, l.events = append(l.number, 0), append(l.presend, 0), append(l.events, 0)
	}
	l.events[e.Thread] = e.Number
	switch {
	case e.Op == Postsend: // belongs to what comes before it
		l.number[e.Thread] = l.presend[e.Thread]
	case e.Op.Kind() != Nothing:
		l.number[e.Thread] = e.Number
		if e.Op == Presend {
			l.presend[e.Thread] = e.Number
		}
	}
}

// isLast tells whether an event is the last operation of its thread.
func (l *lasts) isLast(e Event) bool {
	return int(e.Thread) < len(l.number) && l.number[e.Thread] == e.Number
}

// ends tells whether an event is the last one of its thread.
func (l *lasts) ends(e Event) bool {
	return int(e.Thread) < len(l.events) && l.events[e.Thread] == e.Number
}

// reading is what the sources have in common. They read a trace twice, the first time for what its threads do last,
// and make a few events of each line or record.
type reading struct {
	file    io.Closer
	lasts   lasts
	sends   sends
	pending queue // of the last line or record
}

// first reads the trace for the first time; fill makes the events of the next line or record.
func (r *reading) first(fill func() error) error {
	for {
		switch err := fill(); {
		case err == io.EOF:
			r.pending.reset()
			return nil
		case err != nil:
			return err
		case !r.pending.empty():
			r.lasts.note(r.pending.take())
		}
	}
}

// next is the next event; end says whether the trace has come to its end.
func (r *reading) next(fill, end func() error) (Event, error) {
	for r.pending.empty() {
		if err := fill(); err != nil {
			r.file.Close()
			if err == io.EOF {
				err = end()
			}
			return Event{}, err
		}
	}
	e := r.pending.take()
	if e.Op.Kind() == Channel {
		r.sends.follow(&e, r.lasts.isLast(e))
	}
	return e, nil
}

// queue holds the few events that a line or a record becomes.
type queue struct {
	events [3]Event
	at, n  int
}

func (q *queue) reset() { q.at, q.n = 0, 0 }

func (q *queue) add(e Event) {
	q.events[q.n] = e
	q.n++
}

// both adds the halves of a half of a wait, which is on a lock by the name of its condition variable.
func (q *queue) both(first Event, second Op) {
	q.add(first)
	first.Op = second
	q.add(first)
}

func (q *queue) empty() bool { return q.at == q.n }

func (q *queue) take() Event {
	q.at++
	return q.events[q.at-1]
}

// text is an event with the name of its object.
func text(op Op, name string) string {
	if name == "" {
		return op.String()
	}
	return fmt.Sprintf("%s %s", op, name)
}
