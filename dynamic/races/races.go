// Package races finds the data races of a run: two accesses of different threads to one variable, one of them a write
// and not both atomic, of which neither happens before the other. What a race has done first is not known for sure: the
// record of an access and the access itself are two steps. So whoever trusts the order of a trace has to know of them.
//
// Happens-before is that of the Go memory model, which is another relation than the conflicts of package events:
//
//	unlock                 before  the next lock; before read locks until the next one
//	read unlock            before  the next lock
//	send                   before  the receive of the message
//	receive, no room       before  the send is over
//	receive                before  the send that takes its room, where it is known how much there is
//	close                  before  a receive that finds nothing more
//	done                   before  the wait that it ends
//	notify                 before  the waits that end after it
//	the function of a once before  whoever finds that it has run
//	an atomic write        before  the atomic reads that see it
//	fork, join             before and after all that the thread does
//
// An access is compared with the last ones of each thread by their times in vectors (Flanagan and Freund, PLDI 2009).
// Time for each event: the number of threads, and of an access that of the threads that have accessed the variable.
package races

import "github.com/empire-go/empire-go/dynamic/events"

// Race is two accesses without an order, in that of the trace.
type Race struct{ First, Second events.Event }

// Detector reads a trace event by event.
type Detector struct {
	threads   []clock
	locks     map[uint64]*lock
	others    map[key]clock // conditions, counters, functions that run once, atomic variables
	channels  map[uint64]*channel
	variables map[uint64]variable
}

type key struct {
	kind   events.Kind
	object uint64
}

// clock has for each thread the number of its last event that happens before.
type clock []uint32

func (c clock) at(thread uint32) uint32 {
	if int(thread) < len(c) {
		return c[thread]
	}
	return 0
}

func (c *clock) join(other clock) {
	for len(*c) < len(other) {
		*c = append(*c, 0)
	}
	for i, n := range other {
		(*c)[i] = max((*c)[i], n)
	}
}

func (c clock) copy() clock { return append(clock(nil), c...) }

type lock struct{ written, read clock }

// channel has the clocks of messages that were sent and not received, of sends that were met, and of the close.
type channel struct {
	messages []clock
	met      []clock  // of receives whose sends are not over
	over     []uint32 // threads whose sends are over before the record of their receive
	waiting  int      // sends that wait to be met, among messages
	sent     int      // sends into a buffer
	freed    []clock  // of receives from it whose room has not been taken again
	taken    int      // how many had been before these
	closed   clock
}

// variable has the last accesses of each thread.
type variable map[uint32]*accesses

// accesses are the last ones of each kind: reads and writes, plain and atomic.
type accesses [4]access

type access struct {
	time  uint32 // of the thread; 0: none
	event events.Event
}

const write, atomic = 1, 2

// New is a detector at the beginning of a trace.
func New() *Detector {
	return &Detector{locks: map[uint64]*lock{}, others: map[key]clock{}, channels: map[uint64]*channel{},
		variables: map[uint64]variable{}}
}

// Gone forgets an object, of a trace that tells when objects are gone.
func (d *Detector) Gone(object uint64) {
	delete(d.locks, object)
	delete(d.channels, object)
	for _, kind := range []events.Kind{events.Condition, events.Counter, events.Once} {
		delete(d.others, key{kind, object})
	}
}

// Add takes the next event, and calls found with each race that it has with an earlier one.
func (d *Detector) Add(e events.Event, found func(Race)) {
	if e.Op == events.Gone {
		d.Gone(e.Object)
		return
	}
	d.room(e.Thread)
	if e.Op.Kind() == events.Thread {
		d.room(uint32(e.Object))
	}
	d.threads[e.Thread][e.Thread]++
	now := &d.threads[e.Thread]
	switch e.Op {
	case events.Fork:
		d.threads[e.Object].join(*now)
	case events.Join:
		now.join(d.threads[e.Object])
	case events.Lock, events.RLock, events.Unlock, events.RUnlock:
		d.lock(e, now)
	case events.Done, events.Notify, events.OnceEnd:
		d.release(e, *now)
	case events.Wait, events.Postwait, events.OnceDone:
		now.join(d.others[key{e.Op.Kind(), e.Object}])
	case events.Send, events.Presend, events.Receive, events.Postsend, events.Close:
		d.channel(e, now)
	case events.Read, events.Write, events.Update:
		d.access(e, now, found)
	}
}

