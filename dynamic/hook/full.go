package hook

import (
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// These hooks stand in the place of others in programs that are recorded in full: what they record is in the order in
// which it takes effect. An operation on a channel is tried while the channel's number is held, so that it and
// its record are one step. Where it would block it is tried again, for some time; past that it blocks, and its
// place among the operations of others is not certain.

// trying is how long an operation is tried again.
const trying = time.Second

// isEnding is set when the program ends, and nothing is tried any more: who waits then blocks, for all to see.
var isEnding atomic.Bool

// tries is how many goroutines try an operation at present that could not be done at once.
var tries atomic.Int32

// try calls f, which tries an operation and records it, until it succeeds or trying ends. It returns false then.
func (g *Goroutine) try(op trace.Op, site uint32, p unsafe.Pointer, o *object, f func() bool) bool {
	wait := time.Duration(0)
	for begin := time.Now(); ; {
		switch done := g.attempt(op, site, p, o, f); {
		case done:
			return true
		case wait == 0:
			g.waits(op, site, p)
			tries.Add(1)
			defer tries.Add(-1)
			begin = time.Now()
		case time.Since(begin) > trying, isEnding.Load():
			return false
		}
		time.Sleep(wait)
		wait = min(wait+wait/2+10*time.Microsecond, time.Millisecond)
	}
}

// attempt calls f while the object is held. An operation that panics is recorded as one that is about to block: what
// the goroutine does next, if it goes on, shows that it did not.
func (g *Goroutine) attempt(op trace.Op, site uint32, p unsafe.Pointer, o *object, f func() bool) (done bool) {
	panics := true
	o.exact.lock()
	defer func() {
		o.exact.unlock()
		if panics {
			g.waits(op, site, p)
		}
	}()
	done = f()
	panics = false
	return done
}

// enter and leave are around what is one step with its record.
func (o *object) enter() { o.exact.lock() }
func (o *object) leave() { o.exact.unlock() }

// numbered records an operation on an object.
func (g *Goroutine) numbered(op trace.Op, site uint32, o *object) {
	g.record(op, site, o.number, o.version.Add(1)-1)
}

// channelObject is the object of a channel if an operation on it is to be recorded.
func (g *Goroutine) channelObject(op trace.Op, site uint32, p unsafe.Pointer) *object {
	if g.off || p == nil || steering != nil {
		return nil
	}
	o := g.objectAt(p, 0)
	if o != nil && g.slow {
		g.point(op, site, o.number)
	}
	return o
}

// Meet is ch <- v.
func (o Out[T]) Meet(v T) {
	g, p := o.g, channel(o.ch)
	object := g.channelObject(trace.Send, o.site, p)
	switch {
	case object == nil:
		o.Send(v)
		return
	case cap(o.ch) == 0:
		g.numbered(trace.Presend, o.site, object)
		select {
		case o.ch <- v:
		default:
			g.waits(trace.Send, o.site, p)
			o.ch <- v
		}
		object.enter() // which the receiver has held until its receive was recorded
		g.numbered(trace.Postsend, o.site, object)
		object.leave()
		return
	}
	sent := g.try(trace.Send, o.site, p, object, func() bool {
		select {
		case o.ch <- v:
			g.tellRoom(o.site, object, cap(o.ch))
			g.numbered(trace.Send, o.site, object)
			return true
		default:
			return false
		}
	})
	if !sent {
		o.Send(v)
	}
}

// tellRoom records how much a channel holds, once, in one step with the first send.
func (g *Goroutine) tellRoom(site uint32, o *object, room int) {
	if !o.roomTold {
		o.roomTold = true
		g.record(trace.Room, site, o.number, uint64(room))
	}
}

// OfferInFull is Offer with a record of how much the channel holds.
func (o Out[T]) OfferInFull(v T) T {
	o.g.offerInFull(o.site, channel(o.ch), cap(o.ch))
	return v
}

// OfferingInFull is Offering with a record of how much the channel holds.
func OfferingInFull[T any](g *Goroutine, site uint32, ch chan<- T) chan<- T {
	g.offerInFull(site, channel(ch), cap(ch))
	return ch
}

func (g *Goroutine) offerInFull(site uint32, ch unsafe.Pointer, room int) {
	object := g.channelObject(trace.Offer, site, ch)
	if object == nil || room == 0 {
		g.offer(site, ch)
		return
	}
	object.exact.lock()
	g.tellRoom(site, object, room)
	g.offer(site, ch)
	object.exact.unlock()
}

// ChoseToMeet is Chose for a send on a channel that may have no room.
func ChoseToMeet[T any](g *Goroutine, site uint32, ch chan<- T) {
	if cap(ch) > 0 {
		g.Chose(site)
		return
	}
	g.chose(site, trace.Presend)
	if object := g.channelObject(trace.Send, site, channel(ch)); object != nil {
		object.enter()
		g.numbered(trace.Postsend, site, object)
		object.leave()
	}
}

// Take is <-ch.
func Take[T any](g *Goroutine, site uint32, ch <-chan T) T {
	v, _ := Take2(g, site, ch)
	return v
}

// Take2 is v, ok := <-ch.
func Take2[T any](g *Goroutine, site uint32, ch <-chan T) (v T, ok bool) {
	object := g.channelObject(trace.Recv, site, receiver(ch))
	if object == nil {
		return From2(g, site, ch)
	}
	if isWatched(receiver(ch)) { // nothing is ever sent on it
		select {
		case <-ch:
		default:
			g.waits(trace.Recv, site, receiver(ch))
			<-ch
		}
		seen(receiver(ch))
		object.enter()
		defer object.leave()
		g.numbered(trace.Recv, site, object)
		return v, false
	}
	if announcing { // who looks for somebody that waits is to see it, and nobody asks for the order of messages
		return From2(g, site, ch)
	}
	taken := g.try(trace.Recv, site, receiver(ch), object, func() bool {
		select {
		case v, ok = <-ch:
			g.numbered(trace.Recv, site, object)
			return true
		default:
			return false
		}
	})
	if !taken {
		return From2(g, site, ch)
	}
	return v, ok
}

// CondWaitInFull is CondWait with a record of its beginning.
func (g *Goroutine) CondWaitInFull(site uint32, c *sync.Cond) {
	if !g.off && c != nil {
		g.synced(trace.Prewait, site, unsafe.Pointer(c))
	}
	g.CondWait(site, c)
}

// Looked records that a receive was not ready.
func Looked[T any](g *Goroutine, site uint32, ch <-chan T) {
	if p := receiver(ch); !g.off && p != nil {
		g.synced(trace.Declined, site, p)
	}
}

// LookedToSend records that a send was not ready.
func LookedToSend[T any](g *Goroutine, site uint32, ch chan<- T) {
	if p := channel(ch); !g.off && p != nil {
		g.synced(trace.Declined, site, p)
	}
}

// Yielded records a yield annotation.
func (g *Goroutine) Yielded(site uint32) {
	if !g.off {
		g.record(trace.Yield, site, 0, 0)
	}
}
