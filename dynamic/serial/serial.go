package serial

import (
	"fmt"

	"github.com/empire-go/empire-go/dynamic/trace/std"
)

// Checker checks a trace event by event.
type Checker struct {
	reached
	threads   []thread
	locks     []lock
	variables int
	waited    int // locks with a condition, or more
	channels  int
	unended   std.Unended

	threadRefs    references // two for each: lastOf, forkersOf
	lockRefs      references // two for each: releasesOf, readReleasesOf
	variableRefs  references // two for each: writesOf, readsOf
	conditionRefs references // two for each: waitsOf, notifiesOf
	channelRefs   references // the last operation
	atLeast       int        // past transactions that are kept, whatever else is
	atMost        int        // and before the next sweep
}

type thread struct {
	slot   int  // of its live transaction, or none
	depth  int  // of begins in it
	forked bool // and has no event since
}

type lock struct {
	holder int
	read   bool // a reader has released it since, which no lock of a run does
}

const (
	none = -1
	keep = 1 << 14 // past transactions that are kept at least
)

// NewChecker is a checker at the beginning of a trace.
func NewChecker() *Checker {
	return &Checker{reached: reached{words: 1}, atLeast: keep, atMost: keep}
}

// Step takes the next event. It returns false if the event closes a cycle; the checker is of
// no use after that. Whether a run can have the event there is not looked at, but for an end without a begin, which is
// an error.
func (c *Checker) Step(e std.Event) (bool, error) {
	t, x := int(e.Thread), int(e.Operand)
	if t >= len(c.threads) {
		c.addThreads(t + 1)
	}
	th := &c.threads[t]
	if th.forked && !c.start(t, th) {
		return false, nil
	}
	switch e.Op {
	case std.Read:
		return c.read(t, th, x), nil
	case std.Write:
		return c.write(t, th, x), nil
	case std.Acquire:
		return c.acquire(t, th, x), nil
	case std.Release:
		c.release(t, th, x)
	case std.ReadAcquire:
		c.addLock(x)
		return c.after(t, th, c.releasesOf(x)), nil
	case std.ReadRelease:
		c.readRelease(t, th, x)
	case std.Prewait:
		if !c.wait(t, th, x) {
			return false, nil
		}
		c.release(t, th, x)
	case std.Postwait:
		return c.acquire(t, th, x) && c.wait(t, th, x), nil
	case std.Notify:
		return c.notify(t, th, x), nil
	case std.Fork:
		c.fork(t, x)
	case std.Join:
		return c.join(t, x), nil
	case std.Begin:
		c.begin(t, th)
	case std.End:
		if th.depth == 0 {
			return true, fmt.Errorf("line %d: an end without a begin", e.Line)
		}
		c.end(t, th)
	case std.Send, std.Receive, std.Close, std.Presend, std.Postsend:
		return c.message(t, th, x), nil
	case std.Yield: // transactions are what begin and end say
	}
	return true, nil
}

func (c *Checker) lastOf(t int) reference         { return c.ref(c.threadRefs, 2*t) }
func (c *Checker) forkersOf(t int) reference      { return c.ref(c.threadRefs, 2*t+1) }
func (c *Checker) releasesOf(l int) reference     { return c.ref(c.lockRefs, 2*l) }
func (c *Checker) readReleasesOf(l int) reference { return c.ref(c.lockRefs, 2*l+1) }
func (c *Checker) writesOf(x int) reference       { return c.ref(c.variableRefs, 2*x) }
func (c *Checker) readsOf(x int) reference        { return c.ref(c.variableRefs, 2*x+1) }
func (c *Checker) waitsOf(l int) reference        { return c.ref(c.conditionRefs, 2*l) }
func (c *Checker) notifiesOf(l int) reference     { return c.ref(c.conditionRefs, 2*l+1) }

// start makes the first event of a thread after its fork follow the fork.
func (c *Checker) start(t int, th *thread) bool {
	th.forked = false
	r := c.forkersOf(t)
	ok := c.after(t, th, r)
	clear(r)
	return ok
}

func (c *Checker) begin(t int, th *thread) {
	th.depth++
	if th.depth > 1 {
		return
	}
	if len(c.free) == 0 {
		c.addSlots()
	}
	th.slot = c.reached.begin()
	c.follow(th.slot, c.lastOf(t))
}

func (c *Checker) end(t int, th *thread) {
	th.depth--
	if th.depth > 0 {
		return
	}
	c.reached.end(th.slot, c.lastOf(t))
	th.slot = none
	if c.kept > c.atMost {
		c.sweep()
	}
}