// room makes room for a thread.
func (d *Detector) room(t uint32) {
	for n := len(d.threads); n <= int(t); n++ {
		c := make(clock, n+1)
		c[n] = 1
		d.threads = append(d.threads, c)
	}
}

func (d *Detector) release(e events.Event, now clock) {
	k := key{e.Op.Kind(), e.Object}
	c := d.others[k]
	c.join(now)
	d.others[k] = c
}

func (d *Detector) lock(e events.Event, now *clock) {
	l := d.locks[e.Object]
	if l == nil {
		l = &lock{}
		d.locks[e.Object] = l
	}
	switch e.Op {
	case events.Lock:
		now.join(l.written)
		now.join(l.read)
	case events.RLock:
		now.join(l.written)
	case events.Unlock:
		l.written = now.copy()
	case events.RUnlock:
		l.read.join(*now)
	}
}

func (d *Detector) channel(e events.Event, now *clock) {
	c := d.channels[e.Object]
	if c == nil {
		c = &channel{}
		d.channels[e.Object] = c
	}
	switch e.Op {
	case events.Send, events.Presend:
		if e.Op == events.Send {
			c.takeRoom(int(e.Room), now)
		}
		c.messages = append(c.messages, now.copy())
		if e.Op == events.Presend {
			c.waiting++
		}
	case events.Receive:
		if len(c.messages) == 0 {
			now.join(c.closed)
			return
		}
		now.join(c.messages[0])
		c.messages = c.messages[1:]
		if c.waiting > 0 {
			c.waiting--
			if len(c.over) > 0 { // it has met a send of which the end was recorded before
				d.threads[c.over[0]].join(*now)
				c.over = c.over[1:]
				return
			}
			c.met = append(c.met, now.copy())
		} else {
			c.freed = append(c.freed, now.copy())
		}
	case events.Postsend:
		if len(c.met) > 0 {
			now.join(c.met[0])
			c.met = c.met[1:]
		} else {
			c.over = append(c.over, e.Thread)
		}
	case events.Close:
		c.closed = now.copy()
	}
}

// takeRoom orders a send into a buffer after the receive that has made room for it.
func (c *channel) takeRoom(room int, now *clock) {
	c.sent++
	if by := c.sent - room; room > 0 && by > 0 && by > c.taken && by-c.taken <= len(c.freed) {
		now.join(c.freed[by-c.taken-1])
		c.freed, c.taken = c.freed[by-c.taken:], by
	}
	if room == 0 {
		c.freed, c.taken = nil, c.taken+len(c.freed) // it is not asked for
	}
}

// access compares an access with the last ones of other threads.
func (d *Detector) access(e events.Event, now *clock, found func(Race)) {
	kind := 0
	if e.Op != events.Read {
		kind |= write
	}
	if e.Atomic {
		kind |= atomic
		k := key{events.Variable, e.Object}
		if e.Op != events.Write {
			now.join(d.others[k])
		}
		if kind&write != 0 {
			d.others[k] = now.copy()
		}
	}
	v := d.variables[e.Object]
	if v == nil {
		v = variable{}
		d.variables[e.Object] = v
	}
	for t, all := range v {
		if t == e.Thread {
			continue
		}
		for other, a := range all {
			if a.time > now.at(t) && (kind|other)&write != 0 && kind&other&atomic == 0 {
				found(Race{a.event, e})
			}
		}
	}
	own := v[e.Thread]
	if own == nil {
		own = &accesses{}
		v[e.Thread] = own
	}
	own[kind] = access{now.at(e.Thread), e}
}

// Time is the time of a thread's last event.
func (d *Detector) Time(thread uint32) uint32 { return d.threads[thread].at(thread) }

// Knows tells whether the last event of a thread comes after one of another thread with a time.
func (d *Detector) Knows(thread, other, time uint32) bool { return d.threads[thread].at(other) >= time }