// after adds edges from all that r refers to, to the transaction of an event of a thread. A
// unary transaction leaves what it follows with the thread.
func (c *Checker) after(t int, th *thread, r reference) bool {
	if th.slot != none {
		return c.follow(th.slot, r)
	}
	c.update(r)
	last := c.lastOf(t)
	c.update(last)
	done := c.done(last)
	for w := range done {
		done[w] |= r[1+w] | r[1+c.words+w]
	}
	return true
}

// record adds the transaction of an event of a thread to a reference that is up to date.
func (c *Checker) record(t int, th *thread, r reference) {
	if th.slot != none {
		add(c.own(r), th.slot)
		return
	}
	last := c.lastOf(t)
	c.update(last)
	to := c.done(r)
	for w, d := range c.done(last) {
		to[w] |= d
	}
}

// updated brings a reference up to date.
func (c *Checker) updated(r reference) reference {
	c.update(r)
	return r
}

// reset empties a reference.
func (c *Checker) reset(r reference) {
	clear(r)
	r[0] = c.now
}

func (c *Checker) read(t int, th *thread, x int) bool {
	c.addVariable(x)
	writes, reads := c.writesOf(x), c.readsOf(x)
	if th.slot != none && (c.isOwn(reads, th.slot) || c.isOwn(writes, th.slot)) {
		return true // as before: what would follow the read follows that access already
	}
	if !c.after(t, th, writes) {
		return false
	}
	c.record(t, th, c.updated(reads))
	return true
}

func (c *Checker) write(t int, th *thread, x int) bool {
	c.addVariable(x)
	writes, reads := c.writesOf(x), c.readsOf(x)
	if th.slot != none && c.isOwn(writes, th.slot) && empty(reads[1:]) {
		return true
	}
	if !c.after(t, th, writes) || !c.after(t, th, reads) {
		return false
	}
	c.reset(writes)
	c.reset(reads)
	c.record(t, th, writes)
	return true
}

func (c *Checker) acquire(t int, th *thread, l int) bool {
	c.addLock(l)
	c.locks[l] = lock{holder: t}
	return c.after(t, th, c.releasesOf(l)) && c.after(t, th, c.readReleasesOf(l))
}

// release of the last holder is reached from all earlier releases, and stands for them.
func (c *Checker) release(t int, th *thread, l int) {
	c.addLock(l)
	r := c.releasesOf(l)
	if c.locks[l].holder == t {
		c.reset(r)
		if !c.locks[l].read {
			c.reset(c.readReleasesOf(l))
		}
	} else {
		c.update(r)
	}
	c.locks[l].holder = none
	c.record(t, th, r)
}

func (c *Checker) readRelease(t int, th *thread, l int) {
	c.addLock(l)
	c.locks[l].read = true
	c.record(t, th, c.updated(c.readReleasesOf(l)))
}

// wait is one half of a wait: what wakes it could have come before it, or after it.
func (c *Checker) wait(t int, th *thread, l int) bool {
	c.addCondition(l)
	return c.between(t, th, c.notifiesOf(l), c.waitsOf(l))
}

func (c *Checker) notify(t int, th *thread, l int) bool {
	c.addCondition(l)
	return c.between(t, th, c.waitsOf(l), c.notifiesOf(l))
}

// between is an operation that those of the other kind do not commute with, and those of its own kind do.
func (c *Checker) between(t int, th *thread, others, own reference) bool {
	if !c.after(t, th, others) {
		return false
	}
	c.record(t, th, c.updated(own))
	return true
}

// message is any operation on a channel: each changes its state, and stands for those before it.
func (c *Checker) message(t int, th *thread, x int) bool {
	c.addChannel(x)
	last := c.ref(c.channelRefs, x)
	if !c.after(t, th, last) {
		return false
	}
	c.reset(last)
	c.record(t, th, last)
	return true
}

// fork of a thread that has an event: none before it follows.
func (c *Checker) fork(t, child int) {
	if child == t {
		return
	}
	c.addThreads(child + 1)
	c.threads[child].forked = true
	c.record(t, &c.threads[t], c.updated(c.forkersOf(child)))
}

func (c *Checker) join(t, child int) bool {
	if child == t {
		return true
	}
	c.addThreads(child + 1)
	r := c.lastOf(child)
	if slot := c.threads[child].slot; slot != none {
		// The live transaction stands for the last one, which reaches it.
		c.reset(r)
		add(c.own(r), slot)
	}
	return c.after(t, &c.threads[t], r)
}
